import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { blockOf } from '../src/content/block-page.ts';
import { temporaryFolder } from './support/folder.ts';
import { giantPages } from './support/giant-pages.ts';
import { mutations } from './support/mutate-page.ts';
import { startProcess } from './support/process.ts';
import { realPages } from './support/real-pages.ts';
import { runJobs } from './support/run-jobs.ts';
import { shared } from './support/shared.ts';
import { startSite } from './support/site.ts';

/**
 * Whatever a site sends, the service answers in time and in the right format, and keeps running. It runs as a separate
 * process, so that its failures cannot be confused with those of the test. TRAWL_TEST_EVERY_PAGE=1 takes every page and
 * 2,000 mutations.
 */

const full = process.env.TRAWL_TEST_EVERY_PAGE === '1';
const PAGES = full ? 100_000 : 150;
const MUTATIONS = full ? 2000 : 150;
/** The time limit for a page in milliseconds, and how much later an answer may arrive. */
const TIMEOUT = 20_000;
const GRACE = 2_000;

const folder = await shared(temporaryFolder());
// Without a browser: a page that mutation turned into an empty shell would be rendered, which takes seconds.
const trawl = await shared(
  startProcess({ TRAWL_DATA_DIR: folder.path, TRAWL_BROWSER_PATH: join(folder.path, 'none') }),
);
const site = await shared(startSite());

const EVERY_FORMAT = ['markdown', 'html', 'links', 'images', 'product', 'menu'];

interface Job {
  name: string;
  html: Buffer;
  /** The page has text that a reader sees. */
  hasText: boolean;
  formats: readonly string[];
}

/** Mutations after which the text is still visible. For others, such as a lost `</script>`, that is unknown. */
const TEXT_STAYS =
  /^(twice over|in capitals|with an attribute|with two thousand|with addresses|with a base address|with five hundred)/;

/**
 * Whether the source has more than a few words outside scripts and similar elements. Pages filled by scripts have none.
 */
function showsText(html: Buffer): boolean {
  const text = html
    .toString('latin1')
    .replace(/<(script|style|noscript|template|head|svg)\b.*?<\/\1>|<!--.*?-->|<[^>]*>/gis, ' ');
  return (text.match(/[a-z\x80-\xff]{3,}/gi) ?? []).length > 20;
}

function* pageJobs(): Generator<Job> {
  for (const { id, html } of realPages(PAGES))
    yield { name: `page ${id}`, html, hasText: showsText(html), formats: EVERY_FORMAT };
}

function* mutationJobs(): Generator<Job> {
  const pages = [...realPages(60)];
  let made = 0;
  for (let seed = 1; made < MUTATIONS; seed++) {
    for (const { name, apply } of mutations(seed)) {
      const page = pages[made++ % pages.length];
      if (page === undefined || made > MUTATIONS) return;
      yield {
        name: `page ${page.id} ${name}`,
        html: apply(page.html),
        hasText: TEXT_STAYS.test(name) && showsText(page.html),
        formats: EVERY_FORMAT,
      };
    }
  }
}

function* giantJobs(): Generator<Job> {
  for (const { name, html } of giantPages()) {
    if (full || !/MB|million/.test(name)) yield { name, html: html(), hasText: false, formats: ['markdown', 'links'] };
  }
}

function isBlock(html: Buffer): boolean {
  return blockOf({ status: 200, headers: {}, contentType: 'text/html', body: html }) !== undefined;
}

/** Scrapes a page; returns what is wrong with the answer, if anything, and the milliseconds it took. */
async function scrapeJob({ name, html, hasText, formats }: Job): Promise<{ problem?: string; took: number }> {
  const path = `/${encodeURIComponent(name)}`;
  const url = site.page(path, { headers: { 'content-type': 'text/html' }, body: html });
  const startedAt = performance.now();
  const { status, body } = await trawl.post('/v2/scrape', { url, formats, maxAge: 0, timeout: TIMEOUT });
  const took = performance.now() - startedAt;
  site.page(path, '');
  if (took > TIMEOUT + GRACE) return { took, problem: `${name} took ${Math.round(took)} ms` };
  if (body.code === 'INTERNAL_ERROR') return { took, problem: `${name}: ${body.error}` };
  // One of the real pages is a challenge for robots: that it is reported, and not returned, is right.
  if (body.code === 'SCRAPE_BLOCKED_BY_SITE' && isBlock(html)) return { took };
  if (hasText && status !== 200) return { took, problem: `${name}: ${status} ${body.error}` };
  if (hasText && !body.data.markdown?.trim()) return { took, problem: `${name} gave no Markdown` };
  return { took };
}

for (const [name, jobs, concurrency] of [
  [full ? 'every real page is scraped' : `${PAGES} real pages are scraped`, pageJobs, 8],
  [`${MUTATIONS} mutations of real pages are answered`, mutationJobs, 8],
  ['pages made to exhaust a reader are answered', giantJobs, 1],
] as const) {
  test(name, { timeout: 10 * 60_000 }, async (context) => {
    const times: number[] = [];
    const problems: string[] = [];
    await runJobs(jobs(), concurrency, async (job) => {
      const { took, problem } = await scrapeJob(job);
      times.push(took);
      if (problem !== undefined) problems.push(problem);
    });
    times.sort((a, b) => a - b);
    const at = (share: number) => Math.round(times[Math.floor((times.length - 1) * share)] ?? 0);
    context.diagnostic(`${times.length} pages: p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, longest ${at(1)} ms`);
    assert.deepEqual(problems, []);
    assert.ok(times.length > 0);
    assert.equal((await fetch(`${trawl.address}/health`)).status, 200);
  });
}
