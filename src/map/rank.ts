import { addressWords, wordsOf } from './words.ts';

/** What is known of an address. */
export interface RankedLink {
  url: string;
  title?: string | undefined;
  description?: string | undefined;
}

/** A query is a few words; what comes after them is not looked for. */
const MAX_TERMS = 16;

/** Okapi BM25: how fast further occurrences count less, and how much length counts. */
const K1 = 1.2;
const B = 0.6;
/** What a word counts in the title, in the address and in the description. */
const TITLE = 2;
const ADDRESS = 1.5;
const DESCRIPTION = 1;
/** What a word counts that only begins with a term, as `preisliste` does with `preis`. */
const PREFIX = 0.4;
/** Shorter terms begin too many words. */
const MIN_PREFIX = 4;
/** Fewer are not worth sorting. */
const MIN_KEPT = 1_000;

interface Entry<Link> {
  link: Link;
  /** In the order in which they came. */
  place: number;
  /** For each term, how much of it there is. Undefined: none of any. */
  frequencies: number[] | undefined;
  length: number;
  score: number;
}

/**
 * The links that fit a query best, from a stream of any length. Each is scored by BM25 over the words of its title,
 * address and description, where a word counts the more, the fewer of all links have it. Links that have none of the
 * words come last, and equal ones in the order in which they came. At most twice as many links as wanted are held.
 */
export class LinkRanking<Link extends RankedLink> {
  readonly #terms: readonly string[];
  readonly #most: number;
  #entries: Entry<Link>[] = [];
  #count = 0;
  #totalLength = 0;
  /** For each term, how many links have it. */
  readonly #found: number[];

  /** @param most how many links are wanted */
  constructor(query: string, most: number) {
    this.#terms = [...new Set(wordsOf(query))].slice(0, MAX_TERMS);
    this.#found = this.#terms.map(() => 0);
    this.#most = most;
  }

  add(link: Link): void {
    const { frequencies, length } = this.#measure(link);
    this.#entries.push({ link, place: this.#count++, frequencies, length, score: 0 });
    this.#totalLength += length;
    for (const [term, frequency] of frequencies?.entries() ?? [])
      if (frequency > 0) this.#found[term] = (this.#found[term] ?? 0) + 1;
    if (this.#entries.length >= 2 * Math.max(this.#most, MIN_KEPT)) this.#keepBest();
  }

  /** The best so far, the best first. */
  best(): Link[] {
    this.#keepBest();
    return this.#entries.slice(0, this.#most).map(({ link }) => link);
  }

  #keepBest(): void {
    const weights = this.#found.map((found) => Math.log(1 + (this.#count - found + 0.5) / (found + 0.5)));
    const meanLength = this.#totalLength / this.#count;
    for (const entry of this.#entries) entry.score = scoreOf(entry, weights, meanLength);
    this.#entries.sort((a, b) => b.score - a.score || a.place - b.place);
    this.#entries = this.#entries.slice(0, Math.max(this.#most, MIN_KEPT));
  }

  #measure({ url, title = '', description = '' }: Link): Pick<Entry<Link>, 'frequencies' | 'length'> {
    const frequencies = this.#terms.map(() => 0);
    const length =
      this.#tally(frequencies, addressWords(url), ADDRESS) +
      this.#tally(frequencies, wordsOf(title), TITLE) +
      this.#tally(frequencies, wordsOf(description), DESCRIPTION);
    // Of 100,000 links most have none of the words.
    return { frequencies: frequencies.some((frequency) => frequency > 0) ? frequencies : undefined, length };
  }

  /** Adds what the words count to the frequencies; gives their length. */
  #tally(frequencies: number[], words: readonly string[], weight: number): number {
    for (const word of words) {
      for (const [term, text] of this.#terms.entries()) {
        if (!word.startsWith(text)) continue;
        const isWhole = word.length === text.length;
        if (isWhole || text.length >= MIN_PREFIX)
          frequencies[term] = (frequencies[term] ?? 0) + (isWhole ? weight : weight * PREFIX);
      }
    }
    return words.length * weight;
  }
}

function scoreOf({ frequencies, length }: Entry<unknown>, weights: readonly number[], meanLength: number): number {
  if (frequencies === undefined) return 0;
  const norm = K1 * (1 - B + (B * length) / meanLength);
  return frequencies.reduce(
    (sum, frequency, term) => sum + ((weights[term] ?? 0) * frequency * (K1 + 1)) / (frequency + norm),
    0,
  );
}
