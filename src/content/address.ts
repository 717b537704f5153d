import { badHostName } from '../host-name.ts';

/** Longer addresses do not occur in practice: servers refuse request lines from 8 KB on. */
const MAX_ADDRESS = 8_192;

/**
 * Resolves an address on a page to an absolute, normalised one (WHATWG URL standard), or undefined when it is not valid
 * or its scheme is not among `schemes` (with the colon, as `URL.protocol` writes it).
 */
export function resolveAddress(
  address: string,
  baseUrl: string,
  schemes: ReadonlySet<string> = WEB_SCHEMES,
): string | undefined {
  if (address.length > MAX_ADDRESS) return undefined;
  const url = URL.parse(address, baseUrl);
  if (url === null || !schemes.has(url.protocol) || url.href.length > MAX_ADDRESS) return undefined;
  return badHostName(url.hostname) === undefined ? url.href : undefined;
}

export const WEB_SCHEMES: ReadonlySet<string> = new Set(['http:', 'https:']);
