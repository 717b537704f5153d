/**
 * Trains the model of main content and writes src/content/main/learned.json.
 *
 *   npm run train -- [DATASET] [--check]
 *
 * DATASET has the layout of WCXB (Web Content eXtraction Benchmark, Murrough Foley, 2026, CC-BY-4.0): pages with their main
 * content as text. Training also uses long pages from Debian's documentation packages, whose markup shows where the content
 * is. Then it cross-validates: the pages are split into five folds by domain and by documentation generator, and each fold is
 * read, from source to Markdown, with a model trained on the other four. With --check it only cross-validates. Takes ten to
 * twenty minutes and 6 GB.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { FOLDS } from '../bench/content/folds.ts';
import { addIntegrity, type Integrity, KINDS, measureIntegrity, noIntegrity } from '../bench/content/integrity.ts';
import type { LabelledPage } from '../bench/content/labelled-pages.ts';
import { printScores } from '../bench/content/print-scores.ts';
import { type Score, scoreMarkdown } from '../bench/content/score.ts';
import { mainContent } from '../src/content/main/main-content.ts';
import { Model } from '../src/content/main/model.ts';
import { toMarkdown } from '../src/content/markdown/to-markdown.ts';
import { learn } from './learn.ts';
import { labelledPages, markedPages, type TrainingPage } from './pages.ts';
import { parsed, readLines } from './read-lines.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { check: { type: 'boolean', default: false } },
});
const folder = positionals[0] ?? join(import.meta.dirname, '../../shared/data/wcxb-dev');
const pages = [...labelledPages(folder), ...markedPages()];
const lines = readLines(pages);
console.log(`${pages.length} pages, ${lines.length} lines, ${lines[0]?.features.length} features`);

if (!values.check) {
  const learned = JSON.stringify(learn(lines));
  writeFileSync(join(import.meta.dirname, '../src/content/main/learned.json'), `${learned}\n`);
  console.log(`src/content/main/learned.json: ${(learned.length / 1000).toFixed(0)} kB`);
}

const scored: (LabelledPage & Score)[] = [];
const generators = new Map<string, Integrity>();
for (let fold = 0; fold < FOLDS; fold++) {
  const model = new Model(learn(lines.filter(({ page }) => page.fold !== fold)));
  const scores: (LabelledPage & Score)[] = [];
  for (const page of pages.filter((each) => each.fold === fold)) {
    const markdown = markdownOf(page, model);
    if (page.labelled) scores.push({ ...page.labelled, ...scoreMarkdown(markdown, page.labelled) });
    if (page.marked) addTo(page.group, measureIntegrity(page.html(), markdown, page.marked));
  }
  printScores(`fold ${fold}`, scores);
  scored.push(...scores);
}
printScores('cross-validated', scored);
for (const type of [...new Set(scored.map((page) => page.type))].sort()) {
  printScores(
    type,
    scored.filter((page) => page.type === type),
  );
}
console.log(`\nlost, in %${KINDS.map((kind) => kind.padStart(12)).join('')}   misplaced  merged`);
const all = noIntegrity();
for (const [generator, integrity] of generators) {
  addIntegrity(all, integrity);
  printIntegrity(generator, integrity);
}
printIntegrity('all', all);

function addTo(generator: string, integrity: Integrity): void {
  const sum = generators.get(generator) ?? noIntegrity();
  generators.set(generator, sum);
  addIntegrity(sum, integrity);
}

function markdownOf(page: TrainingPage, model: Model): string {
  const { tree, metadata } = parsed(page);
  const nodes = mainContent(tree, { url: page.url, metadata, clean: false }, model);
  return toMarkdown(nodes, { baseUrl: tree.baseUrl, removeBase64Images: true });
}

function printIntegrity(name: string, { of, lost, misplaced, merged }: Integrity): void {
  const shares = KINDS.map((kind) => (of[kind] === 0 ? '–' : ((100 * lost[kind]) / of[kind]).toFixed(2)).padStart(12));
  console.log(`${name.padEnd(10)}${shares.join('')}  ${String(misplaced).padStart(10)}${String(merged).padStart(8)}`);
}
