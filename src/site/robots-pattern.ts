/**
 * Path patterns of robots.txt (RFC 9309 sections 2.2.2 and 2.2.3). A pattern is split into literal pieces once, and
 * matching looks for one after the other: linear in the path, whatever the pattern. No regular expression is ever made
 * from a file.
 */
export interface PathPattern {
  /** Octets of the pattern: the longest match decides. */
  readonly length: number;
  matches(path: RobotsPath): boolean;
}

/** The path and query of an address, normalised for comparison. */
export interface RobotsPath {
  readonly plain: string;
  /** With the reserved characters in the query percent-encoded too, as RFC 9309 writes its example. */
  readonly encoded: string;
}

export function robotsPath({ pathname, search }: URL): RobotsPath {
  const plain = normalise(pathname + search).replace(/[*$]/g, encodeSpecial);
  return { plain, encoded: encodeQuery(plain) };
}

/** @param text as in the file, without surrounding white space */
export function pathPattern(text: string): PathPattern {
  const anchored = text.endsWith('$');
  const plain = normalise(anchored ? text.slice(0, -1) : text).replaceAll('$', '%24');
  const encoded = encodeQuery(plain);
  const length = plain.length + (anchored ? 1 : 0);
  const matchPlain = pieceMatcher(plain, anchored);
  // Both forms are compared, because a query can be written either way; for nearly all patterns and addresses they are
  // equal.
  const matchEncoded = encoded === plain ? matchPlain : pieceMatcher(encoded, anchored);
  return {
    length,
    matches: (path) =>
      matchPlain(path.plain) || (!(encoded === plain && path.encoded === path.plain) && matchEncoded(path.encoded)),
  };
}

/**
 * `*` matches any characters, and `anchored` means a `$` at the end. The leftmost place for each piece is the best one.
 */
function pieceMatcher(pattern: string, anchored: boolean): (path: string) => boolean {
  const [first = '', ...others] = pattern.split('*');
  if (others.length === 0) return anchored ? (path) => path === first : (path) => path.startsWith(first);
  const last = others.pop() ?? '';
  const middle = others.filter((piece) => piece !== '');
  return (path) => {
    if (!path.startsWith(first)) return false;
    let at = first.length;
    for (const piece of middle) {
      const found = path.indexOf(piece, at);
      if (found === -1) return false;
      at = found + piece.length;
    }
    return anchored ? path.length - last.length >= at && path.endsWith(last) : path.indexOf(last, at) !== -1;
  };
}

/** Unreserved and reserved characters (RFC 3986 section 2), which stay as they are. */
const AS_IT_IS = /^[\w.~!$&'()*+,;=:@/?#[\]-]*$/;
const TO_CHANGE = /%([0-9a-f]{2})|[^\w.~!$&'()*+,;=:@/?#[\]%-]/giu;
const UNRESERVED = /[\w.~-]/;

/** RFC 9309 section 2.2.2: unreserved characters as themselves, others beyond ASCII percent-encoded, hex in upper case. */
function normalise(text: string): string {
  if (AS_IT_IS.test(text)) return text;
  return text.toWellFormed().replace(TO_CHANGE, (found, hex: string | undefined) => {
    if (hex === undefined) return encodeURIComponent(found);
    const character = String.fromCharCode(Number.parseInt(hex, 16));
    return UNRESERVED.test(character) ? character : found.toUpperCase();
  });
}

function encodeQuery(text: string): string {
  const start = text.indexOf('?') + 1;
  if (start === 0) return text;
  return text.slice(0, start) + text.slice(start).replace(/[:/?@[\]]/g, encodeSpecial);
}

function encodeSpecial(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}
