/** `npm run bench -- NAME [options]`: measures, and compares each figure with its aim. */
import { parseArgs } from 'node:util';
import { type Figure, printFigures } from './report.ts';
import { benchScrape } from './scrape.ts';

const HELP = `Usage: npm run bench -- scrape [options]

  --pages DIR   folder of real pages, html/ID.html.gz (default: ../shared/data/wcxb-dev if it
                is there, else one generated page)
  --quick       a smoke test of a few seconds: the figures mean little
  --json        print the figures as JSON

Needs Linux: processor time and memory are read from /proc. Close other programs first; every
figure that has to do with time is worth what the machine's quiet is worth.`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    pages: { type: 'string' },
    quick: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
});

if (values.help || positionals[0] !== 'scrape') {
  console.log(HELP);
  process.exitCode = values.help ? 0 : 1;
} else {
  const figures: Figure[] = [];
  for await (const figure of benchScrape({ pages: values.pages, quick: values.quick })) {
    figures.push(figure);
    if (!values.json) process.stderr.write(`${figure.name}: done\n`);
  }
  if (values.json) console.log(JSON.stringify(figures, null, 2));
  else printFigures(figures);
}
