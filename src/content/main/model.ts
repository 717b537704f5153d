import { HashTable } from './hash-table.ts';
import learned from './learned.json' with { type: 'json' };

/** The model learned from labelled pages, as training/ writes it. */
export interface LearnedWeights {
  /** Hashes of words in names, each with its evidence on the block itself, its parent, grandparent and beyond. */
  names: { hashes: readonly number[]; weights: readonly number[] };
  /** Hashes of words in short lines, each with its evidence for the line and for the section it heads. */
  words: { hashes: readonly number[]; weights: readonly number[] };
  /** Decision trees over the features of a line, in sequence. */
  trees: TreeArrays;
}

/** The nodes of all trees. The right child directly follows the left one. A node whose `left` is negative is a leaf. */
export interface TreeArrays {
  base: number;
  roots: readonly number[];
  feature: readonly number[];
  threshold: readonly number[];
  left: readonly number[];
  value: readonly number[];
}

/** Estimates how likely a line is content, in log-odds. */
export class Model {
  readonly names: NameWeights;
  readonly words: WordWeights;
  readonly #trees: Trees;

  constructor({ names, words, trees }: LearnedWeights) {
    this.names = new NameWeights(names.hashes, names.weights);
    this.words = new WordWeights(words.hashes, words.weights);
    this.#trees = new Trees(trees);
  }

  logOdds(features: Float32Array): number {
    return this.#trees.sum(features);
  }
}

const NAME_LEVELS = 4;

/** The evidence of names for content, by distance: on the block with the line, on its parent and beyond. */
export interface LevelWeights {
  readonly self: number;
  readonly parent: number;
  readonly grandparent: number;
  readonly outer: number;
}

export class NameWeights {
  readonly #known: HashTable;
  readonly #weights: Float32Array;

  constructor(hashes: readonly number[], weights: readonly number[]) {
    this.#known = new HashTable(hashes);
    this.#weights = Float32Array.from(weights);
  }

  sum(hashes: readonly number[]): LevelWeights {
    const weights = this.#weights;
    let self = 0;
    let parent = 0;
    let grandparent = 0;
    let outer = 0;
    for (const hash of hashes) {
      const at = this.#known.find(hash) * NAME_LEVELS;
      if (at < 0) continue;
      self += weights[at] ?? 0;
      parent += weights[at + 1] ?? 0;
      grandparent += weights[at + 2] ?? 0;
      outer += weights[at + 3] ?? 0;
    }
    return { self, parent, grandparent, outer };
  }
}

export class WordWeights {
  readonly #known: HashTable;
  readonly #weights: Float32Array;

  constructor(hashes: readonly number[], weights: readonly number[]) {
    this.#known = new HashTable(hashes);
    this.#weights = Float32Array.from(weights);
  }

  ofLine(hashes: readonly number[]): number {
    return this.#sum(hashes, 0);
  }

  ofHeading(hashes: readonly number[]): number {
    return this.#sum(hashes, 1);
  }

  #sum(hashes: readonly number[], offset: 0 | 1): number {
    let sum = 0;
    for (const hash of hashes) {
      const at = this.#known.find(hash) * 2;
      if (at >= 0) sum += this.#weights[at + offset] ?? 0;
    }
    return sum;
  }
}

class Trees {
  readonly #base: number;
  readonly #roots: Uint16Array;
  readonly #feature: Uint8Array;
  readonly #threshold: Float32Array;
  readonly #left: Int16Array;
  readonly #value: Float32Array;

  constructor({ base, roots, feature, threshold, left, value }: TreeArrays) {
    this.#base = base;
    this.#roots = Uint16Array.from(roots);
    this.#feature = Uint8Array.from(feature);
    this.#threshold = Float32Array.from(threshold);
    this.#left = Int16Array.from(left);
    this.#value = Float32Array.from(value);
  }

  sum(features: Float32Array): number {
    const feature = this.#feature;
    const threshold = this.#threshold;
    const left = this.#left;
    let sum = this.#base;
    for (const root of this.#roots) {
      let node = root;
      for (let next = left[node] ?? -1; next >= 0; next = left[node] ?? -1) {
        node = (features[feature[node] ?? 0] ?? 0) < (threshold[node] ?? 0) ? next : next + 1;
      }
      sum += this.#value[node] ?? 0;
    }
    return sum;
  }
}

/** Learned from all labelled pages. */
export const MODEL = new Model(learned);
