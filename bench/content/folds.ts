import { createHash } from 'node:crypto';

export const FOLDS = 5;

/**
 * The fold is the same for all pages of a domain, so that no fold is measured on pages that resemble those of another.
 */
export function foldOf(url: string): number {
  return createHash('md5').update(domainOf(url)).digest().readUInt8() % FOLDS;
}

/** The last two labels of the host name. */
export function domainOf(url: string): string {
  return URL.parse(url)?.hostname.split('.').slice(-2).join('.') ?? '';
}
