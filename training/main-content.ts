/**
 * Learns from labelled pages which lines of a page are content, and writes src/content/main/learned.json.
 *
 *   npm run train -- [DATASET] [--check]
 *
 * DATASET has the layout of WCXB (Web Content eXtraction Benchmark, Murrough Foley, 2026, CC-BY-4.0). When the model is
 * written, the way of learning is cross-validated: the pages of each of five folds, parted by domain, are read with what
 * was learned from the other four, from source to Markdown. With --check that is all. Takes ten minutes and 6 GB.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { domainOf, FOLDS, foldOf } from '../bench/content/folds.ts';
import { type LabelledPage, readHtml, readLabels } from '../bench/content/labelled-pages.ts';
import { type Score, scoreMarkdown, wordsOf } from '../bench/content/score.ts';
import { type Block, isShown, readBlocks } from '../src/content/main/blocks.ts';
import { readDeclarations } from '../src/content/main/declarations.ts';
import { LineFeatures } from '../src/content/main/line-features.ts';
import { mainContent } from '../src/content/main/main-content.ts';
import { type LearnedWeights, Model } from '../src/content/main/model.ts';
import { showContent } from '../src/content/main/visibility.ts';
import { toMarkdown } from '../src/content/markdown/to-markdown.ts';
import { readMetadata } from '../src/content/metadata.ts';
import { parseHtml } from '../src/content/parse-html.ts';
import type { ElementNode } from '../src/content/tree.ts';
import { type Samples, type Settings, trainTrees } from './boosting.ts';
import { commonWords, EvidenceLines, wordsAround } from './evidence.ts';
import { labelLines } from './labels.ts';

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

/** A line counts as content when so much of it is in the label. */
const MIN_SHARE = 0.5;
/** A word matters the less the longer the label is, but the words of a very short one do not matter endlessly. */
const MIN_LABEL_WORDS = 20;
/** No page weighs more than that many of its labels, however much else is on it. */
const MAX_PAGE_WEIGHT = 3;

const NOTHING: LearnedWeights = {
  names: { hashes: [], weights: [] },
  words: { hashes: [], weights: [] },
  trees: { base: 0, roots: [], feature: [], threshold: [], left: [], right: [], value: [] },
};

interface Line {
  page: LabelledPage;
  fold: number;
  features: Float32Array;
  label: number;
  weight: number;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { check: { type: 'boolean', default: false } },
});
const folder = positionals[0] ?? join(import.meta.dirname, '../../shared/data/wcxb-dev');
const pages = readLabels(folder);
const { lines, evidence } = readLines();
const labels = Float32Array.from(lines, ({ label }) => label);
const weights = Float32Array.from(lines, ({ weight }) => weight);
console.log(`${pages.length} pages, ${lines.length} lines, ${lines[0]?.features.length} features`);

if (!values.check) {
  const learned = JSON.stringify(learn(() => true));
  writeFileSync(join(import.meta.dirname, '../src/content/main/learned.json'), `${learned}\n`);
  console.log(`src/content/main/learned.json: ${(learned.length / 1000).toFixed(0)} kB`);
}

