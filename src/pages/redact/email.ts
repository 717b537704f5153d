import { isWordAt, type Span } from './span.ts';

// RFC 5321 sections 4.5.3.1.1 and 4.5.3.1.2, RFC 1035 section 2.3.4.
const LOCAL_MAX = 64;
const DOMAIN_MAX = 253;
const LABEL_MAX = 63;

/** The sign itself, percent-encoded in addresses, full-width, and `(at)`, `[at]`, `[@]` written against robots. */
const AT = /(?<!@)@(?!@)|%40|＠| ?\\?[([{] ?(?:at|@) ?\\?[)\]}] ?/gi;
const DOT = /\\?\.| ?\\?[([{] ?(?:dot|\.) ?\\?[)\]}] ?/iy;

/** Not top-level domains: what follows `icon@2x` in a file name. */
const FILE_EXTENSION = /^(?:png|jpe?g|gif|webp|avif|svg|ico|bmp|css|m?js|tsx?|html?|json|xml|pdf)$/i;
const TOP_LEVEL = /^(?:xn--[a-z0-9-]+|[\p{L}\p{M}]{2,})$/iu;
const LATIN = /^[\p{Script=Latin}]$/u;
const LETTER = /^[\p{L}\p{M}\p{N}]$/u;

/**
 * E-mail addresses (RFC 5321, the dot-atom form people write; international ones by RFC 6531), also inside
 * `mailto:` targets and query strings. Not taken: `@user@host` handles, `git@host:path` remotes, the user in
 * `ssh://user@host`, `package@1.2.3`, `icon@2x.png`.
 */
export function* findEmails(text: string): Generator<Span> {
  let floor = 0;
  for (const match of text.matchAll(AT)) {
    const local = localStart(text, match.index, floor);
    if (local === match.index || text[local - 1] === '@') continue;
    const end = domainEnd(text, match.index + match[0].length);
    if (end === undefined || isUserOfAddress(text, local) || text.slice(local, match.index) === 'git') continue;
    yield withAngleBrackets(text, local, end);
    floor = end;
  }
}

/** Where the local part that ends before `at` begins, or `at` itself. */
function localStart(text: string, at: number, floor: number): number {
  const lowest = Math.max(floor, at - LOCAL_MAX);
  // In text without spaces (請寄abc@example.com) a Latin local part ends where the other script begins.
  const latinOnly = isLatinAt(text, at - 1);
  let start = at;
  while (start > lowest && isLocalAt(text, start - 1, latinOnly)) start--;
  // In an address the walk stops at the % of an encoded character: its two digits are not the name's.
  if (text[start - 1] === '%') start = Math.min(start + 2, at);
  // A name does not begin with these: quotes, dashes, and the underscore of emphasis.
  while (start < at && !isLetterAt(text, start)) start++;
  return start;
}

function isLocalAt(text: string, at: number, latinOnly: boolean): boolean {
  if (".+-_'~".includes(text.charAt(at))) return true;
  if (text[at] === '%') return /^2b$/i.test(text.slice(at + 1, at + 3));
  // A Markdown escape, as in first\_last@example.com.
  if (text[at] === '\\') return ".+-_'~".includes(text.charAt(at + 1));
  return latinOnly ? isLatinAt(text, at) : isLetterAt(text, at);
}

/** Where the domain that begins at `start` ends, or undefined where there is none. */
function domainEnd(text: string, start: number): number | undefined {
  const labels: { text: string; end: number }[] = [];
  let at = start;
  while (at - start < DOMAIN_MAX) {
    const end = labelEnd(text, at);
    if (end === at) break;
    labels.push({ text: text.slice(at, end), end });
    DOT.lastIndex = end;
    const dot = DOT.exec(text);
    if (!dot) break;
    at = end + dot[0].length;
  }
  if (/^\d/.test(labels[0]?.text ?? '') && /^\d/.test(labels[1]?.text ?? '')) return undefined; // a version
  const last = labels.findLast(({ text: label }) => TOP_LEVEL.test(label));
  if (!last || last === labels[0] || FILE_EXTENSION.test(last.text)) return undefined;
  return last.end;
}

function labelEnd(text: string, start: number): number {
  const latinOnly = isLatinAt(text, start);
  let end = start;
  while (end - start < LABEL_MAX && (text[end] === '-' || (latinOnly ? isLatinAt(text, end) : isLetterAt(text, end)))) {
    end++;
  }
  if (text[start] === '-') return start;
  while (text[end - 1] === '-') end--;
  return end;
}

/** ASCII letters and digits, and letters of the Latin script. */
function isLatinAt(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code < 128) return code !== 95 && isWordAt(text, at);
  return LATIN.test(text.charAt(at));
}

function isLetterAt(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code < 128) return code !== 95 && isWordAt(text, at);
  return LETTER.test(text.charAt(at));
}

/** In `scheme://user@host` and `scheme://user:password@host` the name before the sign is no mailbox. */
function isUserOfAddress(text: string, local: number): boolean {
  const before = text.slice(Math.max(0, local - LOCAL_MAX), local);
  return /:\/\/(?:[^\s/?#@:]*:)?$/.test(before);
}

/** `<a@b.example>` is one thing in Markdown: replaced in part, a tag inside a tag would be left. */
function withAngleBrackets(text: string, start: number, end: number): Span {
  const scheme = text.slice(start - 7, start).toLowerCase() === 'mailto:' ? 7 : 0;
  if (text[start - scheme - 1] !== '<' || text[end] !== '>') return { start, end };
  return { start: start - scheme - 1, end: end + 1 };
}
