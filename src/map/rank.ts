import { addressWords, wordsOf } from './words.ts';

/** The known facts about an address. */
export interface RankedLink {
  url: string;
  title?: string | undefined;
  description?: string | undefined;
}

/** A query is a few words; further words are ignored. */
const MAX_TERMS = 16;

/** Okapi BM25: how quickly further occurrences lose weight, and how much length matters. */
const K1 = 1.2;
const B = 0.6;
/** The weight of a word in the title, in the address and in the description. */
const TITLE = 2;
const ADDRESS = 1.5;
const DESCRIPTION = 1;
/** The weight of a word that only begins with a term, as `preisliste` does with `preis`. */
const PREFIX = 0.4;
/** Shorter terms are prefixes of too many words. */
const MIN_PREFIX = 4;
/** Fewer are not worth sorting. */
const MIN_KEPT = 1_000;

interface Entry<Link> {
  link: Link;
  /** The order of arrival. */
  place: number;
  /** For each term, its weighted frequency. Undefined: no term occurs. */
  frequencies: number[] | undefined;
  length: number;
  score: number;
}

/**
 * Finds the links that fit a query best, in a stream of any length. Each is scored by BM25 over the words of its title,
 * address and description: the fewer links have a word, the more it counts. Links without any of the words come last,
 * and ties stay in the order of arrival. Holds at most twice as many links as wanted.
 */
export class LinkRanking<Link extends RankedLink> {
  readonly #terms: readonly string[];
  readonly #limit: number;
  #entries: Entry<Link>[] = [];
  #count = 0;
  #totalLength = 0;
  /** For each term, the number of links that have it. */
  readonly #found: number[];

  /** @param limit the number of links wanted */
  constructor(query: string, limit: number) {
    this.#terms = [...new Set(wordsOf(query))].slice(0, MAX_TERMS);
    this.#found = this.#terms.map(() => 0);
    this.#limit = limit;
  }

  add(link: Link): void {
    const { frequencies, length } = this.#measure(link);
    this.#entries.push({ link, place: this.#count++, frequencies, length, score: 0 });
    this.#totalLength += length;
    for (const [term, frequency] of frequencies?.entries() ?? [])
      if (frequency > 0) this.#found[term] = (this.#found[term] ?? 0) + 1;
    if (this.#entries.length >= 2 * Math.max(this.#limit, MIN_KEPT)) this.#keepBest();
  }

  /** The best links so far, best first. */
  best(): Link[] {
    this.#keepBest();
    return this.#entries.slice(0, this.#limit).map(({ link }) => link);
  }

  #keepBest(): void {
    const weights = this.#found.map((found) => Math.log(1 + (this.#count - found + 0.5) / (found + 0.5)));
    const meanLength = this.#totalLength / this.#count;
    for (const entry of this.#entries) entry.score = scoreOf(entry, weights, meanLength);
    this.#entries.sort((a, b) => b.score - a.score || a.place - b.place);
    this.#entries = this.#entries.slice(0, Math.max(this.#limit, MIN_KEPT));
  }

  #measure({ url, title = '', description = '' }: Link): Pick<Entry<Link>, 'frequencies' | 'length'> {
    const frequencies = this.#terms.map(() => 0);
    const length =
      this.#tally(frequencies, addressWords(url), ADDRESS) +
      this.#tally(frequencies, wordsOf(title), TITLE) +
      this.#tally(frequencies, wordsOf(description), DESCRIPTION);
    // Most of 100,000 links have none of the words.
    return { frequencies: frequencies.some((frequency) => frequency > 0) ? frequencies : undefined, length };
  }

  /** Adds the weight of the words to the frequencies; returns their length. */
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
