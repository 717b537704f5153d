/**
 * How well the content engine finds the main content of labelled pages.
 *
 *   node bench/content-quality.ts DATASET [--clean] [--fold N] [--worst N]
 *
 * DATASET holds `html/ID.html.gz` and `ground-truth/ID.json` in the layout of WCXB (Web Content eXtraction Benchmark).
 * Figures are means over pages of word F1, precision and recall: multisets of lower-case words of the Markdown, without
 * its marks and addresses, against those of the label. Pages are in five folds by domain: tune on some, look at the others.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { gunzipSync } from 'node:zlib';
import type { ReadOptions } from '../src/content/page-content.ts';
import { readPage } from '../src/content/read-page.ts';

const FOLDS = 5;

interface Label {
  id: string;
  url: string;
  type: string;
  content: string;
}

interface Score {
  f1: number;
  precision: number;
  recall: number;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    clean: { type: 'boolean', default: false },
    fold: { type: 'string' },
    worst: { type: 'string', default: '0' },
  },
});
const [dataset] = positionals;
if (dataset === undefined) {
  console.error('usage: node bench/content-quality.ts DATASET [--clean] [--fold 0…4] [--worst N]');
  process.exit(1);
}
run(dataset);

function run(folder: string): void {
  const options: ReadOptions = {
    formats: ['markdown'],
    onlyMainContent: true,
    onlyCleanContent: values.clean,
    includeTags: [],
    excludeTags: [],
    removeBase64Images: true,
    blockAds: true,
    attributes: [],
  };
  const scored: (Label & Score)[] = [];
  let bytes = 0;
  let microseconds = 0;
  for (const label of labels(folder)) {
    if (values.fold !== undefined && foldOf(label.url) !== Number(values.fold)) continue;
    const html = gunzipSync(readFileSync(join(folder, 'html', `${label.id}.html.gz`))).toString();
    bytes += html.length;
    const before = process.cpuUsage();
    const { markdown = '' } = readPage({ html, url: label.url || 'https://example.com/' }, options);
    const { user, system } = process.cpuUsage(before);
    microseconds += user + system;
    scored.push({ ...label, ...score(wordsOf(plainText(markdown)), wordsOf(label.content)) });
  }
  print('all', scored);
  for (const type of [...new Set(scored.map((page) => page.type))].sort()) {
    print(
      type,
      scored.filter((page) => page.type === type),
    );
  }
  console.log(
    `${(microseconds / 1000 / scored.length).toFixed(2)} ms CPU a page, ${(bytes / microseconds).toFixed(0)} MB/s`,
  );
  const worst = scored.toSorted((one, other) => one.f1 - other.f1).slice(0, Number(values.worst));
  for (const { id, type, f1, precision, recall, url } of worst) {
    console.log(`${id} ${type} F1 ${f1.toFixed(2)} P ${precision.toFixed(2)} R ${recall.toFixed(2)} ${url}`);
  }
}

function* labels(folder: string): Generator<Label> {
  for (const file of readdirSync(join(folder, 'ground-truth')).sort()) {
    const label = JSON.parse(readFileSync(join(folder, 'ground-truth', file), 'utf8'));
    yield {
      id: file.replace('.json', ''),
      url: String(label.url ?? ''),
      type: String(label._internal?.page_type?.primary ?? 'unknown'),
      content: String(label.ground_truth?.main_content ?? ''),
    };
  }
}

/** The same for all pages of a domain, so that no fold is judged by pages that look like those of another. */
function foldOf(url: string): number {
  const domain = URL.parse(url)?.hostname.split('.').slice(-2).join('.') ?? '';
  return createHash('md5').update(domain).digest().readUInt8() % FOLDS;
}

function plainText(markdown: string): string {
  return markdown
    .replace(/!\[[^\]]*\]\([^)]*\)/g, ' ')
    .replace(/\]\([^)]*\)/g, '] ')
    .replace(/^\s*(?:```|~~~).*$/gm, ' ')
    .replace(/<\/?[a-z][^>]*>/gi, ' ')
    .replace(/\\([^\w\s])/g, '$1');
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
}

function score(found: readonly string[], expected: readonly string[]): Score {
  const counts = new Map<string, number>();
  for (const word of expected) counts.set(word, (counts.get(word) ?? 0) + 1);
  let common = 0;
  for (const word of found) {
    const left = counts.get(word) ?? 0;
    if (left === 0) continue;
    common++;
    counts.set(word, left - 1);
  }
  const precision = found.length === 0 ? Number(expected.length === 0) : common / found.length;
  const recall = expected.length === 0 ? 1 : common / expected.length;
  const f1 = precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall);
  return { f1: expected.length === 0 && found.length > 0 ? 0 : f1, precision, recall };
}

function print(name: string, scores: readonly Score[]): void {
  const mean = (value: (score: Score) => number) =>
    (scores.reduce((sum, each) => sum + value(each), 0) / scores.length).toFixed(4);
  console.log(
    `${name.padEnd(14)} ${String(scores.length).padStart(5)} pages  F1 ${mean(({ f1 }) => f1)}  P ${mean(({ precision }) => precision)}  R ${mean(({ recall }) => recall)}`,
  );
}
