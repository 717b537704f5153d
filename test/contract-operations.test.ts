import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { UNAVAILABLE_OPERATIONS } from '../src/server/unavailable-operations.ts';
import { createKey } from '../src/team/keys.ts';
import { shared } from './support/shared.ts';
import { withStoreOf } from './support/team.ts';
import { startTrawl } from './support/trawl.ts';

/** Compares the operations of the contract with those implemented and with those listed as missing. */

interface Schema {
  $ref?: string;
  allOf?: Schema[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  properties?: Record<string, Schema>;
  additionalProperties?: boolean | Schema;
  items?: Schema;
}

interface Operation {
  requestBody?: { content: Record<string, { schema: Schema }> };
}

interface Document {
  paths: Record<string, Record<string, Operation>>;
}

const ID = '01890000-0000-7000-8000-000000000000';

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

const trawl = await shared(startTrawl());
const response = await fetch(`${trawl.address}/openapi.json`);
const ours: Document = JSON.parse(await response.text());
const standing = new Map(operationsOf(ours, ''));
const contract = ['v1', 'v2'].flatMap((version) => {
  const text = readFileSync(join(import.meta.dirname, 'contract', `${version}.json`), 'utf8');
  const document: Document = JSON.parse(text);
  return operationsOf(document, `/${version}`).map(([call, operation]) => ({ call, operation, document }));
});
const missing = UNAVAILABLE_OPERATIONS.flatMap(({ name, calls }) =>
  calls.map(([method, url]) => ({ name, method, path: url.replaceAll(/:\w+/g, ID), call: callOf(method, url) })),
);

/** Operations that clients call and the contract files do not have. */
const BEYOND_CONTRACT = [
  ...['POST /v2/browser', 'GET /v2/browser', 'POST /v2/browser/{}/execute', 'DELETE /v2/browser/{}'],
  ...['GET /v2/agent', 'GET /v2/agent/{}/trace', 'GET /v2/agent/{}/snapshots/{}', 'GET /v2/agent/threads/{}'],
  'GET /v2/search/research/github',
];

describe('the operations of the contract', () => {
  test('are each either implemented or listed as missing, never both', () => {
    const known = new Set(missing.map(({ call }) => call));
    for (const { call } of contract) assert.notEqual(standing.has(call), known.has(call), call);
    assert.deepEqual(
      [...known].filter((call) => standing.has(call)),
      [],
    );
  });

  test('listed as missing are ones that clients call', () => {
    const called = new Set([...contract.map(({ call }) => call), ...BEYOND_CONTRACT]);
    assert.deepEqual(
      missing.map(({ call }) => call).filter((call) => !called.has(call)),
      [],
    );
  });

  for (const { call, operation, document } of contract.filter((one) => standing.has(one.call))) {
    const body = operation.requestBody?.content['application/json']?.schema;
    if (body === undefined) continue;
    test(`${call} accepts every field of the contract`, () => {
      const taken = standing.get(call)?.requestBody?.content['application/json']?.schema ?? {};
      assert.deepEqual(unknownFields({ schema: body, document }, { schema: taken, document: ours }), []);
    });
  }
});

describe('an operation that is missing', () => {
  for (const { name, method, path, call } of missing) {
    test(`${call} is refused by name`, async () => {
      const { status, body } = await trawl.call(method, path);
      assert.deepEqual([status, body.code], [400, 'NOT_AVAILABLE']);
      assert.equal(body.error, `${name} is not available in this version.`);
    });
  }

  test('is refused whatever its body', async () => {
    for (const [type, body] of [
      ['application/json', '{'],
      ['multipart/form-data; boundary=x', '--x--'],
      ['text/plain', 'words'],
    ]) {
      const { status, body: answer } = await trawl.call('POST', '/v2/parse', body, {
        headers: { 'content-type': type ?? '' },
      });
      assert.deepEqual([status, answer.code], [400, 'NOT_AVAILABLE'], type);
    }
  });

  test('is refused by name only to valid keys', async () => {
    for (const key of [null, `fc-${'0'.repeat(32)}`]) {
      const { status, body } = await trawl.call('POST', '/v2/search', { query: 'lamps' }, { key });
      assert.deepEqual([status, body.code], [401, 'UNAUTHORIZED']);
    }
    const { key } = await withStoreOf(trawl.dataDir, (store) =>
      createKey(store, 'maps only', { endpointGroups: ['map'] }),
    );
    const { status, body } = await trawl.call('POST', '/v2/search', { query: 'lamps' }, { key });
    assert.deepEqual([status, body.code], [403, 'FORBIDDEN']);
  });

  test('is not mistaken for an unknown path', async () => {
    for (const path of ['/v2/serach', '/v3/search', '/v1/agent', '/v2/llmstxt']) {
      const { status, body } = await trawl.call('POST', path, {});
      assert.deepEqual([status, body.code], [404, 'NOT_FOUND'], path);
      assert.match(body.error, /^There is no POST /);
    }
  });

  test('is named even when it shares its path with a scrape', async () => {
    const { status, body } = await trawl.post('/v2/scrape', { alexandria: [{ provider: 'a', capability: 'b' }] });
    assert.deepEqual([status, body.code], [400, 'NOT_AVAILABLE']);
    assert.match(body.error, /"alexandria"/);
  });
});

function operationsOf({ paths }: Document, prefix: string): [call: string, operation: Operation][] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    METHODS.flatMap((method): [string, Operation][] => {
      const operation = methods[method];
      return operation === undefined ? [] : [[callOf(method, prefix + path), operation]];
    }),
  );
}

/** The name of a call, independent of the names of its parameters. */
function callOf(method: string, path: string): string {
  return `${method.toUpperCase()} ${path.replaceAll(/\{\w+\}|:\w+/g, '{}')}`;
}

interface Place {
  schema: Schema;
  document: Document;
}

/** The paths of the fields that one schema has and another does not. */
function unknownFields(asked: Place, taken: Place, path: string[] = []): string[] {
  const known = propertiesOf(taken);
  return [...propertiesOf(asked).fields].flatMap(([name, schema]) => {
    const field = known.fields.get(name);
    const here = [...path, name];
    if (field !== undefined) return unknownFields({ ...asked, schema }, { ...taken, schema: field }, here);
    return known.isOpen ? [] : [here.join('.')];
  });
}

/** All fields of a schema, including those of combined schemas and list entries; open when it accepts any others. */
function propertiesOf({ schema, document }: Place): { fields: Map<string, Schema>; isOpen: boolean } {
  const { $ref, allOf = [], anyOf = [], oneOf = [], items, properties = {}, additionalProperties } = schema;
  const parts = [...allOf, ...anyOf, ...oneOf, items, $ref && resolve($ref, document)].filter(
    (part) => typeof part === 'object',
  );
  const inside = parts.map((part) => propertiesOf({ schema: part, document }));
  return {
    fields: new Map([...inside.flatMap(({ fields }) => [...fields]), ...Object.entries(properties)]),
    isOpen: (additionalProperties ?? false) !== false || inside.some(({ isOpen }) => isOpen),
  };
}

function resolve(reference: string, document: Document): Schema {
  let target: unknown = document;
  for (const step of reference.replace('#/', '').split('/')) {
    assert.ok(typeof target === 'object' && target !== null && step in target, reference);
    target = Object.getOwnPropertyDescriptor(target, step)?.value;
  }
  assert.ok(typeof target === 'object' && target !== null);
  return target;
}
