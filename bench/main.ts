/** `npm run bench -- NAME [options]`: measures, and compares each figure with its aim. */
import { parseArgs } from 'node:util';
import { benchBrowser } from './browser/bench-browser.ts';
import { benchContent, benchIntegrity } from './content/bench-content.ts';
import type { Integrity } from './content/integrity.ts';
import { printIntegrity, printTable } from './content/table.ts';
import { benchCrawl } from './crawl/bench-crawl.ts';
import { benchGrowth } from './growth/bench-growth.ts';
import { benchJobs } from './jobs/bench-jobs.ts';
import { benchLimits } from './limits/bench-limits.ts';
import { benchNeighbours } from './neighbours/bench-neighbours.ts';
import { benchProducts } from './products/bench-products.ts';
import { type Figure, printFigures } from './report.ts';
import { benchRetention } from './retention/bench-retention.ts';
import { benchScrape } from './scrape.ts';
import { benchStore } from './store/bench-store.ts';
import { benchWorkers } from './workers/bench-workers.ts';

const HELP = `Usage: npm run bench -- scrape [options]
       npm run bench -- browser [options]
       npm run bench -- content [options]
       npm run bench -- products [options]
       npm run bench -- limits [options]
       npm run bench -- crawl [options]
       npm run bench -- jobs [options]
       npm run bench -- growth [options]
       npm run bench -- workers [options]
       npm run bench -- neighbours [options]
       npm run bench -- retention [options]
       npm run bench -- store [options]

scrape   cost of a scrape, compared with a bare request of the same page
browser  rendered pages a second, their CPU time and memory, compared with bare contexts of
         playwright-core; screenshots; memory over 2,000 rendered pages (about ten minutes)
content  main content to Markdown, over labelled pages: quality and speed, compared with other
         libraries, which are installed into bench/peers/ when first needed; and how
         much of long documentation is lost, from packages that apt-get downloads (100 MB)
products products read from the visible page, compared with the structured data that was hidden;
         how many other pages are mistaken for products; what the visible page adds
limits   cost of authentication, limits and charging per request, with up to ten million
         entries in the ledger, on SQLite and on the PostgreSQL that the tests use (6 GB of
         disk and some minutes)
crawl    a site of 2,000 real pages as Markdown, compared with Crawlee, Readability and Turndown,
         and a loop that only fetches
jobs     time to claim and to complete pages of a job, with up to five million
         addresses waiting, on both databases (3 GB of disk and some minutes)
growth   crawls of 1,000, 20,000 and 200,000 generated pages: whether a page costs the same and
         memory stays constant (3 GB of disk and ten minutes)
workers  batches from a site that takes 300 ms a page, by 1, 2 and 4 workers on PostgreSQL
neighbours
         duration of one team's scrapes, alone and while another team attacks
retention
         data that a million pages leave in either database when their results have expired
store    writes to PostgreSQL per page of a crawl: rows, bytes, log, transactions

  --pages DIR   folder of real pages, html/ID.html.gz (default: ../shared/data/wcxb-dev if it
                is there, else scrape takes one generated page). content and products also need
                their labels, ground-truth/ID.json, in the layout of WCXB
  --only NAMES  content: only these engines, separated by commas: trawl, readability,
                defuddle, mdream, node-html-markdown
  --database postgresql
                growth: on the PostgreSQL that the tests use, instead of SQLite
  --sizes N,N   growth: pages of the sites, instead of the three above
  --quick       a smoke test of a few seconds: the figures mean little
  --json        print the figures as JSON

Needs Linux: processor time and memory are read from /proc. Close other programs first: other
work on the machine distorts every time that is measured.`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    pages: { type: 'string' },
    only: { type: 'string' },
    database: { type: 'string' },
    sizes: { type: 'string' },
    quick: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
});

if (values.help || positionals.length !== 1) help();
else if (positionals[0] === 'scrape') await show(benchScrape({ pages: values.pages, quick: values.quick }));
else if (positionals[0] === 'browser') await show(benchBrowser({ quick: values.quick }));
else if (positionals[0] === 'crawl') await show(benchCrawl({ pages: values.pages, quick: values.quick }));
else if (positionals[0] === 'limits') await show(benchLimits({ quick: values.quick }));
else if (positionals[0] === 'jobs') await show(benchJobs({ quick: values.quick }));
else if (positionals[0] === 'growth') await show(growth());
else if (positionals[0] === 'workers') await show(benchWorkers({ quick: values.quick }));
else if (positionals[0] === 'neighbours') await show(benchNeighbours({ pages: values.pages, quick: values.quick }));
else if (positionals[0] === 'retention') await show(benchRetention({ quick: values.quick }));
else if (positionals[0] === 'store') await show(benchStore({ pages: values.pages, quick: values.quick }));
else if (positionals[0] === 'products') await show(benchProducts({ pages: values.pages, quick: values.quick }));
else if (positionals[0] === 'content') await content();
else help();

function help(): void {
  console.log(HELP);
  process.exitCode = values.help ? 0 : 1;
}

async function show(measured: AsyncGenerator<Figure>): Promise<void> {
  const figures: Figure[] = [];
  for await (const figure of measured) {
    figures.push(figure);
    if (!values.json) process.stderr.write(`${figure.name}: done\n`);
  }
  if (values.json) console.log(JSON.stringify(figures, null, 2));
  else printFigures(figures);
}

function growth(): AsyncGenerator<Figure> {
  const sizes = values.sizes?.split(',').map(Number);
  if (sizes?.some((size) => !Number.isInteger(size) || size < 1))
    throw new Error('--sizes takes whole numbers from 1, separated by commas.');
  return benchGrowth({ database: values.database, sizes, quick: values.quick });
}

async function content(): Promise<void> {
  const only = values.only?.split(',') ?? [];
  const summaries = await benchContent({ pages: values.pages, only, quick: values.quick });
  const integrities = values.quick ? new Map<string, Integrity>() : await benchIntegrity({ only });
  if (values.json) {
    const both = { quality: Object.fromEntries(summaries), integrity: Object.fromEntries(integrities) };
    console.log(JSON.stringify(both, null, 2));
    return;
  }
  printTable(summaries);
  if (integrities.size === 0) return;
  console.log('\nLong pages of documentation, from generators that trawl was not trained on:');
  printIntegrity(integrities);
}
