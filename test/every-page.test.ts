import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openDataset } from './support/dataset.ts';
import { temporaryFolder } from './support/folder.ts';
import { giantPages } from './support/giant-pages.ts';
import { mutations } from './support/mutate-page.ts';
import { startProcess } from './support/process.ts';
import { realPages } from './support/real-pages.ts';
import { runJobs } from './support/run-jobs.ts';
import { shared } from './support/shared.ts';
import { startSite } from './support/site.ts';

/**
 * Whatever a site sends, the service answers in time and in shape, and goes on. It runs as a process of its own, so
 * that nothing it does can be taken for the test's doing. TRAWL_TEST_FULL=1 takes every page and 2,000 mutations.
 */

const full = process.env.TRAWL_TEST_FULL === '1';
const PAGES = full ? 100_000 : 150;
const MUTATIONS = full ? 2000 : 150;
/** Milliseconds that the service is given for a page, and how much later an answer may come. */
const TIMEOUT = 20_000;
const GRACE = 2_000;

const folder = await shared(temporaryFolder());
const trawl = await shared(startProcess({ TRAWL_DATA_DIR: folder.path }));
const site = await shared(startSite());

interface Job {
  name: string;
  html: Buffer;
  /** There is text that a reader sees. */
  hasText: boolean;
}

/** Changes after which a reader still sees the text of the page. */
const TEXT_STAYS =
  /^(twice over|in capitals|with bits flipped|with control|with broken UTF-8|with an attribute|with two thous|with addr|with a base|with character ref)/;

function* pageJobs(): Generator<Job> {
  const dataset = openDataset();
  for (const { id, html } of realPages(PAGES)) {
    yield { name: `page ${id}`, html, hasText: dataset === null || dataset.truth(id).mainContent.trim() !== '' };
  }
}

function* mutationJobs(): Generator<Job> {
  const pages = [...realPages(60)];
  let made = 0;
  for (let seed = 1; made < MUTATIONS; seed++) {
    for (const { name, apply } of mutations(seed)) {
      const page = pages[made++ % pages.length];
      if (page === undefined || made > MUTATIONS) return;
      yield { name: `page ${page.id} ${name}`, html: apply(page.html), hasText: TEXT_STAYS.test(name) };
    }
  }
}

function* giantJobs(): Generator<Job> {
  for (const { name, html } of giantPages()) {
    if (full || !/MB|million/.test(name)) yield { name, html: html(), hasText: false };
  }
}

/** Scrapes a page in every format, and checks all that has to hold of any answer. */
async function scrapeJob({ name, html, hasText }: Job): Promise<number> {
  const path = `/${encodeURIComponent(name)}`;
  const url = site.page(path, { headers: { 'content-type': 'text/html' }, body: html });
  const formats = ['markdown', 'html', 'links', 'images', 'product'];
  const startedAt = performance.now();
  const { status, body } = await trawl.post('/v2/scrape', { url, formats, maxAge: 0, timeout: TIMEOUT });
  const took = performance.now() - startedAt;
  site.page(path, '');
  assert.ok(took < TIMEOUT + GRACE, `${name} took ${Math.round(took)} ms`);
  assert.notEqual(body.code, 'INTERNAL_ERROR', name);
  if (hasText) {
    assert.equal(status, 200, `${name}: ${body.error}`);
    assert.ok(body.data.markdown?.trim(), `${name} gave no Markdown`);
  }
  return took;
}

for (const [name, jobs, concurrency] of [
  [full ? 'every real page is scraped' : `${PAGES} real pages are scraped`, pageJobs, 8],
  [`${MUTATIONS} mutations of real pages are answered`, mutationJobs, 8],
  ['pages made to exhaust a reader are answered', giantJobs, 2],
] as const) {
  test(name, async (context) => {
    const times: number[] = [];
    await runJobs(jobs(), concurrency, async (job) => {
      times.push(await scrapeJob(job));
    });
    assert.ok(times.length > 0);
    assert.equal((await fetch(`${trawl.address}/health`)).status, 200);
    times.sort((a, b) => a - b);
    const at = (share: number) => Math.round(times[Math.floor((times.length - 1) * share)] ?? 0);
    context.diagnostic(`${times.length} pages: p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, longest ${at(1)} ms`);
  });
}
