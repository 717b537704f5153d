import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { hostileBodies } from './support/hostile-bodies.ts';
import { shared } from './support/shared.ts';
import { html, startSite } from './support/site.ts';
import { KEY, startTrawl } from './support/trawl.ts';

const site = await shared(startSite());
const trawl = await shared(startTrawl());
const url = site.page('/', html('<h1>Here I am</h1>'));

const MOST_ANSWER = 64 * 1024;
/** Below the limit of all routes except batches, so that the body is read. */
const SMALL = 250 * 1024;
const LARGE = 9.9 * 1024 * 1024;

const operations = await postOperations();
const MANY_URLS = Array.from({ length: 50_000 }, (_, n) => `${url}?page=${n}&${'x'.repeat(100)}`);

describe('a hostile body is refused with a short answer', () => {
  for (const [turn, { path, fields }] of operations.entries()) {
    test(`by ${path}`, async () => {
      const target = { valid: validBody(path), fields, oneIn: 6, turn };
      for (const { name, text } of hostileBodies(target, SMALL)) await assertRefused(path, name, text);
    });
  }

  test('costs no more than the largest accepted body', { timeout: 300_000 }, async () => {
    const path = '/v2/batch/scrape';
    // Twice, because the first request to a service takes longer.
    await post(path, JSON.stringify({ urls: [url] }));
    const large = JSON.stringify({ urls: MANY_URLS, ignoreInvalidURLs: false });
    const taken = await costOf(() => post(path, large));
    assert.equal(taken.result.status, 200, taken.result.text.slice(0, 1000));
    // Its pages would add work to what is measured.
    const { id }: { id: string } = JSON.parse(taken.result.text);
    await trawl.call('DELETE', `${path}/${id}`);

    const fields = ['headers', 'formats', 'includeTags', 'urls', 'webhook'];
    const target = { valid: validBody(path), fields, oneIn: 4, turn: 0 };
    for (const { name, text } of hostileBodies(target, LARGE)) {
      const { cpu } = await costOf(() => assertRefused(path, name, text));
      assert.ok(cpu < taken.cpu, `${name} took ${cpu} ms of the processor, and 50,000 addresses ${taken.cpu} ms`);
    }
  });
});

describe('the bounds of a body', () => {
  test('are 256 KB', async () => {
    for (const [length, status] of [
      [255 * 1024, 400],
      [256 * 1024, 413],
    ] as const) {
      const answer = await post('/v2/scrape', JSON.stringify({ url, origin: 'x'.repeat(length) }));
      assert.equal(answer.status, status);
    }
  });

  test('are reported to a client that sends without pause', async () => {
    const text = JSON.stringify({ url, origin: 'x'.repeat(6_000_000) });
    for (let n = 0; n < 10; n++) {
      const { status, body } = await trawl.post('/v2/scrape', text);
      assert.equal(status, 413);
      assert.match(body.error, /larger than the limit of 256 KB/);
    }
  });

  test('are 10 MB and 50,000 addresses for a batch', async () => {
    const tooMany = await trawl.post('/v1/batch/scrape', { urls: [...MANY_URLS, url] });
    assert.equal(tooMany.status, 400);
    assert.match(tooMany.body.error, /urls has too many addresses: send at most 50000 at a time/);
    const tooLarge = await trawl.post('/v2/batch/scrape', { urls: [url], origin: 'x'.repeat(10 * 1024 * 1024) });
    assert.equal(tooLarge.status, 413);
    assert.match(tooLarge.body.error, /larger than the limit of 10 MB/);
  });

  test('are 64 levels', async () => {
    const nested = (levels: number) => `${'['.repeat(levels)}1${']'.repeat(levels)}`;
    const webhook = (levels: number) => `{"url":"${url}","metadata":{"a":${nested(levels)}}}`;
    const start = (levels: number) => post('/v2/crawl', `{"url":"${url}","limit":1,"webhook":${webhook(levels)}}`);
    assert.equal((await start(61)).status, 200);
    const { status, text } = await start(62);
    assert.equal(status, 400);
    assert.match(text, /webhook has more than 64 levels/);
  });

  test('are 20 problems per answer, which says how many more there are', async () => {
    const headers = Object.fromEntries(Array.from({ length: 90 }, (_, n) => [`name-${n}`, n]));
    const { error, details } = await trawl.refusal({ url, headers });
    assert.equal(details?.length, 20);
    assert.match(error, /headers\.name-0: Invalid input.*; and 70 more problems$/);
  });

  test('are 100 characters per quoted name', async () => {
    const { error, details } = await trawl.refusal({ url, headers: { ['x'.repeat(200_000)]: 1 } });
    assert.equal(details?.[0]?.path[1], `${'x'.repeat(100)}…`);
    assert.ok(error.length < 500, `${error.length} characters`);
  });
});

interface PostOperation {
  path: string;
  fields: string[];
}

/** The POST operations that the service itself describes. */
async function postOperations(): Promise<PostOperation[]> {
  const response = await fetch(`${trawl.address}/openapi.json`);
  const document: OpenApi = JSON.parse(await response.text());
  const found = Object.entries(document.paths).flatMap(([path, { post }]) => {
    const schema = post?.requestBody?.content['application/json'].schema;
    if (post === undefined) return [];
    assert.ok(schema?.properties !== undefined, `${path} has no fields`);
    return [{ path, fields: Object.keys(schema.properties) }];
  });
  assert.ok(found.length >= 9, found.map(({ path }) => path).join());
  return found;
}

interface OpenApi {
  paths: Record<string, { post?: { requestBody?: { content: { 'application/json': { schema: JsonSchema } } } } }>;
}

interface JsonSchema {
  properties?: Record<string, unknown>;
}

function validBody(path: string): object {
  if (path.includes('batch')) return { urls: [url] };
  return path.includes('params-preview') ? { url, prompt: 'the blog' } : { url };
}

async function assertRefused(path: string, name: string, body: string): Promise<void> {
  const { status, text } = await post(path, body);
  assert.ok(status >= 400 && status < 500, `${name}: ${status} ${text.slice(0, 500)}`);
  assert.ok(text.length < MOST_ANSWER, `${name}: the answer has ${text.length} characters`);
  const answer: { success: boolean; code: string; details?: unknown[] } = JSON.parse(text);
  assert.equal(answer.success, false, name);
  assert.ok((answer.details ?? []).length <= 20, name);
}

async function post(path: string, body: string): Promise<{ status: number; text: string }> {
  const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' };
  const response = await fetch(trawl.address + path, { method: 'POST', headers, body });
  return { status: response.status, text: await response.text() };
}

/** CPU milliseconds of client and service together. */
async function costOf<T>(work: () => Promise<T>): Promise<{ result: T; cpu: number }> {
  const start = process.cpuUsage();
  const result = await work();
  const { user, system } = process.cpuUsage(start);
  return { result, cpu: (user + system) / 1000 };
}
