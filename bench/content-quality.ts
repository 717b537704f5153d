/**
 * Measures how well the content engine finds the main content of labelled pages.
 *
 * node bench/content-quality.ts DATASET [--clean] [--fold N] [--worst N]
 *
 * DATASET holds `html/ID.html.gz` and `ground-truth/ID.json` in the layout of WCXB (Web Content eXtraction Benchmark).
 * Figures are means over pages of word F1, precision and recall: multisets of lower-case words of the Markdown, without
 * its marks and addresses, against those of the label. Pages are in five folds by domain: tune on some, look at the
 * others.
 */
import { parseArgs } from 'node:util';
import { readPage } from '../src/content/read-page.ts';
import { foldOf } from './content/folds.ts';
import { type LabelledPage, readHtml, readLabels } from './content/labelled-pages.ts';
import { printScores } from './content/print-scores.ts';
import { type Score, scoreMarkdown } from './content/score.ts';
import { OPTIONS } from './content/trawl.ts';

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
  const options = { ...OPTIONS, onlyCleanContent: values.clean };
  const scored: (LabelledPage & Score)[] = [];
  let bytes = 0;
  let microseconds = 0;
  for (const page of readLabels(folder)) {
    if (values.fold !== undefined && foldOf(page.url) !== Number(values.fold)) continue;
    const source = readHtml(folder, page.id);
    const html = source.toString();
    bytes += source.length;
    const before = process.cpuUsage();
    const { markdown = '' } = readPage({ html, url: page.url || 'https://example.com/' }, options);
    const { user, system } = process.cpuUsage(before);
    microseconds += user + system;
    scored.push({ ...page, ...scoreMarkdown(markdown, page) });
  }
  printScores('all', scored);
  for (const type of [...new Set(scored.map((page) => page.type))].sort()) {
    printScores(
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
