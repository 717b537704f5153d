import { FOLDS } from '../bench/content/folds.ts';
import type { LearnedWeights } from '../src/content/main/model.ts';
import { type Samples, type Settings, trainTrees } from './boosting.ts';
import { commonWords, EvidenceLines } from './evidence.ts';
import type { Line } from './read-lines.ts';

const SETTINGS: Settings = {
  trees: 90,
  depth: 6,
  leaves: 20,
  rate: 0.12,
  lambda: 15,
  leafWeight: 2,
  sampleShare: 0.5,
  featureShare: 0.3,
};

/**
 * Learns from lines which words matter, their weights, and the trees. For the trees, the evidence of words must be as
 * good as it will be on new pages, no better. So the evidence of each fold comes from weights learned without that
 * fold.
 */
export function learn(lines: readonly Line[]): LearnedWeights {
  const labels = Float32Array.from(lines, ({ label }) => label);
  const weights = Float32Array.from(lines, ({ weight }) => weight);
  const evidence = evidenceOf(lines, labels, weights);
  const width = lines[0]?.features.length ?? 0;
  const samples: Samples = {
    count: lines.length,
    features: width,
    values: new Float32Array(lines.length * width),
    labels,
    weights,
  };
  for (const [index, line] of lines.entries()) samples.values.set(line.features, index * width);
  for (let fold = 0; fold < FOLDS; fold++) {
    const without = evidence.learn(
      indicesOf(lines, ({ page }) => page.fold !== fold),
      labels,
      weights,
    );
    for (const index of indicesOf(lines, ({ page }) => page.fold === fold)) {
      evidence.write(without, index, samples.values.subarray(index * width, (index + 1) * width));
    }
  }
  const everything = indicesOf(lines, () => true);
  const trees = trainTrees(samples, everything, SETTINGS);
  return { ...evidence.toLearned(evidence.learn(everything, labels, weights)), trees };
}

/** The words of these lines that matter: the weights of all common words are learned once to find them. */
function evidenceOf(lines: readonly Line[], labels: Float32Array, weights: Float32Array): EvidenceLines {
  const words = lines.map((line) => line.words);
  const common = commonWords(words, (line) => lines[line]?.page.group ?? '');
  const first = new EvidenceLines(words, (hash) => common.has(hash));
  const everything = indicesOf(lines, () => true);
  const telling = first.telling(first.learn(everything, labels, weights));
  return new EvidenceLines(words, (hash) => telling.has(hash));
}

function indicesOf(lines: readonly Line[], isUsed: (line: Line) => boolean): Uint32Array {
  const indices = new Uint32Array(lines.length);
  let count = 0;
  for (const [index, line] of lines.entries()) if (isUsed(line)) indices[count++] = index;
  return indices.slice(0, count);
}
