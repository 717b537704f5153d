import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type LearnedWeights, Model } from '../src/content/main/model.ts';
import { randomFrom, trainTrees } from './boosting.ts';

const SETTINGS = {
  trees: 40,
  depth: 4,
  leaves: 8,
  rate: 0.3,
  lambda: 1,
  leafWeight: 1,
  sampleShare: 0.8,
  featureShare: 1,
};

it('learns a rule that no single feature expresses, and applies it to held-out samples', () => {
  const random = randomFrom(3);
  const count = 4_000;
  const values = Float32Array.from({ length: count * 3 }, () => random());
  const rule = (sample: number) => Number((values[sample * 3] ?? 0) > 0.5 !== (values[sample * 3 + 1] ?? 0) > 0.3);
  const labels = Float32Array.from({ length: count }, (_, sample) => rule(sample));
  const samples = { count, features: 3, values, labels, weights: new Float32Array(count).fill(1) };
  const use = Uint32Array.from({ length: count / 2 }, (_, sample) => sample);
  const empty: LearnedWeights['names'] = { hashes: [], weights: [] };
  const model = new Model({ names: empty, words: empty, trees: trainTrees(samples, use, SETTINGS) });
  let right = 0;
  for (let sample = count / 2; sample < count; sample++) {
    if (model.logOdds(values.subarray(sample * 3, sample * 3 + 3)) > 0 === (labels[sample] === 1)) right++;
  }
  assert.ok(right > 0.95 * (count / 2), `${right} of ${count / 2}`);
});
