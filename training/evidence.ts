/** The evidence of words in names and lines for content: a logistic regression with one weight per word. */
import type { Block } from '../src/content/main/blocks.ts';
import { EVIDENCE_FEATURES } from '../src/content/main/line-features.ts';
import type { LearnedWeights } from '../src/content/main/model.ts';
import type { NameEvidence } from '../src/content/main/names.ts';
import { randomFrom } from './boosting.ts';

/** Words from fewer domains say more about the domain than about content. */
const MIN_DOMAINS = 6;
const EPOCHS = 2;
const RATE = 0.05;
const DECAY = 1e-3;
/** Words whose weights are all smaller are dropped, and the weights of the others are learned again without them. */
const MIN_WEIGHT = 0.15;
const SEED = 12_345;

/** On the block with the line, its parent, its grandparent, further out; in the line, in the heading above. */
const LEVELS = 6;
const NAME_LEVELS = 4;

export type Levels = readonly (readonly number[])[];

/** The hashes of the words around a line, by level. */
export function wordsAround(line: Block, heading: Block | undefined): Levels {
  const namesOf = (block: Block | undefined) => (block?.names ?? []).flatMap(({ hashes }) => hashes);
  const outer = new Set<NameEvidence>();
  for (let block = line.parent?.parent?.parent; block; block = block.parent) {
    for (const name of block.names) outer.add(name);
  }
  return [
    [...namesOf(line), ...line.inlineNames.flatMap(({ hashes }) => hashes)],
    namesOf(line.parent),
    namesOf(line.parent?.parent),
    [...outer].flatMap(({ hashes }) => hashes),
    line.wordHashes,
    heading && heading !== line ? heading.wordHashes : [],
  ];
}

/** The words around all lines, as indices of weights: one for each word on each level. */
export class EvidenceLines {
  readonly #hashes: readonly number[];
  readonly #numbers: Int32Array;
  /** The start of each level of each line in `numbers`. */
  readonly #starts: Uint32Array;

  constructor(lines: readonly Levels[], isUsed: (hash: number) => boolean) {
    const index = new Map<number, number>();
    for (const levels of lines) {
      for (const level of levels) {
        for (const hash of level) if (!index.has(hash) && isUsed(hash)) index.set(hash, index.size);
      }
    }
    const total = lines.reduce((sum, levels) => sum + levels.reduce((length, level) => length + level.length, 0), 0);
    const numbers = new Int32Array(total);
    this.#starts = new Uint32Array(lines.length * LEVELS + 1);
    let end = 0;
    for (const [line, levels] of lines.entries()) {
      for (const [level, hashes] of levels.entries()) {
        this.#starts[line * LEVELS + level] = end;
        for (const hash of hashes) {
          const word = index.get(hash);
          if (word !== undefined) numbers[end++] = word * LEVELS + level;
        }
      }
    }
    this.#starts[lines.length * LEVELS] = end;
    this.#numbers = numbers.slice(0, end);
    this.#hashes = [...index.keys()];
  }

  /** Weights by stochastic gradient descent with steps that shrink for words that are seen often (AdaGrad, Duchi et al. 2011). */
  learn(use: Uint32Array, labels: Float32Array, importance: Float32Array): Float32Array {
    const bias = this.#hashes.length * LEVELS;
    const weights = new Float32Array(bias + 1);
    const seen = new Float32Array(bias + 1).fill(1);
    const order = use.slice();
    const random = randomFrom(SEED);
    const step = (weight: number, gradient: number, decay: number) => {
      seen[weight] = at(seen, weight) + gradient ** 2;
      weights[weight] =
        at(weights, weight) - (RATE * (gradient + decay * at(weights, weight))) / Math.sqrt(at(seen, weight));
    };
    for (let epoch = 0; epoch < EPOCHS; epoch++) {
      shuffle(order, random);
      for (const line of order) {
        const from = at(this.#starts, line * LEVELS);
        const to = at(this.#starts, (line + 1) * LEVELS);
        let odds = at(weights, bias);
        for (let index = from; index < to; index++) odds += at(weights, at(this.#numbers, index));
        const gradient = at(importance, line) * (1 / (1 + Math.exp(-odds)) - at(labels, line));
        for (let index = from; index < to; index++) step(at(this.#numbers, index), gradient, DECAY);
        step(bias, gradient, 0);
      }
    }
    return weights;
  }

  /** Writes the evidence of the weights into the features of a line, as LineFeatures does with the finished model. */
  write(weights: Float32Array, line: number, features: Float32Array): void {
    let all = 0;
    for (let level = 0; level < LEVELS; level++) {
      let sum = 0;
      const from = at(this.#starts, line * LEVELS + level);
      const to = at(this.#starts, line * LEVELS + level + 1);
      for (let index = from; index < to; index++) sum += at(weights, at(this.#numbers, index));
      features[level] = sum;
      all += sum;
    }
    features[EVIDENCE_FEATURES - 1] = all;
  }

  /** The words with strong evidence on some level. */
  telling(weights: Float32Array): Set<number> {
    return new Set(
      this.#hashes.filter((_, word) => levelsOf(weights, word).some((each) => Math.abs(each) >= MIN_WEIGHT)),
    );
  }

  toLearned(weights: Float32Array): Pick<LearnedWeights, 'names' | 'words'> {
    const names = { hashes: [] as number[], weights: [] as number[] };
    const words = { hashes: [] as number[], weights: [] as number[] };
    for (const [word, hash] of this.#hashes.entries()) {
      const levels = levelsOf(weights, word).map((weight) => Math.round(weight * 100) / 100);
      add(names, hash, levels.slice(0, NAME_LEVELS));
      add(words, hash, levels.slice(NAME_LEVELS));
    }
    return { names, words };
  }
}

/** The words that occur on pages of enough domains. */
export function commonWords(lines: readonly Levels[], domainOf: (line: number) => string): Set<number> {
  const domains = new Map<number, Set<string>>();
  for (const [line, levels] of lines.entries()) {
    for (const hash of levels.flat()) {
      const known = domains.get(hash);
      if (!known) domains.set(hash, new Set([domainOf(line)]));
      else if (known.size < MIN_DOMAINS) known.add(domainOf(line));
    }
  }
  return new Set([...domains].filter(([, { size }]) => size >= MIN_DOMAINS).map(([hash]) => hash));
}

function levelsOf(weights: Float32Array, word: number): number[] {
  return Array.from(weights.subarray(word * LEVELS, (word + 1) * LEVELS));
}

/** Words seen only in names have no weights as words of lines, and vice versa. */
function add(to: { hashes: number[]; weights: number[] }, hash: number, weights: readonly number[]): void {
  if (weights.every((weight) => weight === 0)) return;
  to.hashes.push(hash);
  to.weights.push(...weights);
}

function shuffle(values: Uint32Array, random: () => number): void {
  for (let index = values.length - 1; index > 0; index--) {
    const other = Math.floor(random() * (index + 1));
    const value = at(values, index);
    values[index] = at(values, other);
    values[other] = value;
  }
}

function at(values: ArrayLike<number>, index: number): number {
  return values[index] ?? 0;
}
