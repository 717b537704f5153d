import { wordsOf } from '../bench/content/score.ts';

/**
 * Finds the lines of a page that its label contains. Labels are plain text without positions on the page, so the words
 * of the lines are aligned with those of the label: the heaviest chain of matches that increases on both sides.
 */
const GRAM = 3;
const MAX_PLACES = 40;
const MAX_PLACES_OF_SHORT = 200;
const MIN_MATCH = 0.5;
/** Shorter lines match anywhere, so they count less unless a line of the label starts and ends with them. */
const SHORT = 4;
const MIN_UNCHAINED = 0.75;

interface Match {
  line: number;
  end: number;
  share: number;
  total: number;
  previous: Match | undefined;
}

/** For each line the share of its words, 0 to 1, that the label contains at that position. */
export function labelLines(lines: readonly string[][], label: string): Float32Array {
  const { words, starts, ends } = readLabel(label);
  const places = indexGrams(words);
  const chain = new BestChain(words.length);
  for (const [line, own] of lines.entries()) {
    const matches: Match[] = [];
    for (const start of slotsOf(own, places)) {
      const end = Math.min(words.length, start + own.length);
      const share = overlap(own, words.slice(start, end));
      if (share < MIN_MATCH) continue;
      const bounds = (starts.has(start) ? 0.5 : 0) + (ends.has(end) ? 0.5 : 0);
      const certainty = own.length >= SHORT ? 1 : 0.3 + 0.7 * bounds;
      const previous = chain.best(start);
      const total = (previous?.total ?? 0) + share * own.length * certainty;
      matches.push({ line, end, share, total, previous });
    }
    for (const match of matches) chain.add(match);
  }
  const shares = new Float32Array(lines.length);
  for (let match = chain.best(words.length); match; match = match.previous) shares[match.line] = match.share;
  addUnchained(lines, words, places, shares);
  return shares;
}

/** Long lines that appear in another order in the label. */
function addUnchained(
  lines: readonly string[][],
  words: readonly string[],
  places: ReadonlyMap<string, readonly number[]>,
  shares: Float32Array,
): void {
  const left = countOf(words);
  const take = (own: readonly string[]) => {
    for (const word of own) left.set(word, (left.get(word) ?? 0) - 1);
  };
  for (const [line, own] of lines.entries()) if ((shares[line] ?? 0) > 0) take(own);
  for (const [line, own] of lines.entries()) {
    if ((shares[line] ?? 0) > 0 || own.length < SHORT) continue;
    const grams = own.length - GRAM + 1;
    const found = own.filter((_, index) => index < grams && places.has(gramAt(own, index, GRAM))).length;
    if (found < MIN_UNCHAINED * grams) continue;
    if (own.filter((word) => (left.get(word) ?? 0) > 0).length < MIN_UNCHAINED * own.length) continue;
    take(own);
    shares[line] = found / grams;
  }
}

function readLabel(label: string): { words: string[]; starts: Set<number>; ends: Set<number> } {
  const words: string[] = [];
  const starts = new Set<number>();
  const ends = new Set<number>();
  for (const line of label.split(/\n+/)) {
    const own = wordsOf(line);
    if (own.length === 0) continue;
    starts.add(words.length);
    words.push(...own);
    ends.add(words.length);
  }
  return { words, starts, ends };
}

function gramAt(words: readonly string[], index: number, length: number): string {
  return words.slice(index, index + length).join(' ');
}

function indexGrams(words: readonly string[]): Map<string, number[]> {
  const places = new Map<string, number[]>();
  for (let index = 0; index < words.length; index++) {
    for (let length = 1; length <= GRAM && index + length <= words.length; length++) {
      const gram = gramAt(words, index, length);
      const known = places.get(gram);
      if (known) known.push(index);
      else places.set(gram, [index]);
    }
  }
  return places;
}

function slotsOf(own: readonly string[], places: ReadonlyMap<string, readonly number[]>): Set<number> {
  if (own.length === 0) return new Set();
  if (own.length < GRAM) return new Set((places.get(own.join(' ')) ?? []).slice(0, MAX_PLACES_OF_SHORT));
  const found = new Set<number>();
  for (const offset of new Set([0, Math.floor((own.length - GRAM) / 2), own.length - GRAM])) {
    const starts = places.get(gramAt(own, offset, GRAM)) ?? [];
    for (const start of starts.slice(0, MAX_PLACES)) found.add(Math.max(0, start - offset));
  }
  return found;
}

function overlap(own: readonly string[], others: readonly string[]): number {
  const left = countOf(others);
  let common = 0;
  for (const word of own) {
    const count = left.get(word) ?? 0;
    if (count === 0) continue;
    common++;
    left.set(word, count - 1);
  }
  return common / own.length;
}

function countOf(words: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

/** The heaviest chain that ends at or before a position, in logarithmic time (a Fenwick tree of maxima). */
class BestChain {
  readonly #nodes: (Match | undefined)[];

  constructor(length: number) {
    this.#nodes = Array.from({ length: length + 2 });
  }

  best(place: number): Match | undefined {
    let best: Match | undefined;
    for (let node = place + 1; node > 0; node -= node & -node) {
      const match = this.#nodes[node];
      if (match && match.total > (best?.total ?? 0)) best = match;
    }
    return best;
  }

  add(match: Match): void {
    for (let node = match.end + 1; node < this.#nodes.length; node += node & -node) {
      if (match.total > (this.#nodes[node]?.total ?? 0)) this.#nodes[node] = match;
    }
  }
}
