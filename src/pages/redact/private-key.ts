import type { Span } from './span.ts';

const MARKER = /-----(BEGIN|END) (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----/g;
/** A 16,384-bit RSA key takes 13 KB; further apart, the two marks belong to different keys. */
const BLOCK_MAX = 32_768;
/** What a key whose end was cut off still shows: base64, the line breaks perhaps written `\n` or quoted. */
const BODY = /(?:(?:\s|\\n|>){1,6}[A-Za-z0-9+/=]{16,100}){0,400}/y;

/** Private keys in PEM armour (RFC 7468), those of PGP too. */
export function* findPrivateKeys(text: string): Generator<Span> {
  let begin: Span | undefined;
  for (const { 0: mark, 1: kind, index } of text.matchAll(MARKER)) {
    const end = index + mark.length;
    if (begin && kind === 'END' && end - begin.start <= BLOCK_MAX) yield { start: begin.start, end };
    else if (begin) yield { start: begin.start, end: bodyEnd(text, begin.end) };
    begin = kind === 'BEGIN' ? { start: index, end } : undefined;
  }
  if (begin) yield { start: begin.start, end: bodyEnd(text, begin.end) };
}

function bodyEnd(text: string, from: number): number {
  BODY.lastIndex = from;
  return from + (BODY.exec(text)?.[0].length ?? 0);
}
