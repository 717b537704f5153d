import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { openStore } from '../src/store/open-store.ts';
import { createKey, revokeKey } from '../src/team/keys.ts';
import { bytesBelow } from './support/data-directory.ts';
import { shared } from './support/shared.ts';
import { html, startSite } from './support/site.ts';
import { KEY, startTrawl } from './support/trawl.ts';

const site = await shared(startSite());
const trawl = await shared(startTrawl());
const url = site.page('/', html('<h1>Open to those with a key</h1>'));

describe('a call without a valid key is a 401 that says where to find out about keys', () => {
  const cases: { name: string; authorization: string | undefined; says: RegExp }[] = [
    { name: 'no header', authorization: undefined, says: /No API key/ },
    { name: 'an empty header', authorization: '', says: /malformed|No API key/ },
    { name: 'a bearer without a token', authorization: 'Bearer', says: /malformed/ },
    {
      name: 'the word undefined, as clients without a key send it',
      authorization: 'Bearer undefined',
      says: /unknown/,
    },
    { name: 'another scheme', authorization: `Basic ${btoa(`key:${KEY}`)}`, says: /malformed/ },
    { name: 'the key without the scheme', authorization: KEY, says: /malformed/ },
    { name: 'two tokens', authorization: `Bearer ${KEY} ${KEY}`, says: /malformed/ },
    { name: 'a token of 10,000 characters', authorization: `Bearer ${'f'.repeat(10_000)}`, says: /malformed/ },
    { name: 'a key that nobody made', authorization: `Bearer fc-${'0'.repeat(32)}`, says: /unknown/ },
    { name: 'the key in capitals', authorization: `Bearer ${KEY.toUpperCase()}`, says: /unknown/ },
    { name: 'the key cut short', authorization: `Bearer ${KEY.slice(0, -1)}`, says: /unknown/ },
  ];
  const calls: [string, string, object | undefined][] = [
    ['POST', '/v2/scrape', { url }],
    ['POST', '/v1/scrape', { url }],
    ['GET', '/v2/scrape/01890000-0000-7000-8000-000000000000', undefined],
  ];
  for (const { name, authorization, says } of cases) {
    test(name, async () => {
      for (const [method, path, body] of calls) {
        const headers = authorization === undefined ? {} : { authorization };
        const answer = await trawl.call(method, path, body, { key: null, headers });
        assert.equal(answer.status, 401);
        assert.equal(answer.body.code, 'UNAUTHORIZED');
        assert.match(answer.body.error, says);
        const where = `${trawl.address}/.well-known/oauth-protected-resource`;
        assert.equal(answer.headers.get('www-authenticate'), `Bearer resource_metadata="${where}"`);
      }
    });
  }

  test('fetches nothing in any of these cases', () => {
    assert.equal(site.connections(), 0);
  });

  test('whatever else is wrong with the call', async () => {
    const { status } = await trawl.post('/v2/scrape', '{"url": ', { key: null });
    assert.equal(status, 401);
  });

  test('and names the public address of the service, when it has one', async () => {
    await using behindProxy = await startTrawl({ TRAWL_BASE_URL: 'https://trawl.example/base/' });
    const { headers } = await behindProxy.post('/v2/scrape', { url }, { key: null });
    const where = 'https://trawl.example/base/.well-known/oauth-protected-resource';
    assert.equal(headers.get('www-authenticate'), `Bearer resource_metadata="${where}"`);
  });
});

test('the document that the 401 links to describes the resource', async () => {
  const response = await fetch(`${trawl.address}/.well-known/oauth-protected-resource`);
  assert.equal(response.status, 200);
  const document: Record<string, unknown> = JSON.parse(await response.text());
  assert.equal(document.resource, trawl.address);
  assert.deepEqual(document.bearer_methods_supported, ['header']);
});

test('the authentication scheme is case-insensitive', async () => {
  const { status } = await trawl.post(
    '/v2/scrape',
    { url },
    { key: null, headers: { authorization: `bearer ${KEY}` } },
  );
  assert.equal(status, 200);
});

test('a key created while the service runs works at once, and stops working as soon as it is revoked', async () => {
  const store = await openStore({ databaseUrl: undefined, dataDir: trawl.dataDir });
  try {
    const { key } = await createKey(store, 'visitor');
    assert.match(key, /^fc-[0-9a-f]{32}$/);
    await trawl.scrape(url, {}, { key });
    await revokeKey(store, 'visitor');
    const { status, code, error } = await trawl.refusal({ url }, { key });
    assert.deepEqual({ status, code }, { status: 401, code: 'UNAUTHORIZED' });
    assert.match(error, /revoked/);
    await trawl.scrape(url);
  } finally {
    await store.close();
  }
});

test('keys are not stored in the data directory', async () => {
  await using own = await startTrawl();
  const store = await openStore({ databaseUrl: undefined, dataDir: own.dataDir });
  const { key } = await createKey(store, 'laptop');
  await store.close();
  for (const secret of [KEY, key]) {
    const text = await bytesBelow(own.dataDir);
    assert.ok(text.includes('laptop'), 'the name of the key is there, so the right place was looked at');
    assert.ok(!text.includes(secret.slice(3)));
  }
});
