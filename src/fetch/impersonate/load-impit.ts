import { loadOnce } from '../../load-once.ts';

/** What makes requests with the TLS and HTTP/2 of Chrome. */
export type ImpitModule = Pick<typeof import('impit'), 'Impit'>;

/**
 * Loaded with the first page that needs it, because it takes 160 ms and 20 MB. Undefined on a machine for which it has no build:
 * it is an optional dependency.
 */
export const loadImpit = loadOnce(async (): Promise<ImpitModule | undefined> => {
  try {
    return await import('impit');
  } catch {
    return undefined;
  }
});