const scored: (LabelledPage & Score)[] = [];
for (let fold = 0; fold < FOLDS; fold++) {
  const model = new Model(learn((line) => line.fold !== fold));
  const scores = pages
    .filter((page) => foldOf(page.url) === fold)
    .map((page) => ({ ...page, ...scoreMarkdown(markdownOf(page, model), page) }));
  print(`fold ${fold}`, scores);
  scored.push(...scores);
}
print('cross-validated', scored);
for (const type of [...new Set(scored.map((page) => page.type))].sort()) {
  print(
    type,
    scored.filter((page) => page.type === type),
  );
}
function readLines(): { lines: Line[]; evidence: EvidenceLines } {
  const model = new Model(NOTHING);
  const found: Line[] = [];
  const words: ReturnType<typeof wordsAround>[] = [];
  for (const page of pages) {
    const { tree, metadata, url } = parsed(page);
    const { aroundMain, schemaTypes } = readDeclarations(tree.root);
    const blocks = readBlocks(tree.root, aroundMain, model);
    const features = new LineFeatures(blocks, { url, metadata, schemaTypes }, model);
    const texts = blocks.lines.map((line) => (line.isSkipped ? [] : wordsOf(lineText(line))));
    const shares = labelLines(texts, page.content);
    const labelWords = Math.max(MIN_LABEL_WORDS, wordsOf(page.content).length);
    const pageWords = texts.reduce((sum, { length }) => sum + length + 1, 0);
    const scale = 100 * Math.min(1 / labelWords, MAX_PAGE_WEIGHT / pageWords);
    let heading: Block | undefined;
    for (const [index, line] of blocks.lines.entries()) {
      if (line.isSkipped) continue;
      if (line.isHeading) heading = line;
      words.push(wordsAround(line, heading));
      found.push({
        page,
        fold: foldOf(page.url),
        features: features.read(index).slice(),
        label: Number((shares[index] ?? 0) >= MIN_SHARE),
        weight: ((texts[index]?.length ?? 0) + 1) * scale,
      });
    }
  }
  const common = commonWords(words, (line) => domainOf(found[line]?.page.url ?? ''));
  const first = new EvidenceLines(words, (hash) => common.has(hash));
  const everything = Uint32Array.from(found.keys());
  const telling = first.telling(
    first.learn(
      everything,
      Float32Array.from(found, ({ label }) => label),
      Float32Array.from(found, ({ weight }) => weight),
    ),
  );
  console.log(`${telling.size} words of ${common.size} tell`);
  return { lines: found, evidence: new EvidenceLines(words, (hash) => telling.has(hash)) };
}

/**
 * The trees must learn from evidence that is as good as it will be on new pages. So the evidence of each fold comes
 * from weights that were learned without it.
 */
function learn(isUsed: (line: Line) => boolean): LearnedWeights {
  const use = indicesOf(isUsed);
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
      indicesOf((line) => isUsed(line) && line.fold !== fold),
      labels,
      weights,
    );
    for (const index of indicesOf((line) => line.fold === fold)) {
      evidence.write(without, index, samples.values.subarray(index * width, (index + 1) * width));
    }
  }
  const trees = trainTrees(samples, use, SETTINGS);
  return { ...evidence.toLearned(evidence.learn(use, labels, weights)), trees };
}

function indicesOf(isUsed: (line: Line) => boolean): Uint32Array {
  return Uint32Array.from(
    lines.keys().filter((index) => {
      const line = lines[index];
      return line !== undefined && isUsed(line);
    }),
  );
}

function parsed({ id, url: labelled }: LabelledPage) {
  const html = readHtml(folder, id).toString();
  const url = labelled || 'https://example.com/';
  const tree = parseHtml(html, url);
  const metadata = readMetadata(tree, { html, url });
  showContent(tree);
  return { tree, metadata, url };
}

function markdownOf(page: LabelledPage, model: Model): string {
  const { tree, metadata, url } = parsed(page);
  const nodes = mainContent(tree, { url, metadata, clean: false }, model);
  return toMarkdown(nodes, { baseUrl: tree.baseUrl, removeBase64Images: true });
}

/** The text of the block's own line. */
function lineText(line: Block): string {
  const blocks = new Set(line.children.map(({ element }) => element));
  let text = '';
  const add = (element: ElementNode): void => {
    for (const child of element.children) {
      if (child.kind === 'text') text += child.text;
      else if (child.name === 'br' || blocks.has(child)) text += ' ';
      else if (isShown(child)) add(child);
    }
  };
  add(line.element);
  return text;
}

function print(name: string, scores: readonly Score[]): void {
  const mean = (value: (score: Score) => number) =>
    (scores.reduce((sum, each) => sum + value(each), 0) / scores.length).toFixed(4);
  console.log(
    `${name.padEnd(16)} ${String(scores.length).padStart(5)} pages  F1 ${mean(({ f1 }) => f1)}  P ${mean(({ precision }) => precision)}  R ${mean(({ recall }) => recall)}`,
  );
}
