import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import Firecrawl from 'firecrawl';
import { startBatch } from './support/batch.ts';
import { temporaryFolder } from './support/folder.ts';
import { startCommand } from './support/process.ts';
import { startReverseProxy } from './support/reverse-proxy.ts';
import { shared } from './support/shared.ts';
import { html, startSite } from './support/site.ts';
import { openStream, streamedSources } from './support/stream.ts';
import { KEY, startTrawl, type TrawlClient } from './support/trawl.ts';

const METADATA = '/.well-known/oauth-protected-resource';
const site = await shared(startSite());
const direct = await shared(startTrawl());
const proxied = await shared(startTrawl({ TRAWL_TRUSTED_PROXIES: '127.0.0.0/8' }));

/** Sends the lines of a request unchanged, and returns the status and body of the answer. */
async function send({ address }: TrawlClient, line: string, ...lines: string[]) {
  const { hostname, port } = new URL(address);
  const socket = connect(Number(port), hostname);
  socket.write(`${[line, 'Connection: close', ...lines].join('\r\n')}\r\n\r\n`);
  const answer = await text(socket);
  return {
    status: Number(answer.split(' ')[1]),
    head: answer.slice(0, answer.indexOf('\r\n\r\n')),
    body: answer.slice(answer.indexOf('\r\n\r\n') + 4),
  };
}

/** The address that the service reports as its own. */
async function named(trawl: TrawlClient, ...headers: string[]): Promise<string> {
  const { status, body } = await send(trawl, `GET ${METADATA} HTTP/1.1`, ...headers);
  assert.equal(status, 200, body);
  const { resource }: { resource: string } = JSON.parse(body);
  return resource;
}

