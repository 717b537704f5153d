import { looksRandom } from './randomness.ts';
import type { Span } from './span.ts';

/** Longest user and password looked for, so that an endless address costs no more than a short one. */
const USERINFO_MAX = 512;
const AUTHORITY_END = /[\s/?#"'<>`|\\]/;

/**
 * Credentials in addresses, `postgres://user:password@host` (RFC 3986 section 3.2.1): both parts, because the
 * user alone is often the token. A name without a password (`ssh://git@host`) stays unless it looks random.
 */
export function* findUserinfo(text: string): Generator<Span> {
  for (let mark = text.indexOf('://'); mark !== -1; mark = text.indexOf('://', mark + 3)) {
    const start = mark + 3;
    const window = text.slice(start, start + USERINFO_MAX);
    const authorityEnd = window.search(AUTHORITY_END);
    const authority = authorityEnd === -1 ? window : window.slice(0, authorityEnd);
    const length = authority.lastIndexOf('@');
    if (length <= 0) continue;
    const userinfo = authority.slice(0, length);
    const colon = userinfo.indexOf(':');
    const hasPassword = colon !== -1 && colon < userinfo.length - 1;
    if (hasPassword || looksRandom(userinfo)) yield { start, end: start + length };
  }
}
