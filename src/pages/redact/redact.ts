import { findBankDetails } from './bank-details.ts';
import { findAuthorization, findCredentials } from './credentials.ts';
import { findEmails } from './email.ts';
import { findIbans } from './iban.ts';
import { findPaymentCards } from './payment-card.ts';
import { findPhones } from './phone.ts';
import { findPrivateKeys } from './private-key.ts';
import { findSecretTokens } from './secret-tokens.ts';
import type { Entity, Recogniser, Span } from './span.ts';
import { findUserinfo } from './userinfo.ts';

export type ReplaceStyle = 'tag' | 'mask' | 'remove';

export interface RedactOptions {
  entities: readonly Entity[];
  /** `tag`: `<EMAIL>`; `mask`: `*` for every character, line breaks kept; `remove`: nothing. */
  replaceStyle: ReplaceStyle;
  /** A warning for the response. */
  warning?: string;
}

interface Finding extends Span {
  entity: Entity;
}

/** Pieces joined at a time: millions of small concatenations cost several times the memory of the text. */
const PIECES = 8192;

/**
 * Replaces personal data and secrets in Markdown, in text, link targets and code alike. Time is linear in the
 * text. `found` counts the replacements; overlapping findings count as one, of the kind of the longest.
 * @param country ISO 3166-1 alpha-2: whose national telephone numbers to expect; the default is that of `location`
 */
export function redact(
  markdown: string,
  { entities, replaceStyle }: RedactOptions,
  country = 'US',
): { text: string; found: number } {
  let text = '';
  let pieces: string[] = [];
  let copied = 0;
  let found = 0;
  for (const { start, end, entity } of withoutOverlaps(inOrder(findings(markdown, entities, country)))) {
    const from = withEscape(markdown, start, copied);
    pieces.push(markdown.slice(copied, from), replacement(markdown.slice(from, end), entity, replaceStyle));
    copied = end;
    found++;
    if (pieces.length < PIECES) continue;
    text += pieces.join('');
    pieces = [];
  }
  return { text: text + pieces.join('') + markdown.slice(copied), found };
}

/** One ascending stream for each recogniser that is asked for, the most specific kind first. */
function findings(markdown: string, entities: readonly Entity[], country: string): Iterator<Finding>[] {
  const recognisers: readonly [Entity, Recogniser][] = [
    ['SECRET', findPrivateKeys],
    ['SECRET', findSecretTokens],
    ['SECRET', findAuthorization],
    ['SECRET', findCredentials],
    ['SECRET', findUserinfo],
    ['FINANCIAL', findIbans],
    ['FINANCIAL', findPaymentCards],
    ['FINANCIAL', findBankDetails],
    ['EMAIL', findEmails],
    ['PHONE', (text) => findPhones(text, country)],
  ];
  return recognisers
    .filter(([entity]) => entities.includes(entity))
    .map(([entity, find]) => named(entity, find(markdown)));
}

function* named(entity: Entity, spans: Iterable<Span>): Generator<Finding> {
  for (const { start, end } of spans) yield { start, end, entity };
}

/** Merges ascending streams into one; of two that start together, the earlier stream's comes first. */
function* inOrder(streams: readonly Iterator<Finding>[]): Generator<Finding> {
  const heads = streams.map((stream) => ({ stream, next: stream.next() }));
  for (;;) {
    let first: (typeof heads)[number] | undefined;
    for (const head of heads) {
      if (!head.next.done && (!first || first.next.done || head.next.value.start < first.next.value.start))
        first = head;
    }
    if (!first || first.next.done) return;
    yield first.next.value;
    first.next = first.stream.next();
  }
}

/** Joins what overlaps, so that no character of any finding survives. */
function* withoutOverlaps(ascending: Iterable<Finding>): Generator<Finding> {
  let current: Finding | undefined;
  let longest = 0;
  for (const finding of ascending) {
    if (!current || finding.start >= current.end) {
      if (current) yield current;
      current = finding;
      longest = finding.end - finding.start;
      continue;
    }
    const length = finding.end - finding.start;
    const entity: Entity = length > longest ? finding.entity : current.entity;
    current = { start: current.start, end: Math.max(current.end, finding.end), entity };
    longest = Math.max(longest, length);
  }
  if (current) yield current;
}

/** A backslash that escapes the first character is removed with it: otherwise it would escape the next character. */
function withEscape(markdown: string, start: number, floor: number): number {
  if (!/[!-/:-@[-`{-~]/.test(markdown.charAt(start))) return start;
  let backslashes = 0;
  while (start - backslashes > floor && markdown[start - backslashes - 1] === '\\') backslashes++;
  return backslashes % 2 === 1 ? start - 1 : start;
}

function replacement(original: string, entity: Entity, style: ReplaceStyle): string {
  if (style === 'tag') return `<${entity}>`;
  return style === 'mask' ? original.replace(/[^\r\n]/g, '*') : '';
}
