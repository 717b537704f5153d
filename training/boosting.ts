/**
 * Gradient-boosted decision trees for weighted binary classification (Friedman 2001; splits by histograms and growth by
 * the best leaf as LightGBM does, Ke et al. 2017).
 */
import type { TreeArrays } from '../src/content/main/model.ts';

export interface Samples {
  count: number;
  features: number;
  /** The features of all samples, one sample after another. */
  values: Float32Array;
  /** 0 or 1. */
  labels: Float32Array;
  weights: Float32Array;
}

export interface Settings {
  trees: number;
  depth: number;
  leaves: number;
  /** The learning rate: the share of each tree's answer that counts. */
  rate: number;
  /** Pulls the answers of leaves with little weight towards 0. */
  lambda: number;
  /** The minimum weight in a leaf. */
  leafWeight: number;
  /** The shares of the samples and of the features that each tree sees. */
  sampleShare: number;
  featureShare: number;
}

const BINS = 64;
const MIN_LEAF = 20;
const SEED = 7;

interface Leaf {
  node: number;
  from: number;
  to: number;
  depth: number;
  gradient: number;
  curvature: number;
  histogram: Float64Array;
  gain: number;
  /** Position among the active features. */
  feature: number;
  bin: number;
}

/** @param use indices of the samples to learn from */
export function trainTrees(samples: Samples, use: Uint32Array, settings: Settings): TreeArrays {
  const { count, features, labels, weights } = samples;
  const random = randomFrom(SEED);
  const edges = Array.from({ length: features }, (_, feature) => edgesOf(samples, feature));
  const bins = new Uint8Array(count * features);
  for (let index = 0; index < bins.length; index++) {
    bins[index] = binOf(edges[index % features] ?? new Float32Array(), at(samples.values, index));
  }
  let all = 0;
  let yes = 0;
  for (const sample of use) {
    all += at(weights, sample);
    yes += at(weights, sample) * at(labels, sample);
  }
  const base = Math.log(yes / (all - yes));
  const scores = new Float64Array(count).fill(base);
  const gradients = new Float32Array(count);
  const curvatures = new Float32Array(count);
  const forest = new Forest(edges);
  for (let tree = 0; tree < settings.trees; tree++) {
    const sampled = use.filter(() => random() < settings.sampleShare);
    for (const sample of sampled) {
      const likelihood = 1 / (1 + Math.exp(-at(scores, sample)));
      gradients[sample] = at(weights, sample) * (at(labels, sample) - likelihood);
      curvatures[sample] = at(weights, sample) * Math.max(1e-4, likelihood * (1 - likelihood));
    }
    const active = Array.from({ length: features }, (_, feature) => feature).filter(
      () => random() < settings.featureShare,
    );
    const root = grow(
      { bins, features, sampled, gradients, curvatures, active: Uint16Array.from(active) },
      settings,
      forest,
    );
    for (const sample of use) scores[sample] = at(scores, sample) + forest.answer(root, bins, sample * features);
  }
  return forest.toArrays(base);
}

interface Task {
  bins: Uint8Array;
  features: number;
  /** Reordered so that each leaf holds a range. */
  sampled: Uint32Array;
  gradients: Float32Array;
  curvatures: Float32Array;
  active: Uint16Array;
}

function grow(task: Task, settings: Settings, forest: Forest): number {
  const { bins, features, sampled, active } = task;
  const newNode = (gradient: number, curvature: number) =>
    forest.add((settings.rate * gradient) / (curvature + settings.lambda));
  let gradient = 0;
  let curvature = 0;
  for (const sample of sampled) {
    gradient += at(task.gradients, sample);
    curvature += at(task.curvatures, sample);
  }
  const root = newNode(gradient, curvature);
  const histogram = histogramOf(task, 0, sampled.length);
  const top = { node: root, from: 0, to: sampled.length, depth: 0, gradient, curvature, histogram };
  const leaves: Leaf[] = [withBestSplit(top, active.length, settings)];
  while (leaves.length < settings.leaves) {
    const leaf = leaves.reduce((best, each) => (each.gain > best.gain ? each : best));
    if (leaf.gain <= 1e-6) break;
    const feature = at(active, leaf.feature);
    const middle = partition(sampled, leaf, (sample) => at(bins, sample * features + feature) <= leaf.bin);
    let leftGradient = 0;
    let leftCurvature = 0;
    for (let bin = 0; bin <= leaf.bin; bin++) {
      const cell = (leaf.feature * BINS + bin) * 2;
      leftGradient += at(leaf.histogram, cell);
      leftCurvature += at(leaf.histogram, cell + 1);
    }
    const left = { from: leaf.from, to: middle, gradient: leftGradient, curvature: leftCurvature };
    const right = {
      from: middle,
      to: leaf.to,
      gradient: leaf.gradient - leftGradient,
      curvature: leaf.curvature - leftCurvature,
    };
    // The larger half is the whole minus the smaller one.
    const [small, large] = left.to - left.from < right.to - right.from ? [left, right] : [right, left];
    const ofSmall = histogramOf(task, small.from, small.to);
    const ofLarge = leaf.histogram;
    for (let cell = 0; cell < ofLarge.length; cell++) ofLarge[cell] = at(ofLarge, cell) - at(ofSmall, cell);
    const grown = [left, right].map((half) => {
      const ofHalf = half === small ? ofSmall : half === large ? ofLarge : ofSmall;
      const node = newNode(half.gradient, half.curvature);
      return withBestSplit({ ...half, node, depth: leaf.depth + 1, histogram: ofHalf }, active.length, settings);
    });
    forest.split(leaf.node, feature, leaf.bin, grown[0]?.node ?? 0);
    leaves.splice(leaves.indexOf(leaf), 1, ...grown);
  }
  return root;
}

