import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { shared } from './support/shared.ts';
import { html, startSite } from './support/site.ts';
import { startTrawl } from './support/trawl.ts';

interface Operation {
  summary?: string;
  operationId?: string;
  tags?: string[];
  security?: Record<string, string[]>[];
  parameters?: { name: string; in: string; required?: boolean; schema: object }[];
  requestBody?: { content: Record<string, { schema: object; examples?: Record<string, { value: object }> }> };
  responses: Record<string, { description: string; content?: Record<string, { schema: object }> }>;
}

interface OpenApi {
  openapi: string;
  info: { title: string; version: string };
  tags: { name: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { securitySchemes: Record<string, { type: string; scheme: string }> };
}

const site = await shared(startSite());
site.page('/', html('<h1>Here</h1>'));
const trawl = await shared(startTrawl());
const response = await fetch(`${trawl.address}/openapi.json`);
const document: OpenApi = JSON.parse(await response.text());
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, path, operation })),
);

describe('/openapi.json', () => {
  test('is an OpenAPI 3.1 document', () => {
    assert.match(response.headers.get('content-type') ?? '', /^application\/json/);
    assert.match(document.openapi, /^3\.1\.\d$/);
    assert.equal(document.info.title, 'Trawl');
    assert.match(document.info.version, /^\d+\.\d+\.\d+$/);
    assert.deepEqual(document.components.securitySchemes.bearerAuth, { type: 'http', scheme: 'bearer' });
  });

  test('describes every operation of this version', () => {
    const names = operations.map(({ name }) => name);
    for (const name of [
      'POST /v2/scrape',
      'GET /v2/scrape/{jobId}',
      'POST /v1/scrape',
      'POST /v2/map',
      'POST /v1/map',
      ...['v1', 'v2'].flatMap((version) => [
        `GET /${version}/team/credit-usage`,
        `GET /${version}/team/credit-usage/historical`,
        `GET /${version}/team/token-usage`,
        `GET /${version}/team/token-usage/historical`,
        `GET /${version}/team/queue-status`,
      ]),
      'GET /v2/team/activity',
      'GET /v2/concurrency-check',
      'GET /health',
      'GET /ready',
      'GET /metrics',
    ]) {
      assert.ok(names.includes(name), name);
    }
  });

  test('gives each operation a unique id', () => {
    const ids = operations.map(({ operation }) => operation.operationId);
    for (const id of ids) assert.match(id ?? '', /^[a-z][A-Za-z0-9]+$/);
    assert.equal(new Set(ids).size, ids.length);
    const idOf = (name: string) => operations.find((one) => one.name === name)?.operation.operationId;
    assert.equal(idOf('POST /v2/scrape'), 'postScrape');
    assert.equal(idOf('GET /v2/crawl/{id}/errors'), 'getCrawlByIdErrors');
    assert.equal(idOf('POST /v1/batch/scrape'), 'postV1BatchScrape');
    assert.equal(idOf('GET /health'), 'getHealth');
  });

  test('lists operations by capability, then version 1, then those for operators', () => {
    const tags = document.tags.map(({ name }) => name);
    assert.deepEqual(tags, ['scrape', 'batch', 'crawl', 'map', 'team', 'v1', 'operator']);
    const used = operations.map(({ operation }) => operation.tags?.join() ?? '');
    assert.deepEqual(
      used.filter((tag, index) => tag !== used[index - 1]),
      tags,
    );
  });

  test('has no dangling reference', () => {
    for (const [, pointer] of JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)) {
      let target: unknown = document;
      for (const step of (pointer ?? '').split('/')) {
        const key = decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~');
        assert.ok(typeof target === 'object' && target !== null && key in target, pointer);
        target = Object.getOwnPropertyDescriptor(target, key)?.value;
      }
    }
  });

  for (const { name, path, operation } of operations) {
    test(`${name}: follows the structure of the specification`, () => {
      assert.ok(operation.summary);
      assert.ok(Object.keys(operation.responses).length > 0);
      for (const [status, answer] of Object.entries(operation.responses)) {
        assert.match(status, /^([1-5]\d\d|default)$/);
        assert.equal(typeof answer.description, 'string');
      }
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter);
      const described = (operation.parameters ?? []).filter((parameter) => parameter.in === 'path');
      assert.deepEqual(
        described.map((parameter) => parameter.name),
        inPath,
      );
      assert.ok(described.every((parameter) => parameter.required));
      if (/^\/v[12]\//.test(path)) assert.deepEqual(operation.security, [{ bearerAuth: [] }]);
    });

    test(`${name}: its schemas are JSON Schema 2020-12`, () => {
      const ajv = new Ajv2020({ strict: false });
      addFormats.default(ajv);
      for (const schema of schemasOf(operation)) ajv.compile(schema);
    });
  }

  const withBody = operations.filter(({ operation }) => operation.requestBody !== undefined);
  for (const { name, path, operation } of withBody) {
    test(`${name}: its example body works as written`, async () => {
      const { examples } = operation.requestBody?.content['application/json'] ?? {};
      assert.deepEqual(Object.keys(examples ?? {}), ['short']);
      const text = JSON.stringify(examples?.short?.value);
      assert.ok(text.length <= 150, 'it is short');
      const { status, body } = await trawl.post(path, text.replaceAll(/https:\/\/example\.(com|org)/g, site.url('')));
      assert.equal(status, 200, JSON.stringify(body));
    });
  }

  test('describes the body of a scrape completely enough to send one', () => {
    const schema = document.paths['/v2/scrape']?.post?.requestBody?.content['application/json']?.schema ?? {};
    const ajv = new Ajv2020({ strict: false });
    addFormats.default(ajv);
    const accepts = ajv.compile(schema);
    assert.ok(accepts({ url: 'https://example.com', formats: ['markdown', { type: 'links' }], timeout: 5000 }));
    assert.ok(!accepts({ formats: ['markdown'] }), 'url is required');
    assert.ok(!accepts({ url: 'https://example.com', nothing: 1 }), 'unknown fields are refused');
    assert.ok(!accepts({ url: 'https://example.com', formats: ['pdf'] }));
  });
});

function schemasOf({ parameters = [], requestBody, responses }: Operation): object[] {
  const contents = [requestBody?.content, ...Object.values(responses).map(({ content }) => content)];
  return [
    ...parameters.map(({ schema }) => schema),
    ...contents.flatMap((content) => Object.values(content ?? {}).map(({ schema }) => schema)),
  ].filter((schema) => schema !== undefined);
}