describe('addresses in answers', () => {
  for (const host of ['trawl.test', 'trawl.test:8443', '127.0.0.1:9', '[::1]:3002', 'my_service:3002', 'UPPER.test']) {
    test(`follow the host "${host}" of the request`, async () => {
      assert.equal(await named(direct, `Host: ${host}`), `http://${host}`);
    });
  }

  for (const host of [
    '',
    'a b',
    'trawl.test/path',
    'user@trawl.test',
    'trawl.test"',
    "trawl.test'",
    'trawl.test, other.test',
    'trawl.test:99999',
    'trawl.test:port',
    '[::1',
    '[:::1]',
    '999.1.1.1',
    '%74rawl.test',
    `${'a'.repeat(254)}`,
    'trÄwl.test',
  ]) {
    test(`name the listening address when the host is "${host.slice(0, 30)}"`, async () => {
      assert.equal(await named(direct, `Host: ${host}`), direct.address);
    });
  }

  test('name the listening address for an HTTP/1.0 client that sends no host', async () => {
    const { body } = await send(direct, `GET ${METADATA} HTTP/1.0`);
    assert.equal(JSON.parse(body).resource, direct.address);
  });

  test('follow an absolute request target rather than the Host header beside it', async () => {
    const { status, body } = await send(direct, `GET http://target.test${METADATA} HTTP/1.1`, 'Host: header.test');
    assert.equal(status, 200);
    assert.equal(JSON.parse(body).resource, 'http://target.test');
    const unusable = await send(direct, `GET http://user@target.test${METADATA} HTTP/1.1`, 'Host: header.test');
    assert.equal(JSON.parse(unusable.body).resource, direct.address);
  });

  test('an absolute target without a path leads to the API reference', async () => {
    const { status, head } = await send(direct, 'GET http://target.test HTTP/1.1', 'Host: header.test');
    assert.equal(status, 302);
    assert.match(head, /^location: docs\/$/im);
  });

  test('a request with two Host headers is refused', async () => {
    for (const second of ['first.test', 'second.test']) {
      const { status, body } = await send(direct, `GET ${METADATA} HTTP/1.1`, 'Host: first.test', `Host: ${second}`);
      assert.equal(status, 400);
      assert.match(JSON.parse(body).error, /more than one Host/);
    }
  });

  test('are not cacheable', async () => {
    for (const path of [METADATA, '/openapi.json', '/docs', '/docs/', '/', '/v2/nothing', '/v2/crawl/active']) {
      const { head } = await send(direct, `GET ${path} HTTP/1.1`, 'Host: trawl.test');
      assert.match(head, /^cache-control: no-store$/im, path);
    }
  });

  test('follow the host everywhere: jobs, their next pages, the 401, unknown paths and openapi.json', async () => {
    const ask = async (line: string, ...headers: string[]) =>
      await send(direct, `${line} HTTP/1.1`, 'Host: trawl.test:8443', ...headers);
    const key = `Authorization: Bearer ${KEY}`;
    const [one, two] = ['/one', '/two'].map((path) => site.page(path, html('<h1>Here</h1>')));
    const { id } = await startBatch(direct, { urls: [one, two] });
    let status = '';
    while (!status.includes('"status":"completed"')) {
      status = (await ask(`GET /v2/batch/scrape/${id}?limit=1`, key)).body;
    }
    assert.equal(JSON.parse(status).next, `http://trawl.test:8443/v2/batch/scrape/${id}?skip=1&limit=1`);
    for (const [path, sent] of [
      ['/v2/batch/scrape', { urls: [one] }],
      ['/v1/batch/scrape', { urls: [one] }],
      ['/v2/crawl', { url: one }],
      ['/v1/crawl', { url: one }],
    ] as const) {
      const body = JSON.stringify(sent);
      const answer = await ask(
        `POST ${path}`,
        key,
        'Content-Type: application/json',
        `Content-Length: ${body.length}`,
        '',
        body,
      );
      const started = JSON.parse(answer.body);
      assert.equal(started.url, `http://trawl.test:8443${path}/${started.id}`);
    }
    const { head } = await ask('GET /v2/crawl/active');
    assert.match(head, /^www-authenticate: Bearer resource_metadata="http:\/\/trawl\.test:8443\/\.well-known\//im);
    assert.match((await ask('GET /nothing')).body, /at http:\/\/trawl\.test:8443\/docs\./);
    assert.deepEqual(JSON.parse((await ask('GET /openapi.json')).body).servers, [{ url: 'http://trawl.test:8443' }]);
  });

  test('follow TRAWL_BASE_URL when it is set, whatever the request says', async () => {
    await using trawl = await startTrawl({
      TRAWL_BASE_URL: 'https://trawl.example/base/',
      TRAWL_TRUSTED_PROXIES: '127.0.0.0/8',
    });
    const told = ['Host: other.test', 'X-Forwarded-Host: third.test', 'X-Forwarded-Prefix: /other'];
    assert.equal(await named(trawl, ...told), 'https://trawl.example/base');
  });
});

describe('X-Forwarded headers', () => {
  const told = ['X-Forwarded-Host: public.test:444', 'X-Forwarded-Proto: https', 'X-Forwarded-Prefix: /tools/trawl/'];

  test('from a trusted proxy determine the public address', async () => {
    assert.equal(await named(proxied, 'Host: inside', ...told), 'https://public.test:444/tools/trawl');
  });

  test('from anyone else are ignored', async () => {
    assert.equal(await named(direct, 'Host: trawl.test', ...told), 'http://trawl.test');
  });

  for (const [sent, expected] of [
    ['X-Forwarded-Host: evil.test, public.test', 'http://public.test'],
    ['X-Forwarded-Host: evil"test', 'http://inside'],
    ['X-Forwarded-Host:', 'http://inside'],
    ['X-Forwarded-Proto: javascript', 'http://inside'],
    ['X-Forwarded-Proto: http, HTTPS', 'https://inside'],
    ['X-Forwarded-Prefix: /evil, /good', 'http://inside/good'],
    ['X-Forwarded-Prefix: /../up', 'http://inside'],
    ['X-Forwarded-Prefix: /./here', 'http://inside'],
    ['X-Forwarded-Prefix: //evil.test', 'http://inside'],
    ['X-Forwarded-Prefix: relative', 'http://inside'],
    ['X-Forwarded-Prefix: /', 'http://inside'],
    ['X-Forwarded-Prefix: /a?b', 'http://inside'],
    ['X-Forwarded-Prefix: /<b>', 'http://inside'],
    [`X-Forwarded-Prefix: ${'/a'.repeat(101)}`, 'http://inside'],
    ['Forwarded: host=evil.test;proto=https', 'http://inside'],
  ] as const) {
    test(`"${sent.slice(0, 50)}" from a trusted proxy gives ${expected}`, async () => {
      assert.equal(await named(proxied, 'Host: inside', sent), expected);
    });
  }

  test('still count when the host is not valid', async () => {
    assert.equal(await named(proxied, 'Host: a b', 'X-Forwarded-Prefix: /trawl'), `${proxied.address}/trawl`);
  });
});

describe('behind a proxy with TLS and a path', async () => {
  const proxy = await shared(startReverseProxy({ target: proxied.address, prefix: '/tools/trawl' }));
  const client = new Firecrawl({ apiUrl: proxy.address, apiKey: KEY });

  test('the SDK gets every document of a job that needs several answers', async () => {
    const big = html(`<p>${'Much to read. '.repeat(150_000)}</p>`);
    const urls = Array.from({ length: 8 }, (_, index) => site.page(`/big/${index}`, big));
    const { id, url } = await client.startBatchScrape(urls, {
      options: { formats: ['rawHtml'], maxAge: 0, storeInCache: false },
    });
    assert.equal(url, `${proxy.address}/v2/batch/scrape/${id}`);
    const stream = openStream(url);
    await stream.ended;
    assert.deepEqual(streamedSources(stream.messages).sort(), urls.toSorted());
    const first = await client.getBatchScrapeStatus(id, { autoPaginate: false });
    assert.ok(first.data.length < urls.length, 'it takes more than one answer');
    const { data } = await client.getBatchScrapeStatus(id);
    assert.deepEqual(data.map(({ metadata }) => metadata?.sourceURL).sort(), urls.toSorted());
  });

  test('openapi.json names the public address', async () => {
    const document: { servers: object[] } = JSON.parse(await (await fetch(`${proxy.address}/openapi.json`)).text());
    assert.deepEqual(document.servers, [{ url: proxy.address }]);
  });
});

for (const tellsOfItself of [true, false]) {
  const what = tellsOfItself ? 'a proxy' : 'a proxy that sends no X-Forwarded headers';
  test(`/docs and everything on it load through ${what}`, async () => {
    await using proxy = await startReverseProxy({ target: proxied.address, prefix: '/deep/er', tellsOfItself });
    const page = await fetch(`${proxy.address}/`);
    assert.equal(page.url, `${proxy.address}/docs/`, 'the root leads to it');
    assert.equal((await fetch(`${proxy.address}/docs`)).url, page.url);
    const assets = Array.from((await page.text()).matchAll(/\b(?:src|href)="([^"]+)"/g), ([, asset = '']) => asset);
    assert.ok(assets.length >= 6, assets.join());
    for (const asset of assets) {
      const address = new URL(asset, page.url);
      assert.ok(address.href.startsWith(page.url), asset);
      const answer = await fetch(address);
      assert.equal(answer.status, 200, asset);
      await answer.body?.cancel();
    }
    const document = await fetch(new URL('json', page.url));
    const { servers }: { servers: { url: string }[] } = JSON.parse(await document.text());
    // Resolved as in Swagger UI: relative to the document.
    const operations = servers.map(({ url }) => new URL(`${url}/health`, document.url).href);
    assert.deepEqual(operations, [`${proxy.address}/health`]);
  });
}

for (const [host, shown] of [
  ['0.0.0.0', '127.0.0.1'],
  ['::', '[::1]'],
] as const) {
  test(`a service that listens on ${host} prints an address that can be opened, and warns that it is reachable from the network`, async () => {
    await using folder = await temporaryFolder();
    await using trawl = await startCommand(
      ['serve', '--host', host],
      { TRAWL_DATA_DIR: folder.path },
      /Trawl listens on .*\n/,
    );
    const [, address = ''] =
      /Trawl listens on (\S+) and every other address of this machine — /.exec(trawl.stdout()) ?? [];
    assert.equal(address.replace(/:\d+$/, ''), `http://${shown}`);
    assert.equal((await fetch(`${address}/health`)).status, 200);
    assert.ok(trawl.stdout().includes(`API reference: ${address}/docs`));
  });
}