function histogramOf(
  { bins, features, sampled, gradients, curvatures, active }: Task,
  from: number,
  to: number,
): Float64Array {
  const histogram = new Float64Array(active.length * BINS * 2);
  for (let index = from; index < to; index++) {
    const sample = at(sampled, index);
    const gradient = at(gradients, sample);
    const curvature = at(curvatures, sample);
    const start = sample * features;
    for (let position = 0; position < active.length; position++) {
      const cell = (position * BINS + at(bins, start + at(active, position))) * 2;
      histogram[cell] = at(histogram, cell) + gradient;
      histogram[cell + 1] = at(histogram, cell + 1) + curvature;
    }
  }
  return histogram;
}

function withBestSplit(
  leaf: Omit<Leaf, 'gain' | 'feature' | 'bin'>,
  activeFeatures: number,
  { depth, lambda, leafWeight }: Settings,
): Leaf {
  const best: Leaf = { ...leaf, gain: 0, feature: 0, bin: 0 };
  if (leaf.depth >= depth || leaf.to - leaf.from < MIN_LEAF) return best;
  const whole = leaf.gradient ** 2 / (leaf.curvature + lambda);
  for (let feature = 0; feature < activeFeatures; feature++) {
    let gradient = 0;
    let curvature = 0;
    for (let bin = 0; bin < BINS - 1; bin++) {
      const cell = (feature * BINS + bin) * 2;
      gradient += at(leaf.histogram, cell);
      curvature += at(leaf.histogram, cell + 1);
      if (curvature < leafWeight) continue;
      if (leaf.curvature - curvature < leafWeight) break;
      const other = (leaf.gradient - gradient) ** 2 / (leaf.curvature - curvature + lambda);
      const gain = gradient ** 2 / (curvature + lambda) + other - whole;
      if (gain > best.gain) Object.assign(best, { gain, feature, bin });
    }
  }
  return best;
}

/** Moves the samples that go left to the front of the leaf's range. Returns where the others start. */
function partition(sampled: Uint32Array, { from, to }: Leaf, goesLeft: (sample: number) => boolean): number {
  let left = from;
  let right = to - 1;
  while (left <= right) {
    const sample = at(sampled, left);
    if (goesLeft(sample)) {
      left++;
      continue;
    }
    sampled[left] = at(sampled, right);
    sampled[right] = sample;
    right--;
  }
  return left;
}

class Forest {
  readonly #edges: readonly Float32Array[];
  readonly #isRoot: boolean[] = [];
  readonly #feature: number[] = [];
  readonly #bin: number[] = [];
  readonly #left: number[] = [];
  readonly #value: number[] = [];

  constructor(edges: readonly Float32Array[]) {
    this.#edges = edges;
  }

  add(value: number): number {
    this.#isRoot.push(true);
    this.#feature.push(0);
    this.#bin.push(0);
    this.#left.push(-1);
    this.#value.push(value);
    return this.#value.length - 1;
  }

  /** @param left the first of the two children; the other one directly follows it */
  split(node: number, feature: number, bin: number, left: number): void {
    this.#feature[node] = feature;
    this.#bin[node] = bin;
    this.#left[node] = left;
    this.#isRoot[left] = false;
    this.#isRoot[left + 1] = false;
    this.#value[node] = 0;
  }

  answer(root: number, bins: Uint8Array, start: number): number {
    let node = root;
    while (at(this.#left, node) >= 0) {
      const goesLeft = at(bins, start + at(this.#feature, node)) <= at(this.#bin, node);
      node = at(this.#left, node) + (goesLeft ? 0 : 1);
    }
    return at(this.#value, node);
  }

  toArrays(base: number): TreeArrays {
    const threshold = this.#left.map((left, node) =>
      left < 0 ? 0 : rounded(at(this.#edges[at(this.#feature, node)] ?? [], at(this.#bin, node)), 4),
    );
    return {
      base: rounded(base, 5),
      roots: [...this.#isRoot.keys()].filter((node) => this.#isRoot[node]),
      feature: this.#feature,
      threshold,
      left: this.#left,
      value: this.#value.map((value) => rounded(value, 3)),
    };
  }
}

/**
 * The edges that divide the samples into bins of similar size. The bin of a value is the number of edges at or below
 * it.
 */
function edgesOf({ count, features, values }: Samples, feature: number): Float32Array {
  const sorted = Float32Array.from({ length: count }, (_, sample) => at(values, sample * features + feature)).sort();
  const edges = new Set<number>();
  for (let bin = 1; bin < BINS; bin++) edges.add(rounded(at(sorted, Math.floor((bin * count) / BINS)), 4));
  return Float32Array.from([...edges].filter((edge) => edge > at(sorted, 0)));
}

function binOf(edges: Float32Array, value: number): number {
  let low = 0;
  let high = edges.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (at(edges, middle) <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}

function rounded(value: number, digits: number): number {
  return Number(value.toPrecision(digits));
}

function at(values: ArrayLike<number>, index: number): number {
  return values[index] ?? 0;
}

/** Marsaglia's xorshift with 32 bits: the same numbers in every run. */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}
