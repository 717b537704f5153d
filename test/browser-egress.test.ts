import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { describe, test } from 'node:test';
import { Deadline } from '../src/deadline.ts';
import { type Handler, serveHttp, type TestServer } from '../src/fetch/testing/servers.ts';
import { createSiteFetcher } from '../src/site/site-fetcher.ts';
import { ATTACKS, attackScript, WORKER } from './support/egress-attacks.ts';
import { shared } from './support/shared.ts';
import { html } from './support/site.ts';
import { startTrawl } from './support/trawl.ts';

/** Pages of 127.0.0.2 may be fetched; what is on any other address of this machine is what an attacker wants. */
const trawl = await shared(startTrawl({ TRAWL_ALLOW_NETWORKS: '127.0.0.2/32' }));
const secret: Handler = (_, answer) => answer.end(html('<h1>Intranet</h1>'));
const victim = await shared(serveHttp(secret));
const victim6 = await shared(serveHttp(secret, '::1', victim.port));
const rendered = { waitFor: 1, maxAge: 0 };

/** What an attacker serves. */
async function serveHostile(pages: Record<string, string | Handler>): Promise<TestServer> {
  return serveHttp((request, answer) => {
    const page = pages[new URL(request.url ?? '/', 'http://host').pathname];
    if (typeof page === 'function') page(request, answer);
    else answer.writeHead(page === undefined ? 404 : 200, { 'content-type': 'text/html' }).end(page);
  }, '127.0.0.2');
}

const moved =
  (location: string): Handler =>
  (_, answer) =>
    answer.writeHead(302, { location: location }).end();

/** A page that reaches an address which it may reach, and does the same to one which it may not. */
test('nothing that a page does reaches an address that is not allowed, while the same reaches one that is', async () => {
  const udp = createSocket('udp4');
  udp.bind(victim.port, '127.0.0.1');
  await once(udp, 'listening');
  let packets = 0;
  udp.on('message', () => packets++);

  const missing = new Set(Object.keys(ATTACKS));
  const allSeen = Promise.withResolvers<void>();
  await using friend = await serveHttp((request, answer) => {
    missing.delete((request.url ?? '').slice(1));
    if (missing.size === 0) allSeen.resolve();
    answer.writeHead(200, { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' }).end();
  }, '127.0.0.2');
  await using hostile = await serveHostile({
    '/': html(
      '<h1>Hello</h1>',
      `<script>${attackScript([victim.url, `http://[::1]:${victim.port}`, friend.url], [victim.url, friend.url])}</script>`,
    ),
    '/worker.js': (_, answer) => answer.writeHead(200, { 'content-type': 'text/javascript' }).end(WORKER),
    '/all-seen': async (_, answer) => {
      await allSeen.promise;
      answer.end();
    },
  });
  const scraping = trawl.scrape(`${hostile.url}/`, {
    maxAge: 0,
    timeout: 40_000,
    actions: [{ type: 'wait', selector: '#done' }],
  });
  const { markdown } = await scraping.catch((error: unknown) => {
    throw new Error(`Not seen where they are allowed: ${[...missing].join(', ')}.`, { cause: error });
  });
  assert.match(markdown ?? '', /everything was tried/);
  udp.close();
  assert.deepEqual([victim.connections, victim6.connections, packets], [0, 0, 0]);
});

describe('a page that leads to an address that is not allowed is refused as the plain fetch refuses it', () => {
  const hosts = [
    ...['127.0.0.1', 'localhost', '[::1]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[64:ff9b::7f00:1]'],
    ...['2130706433', '0177.0.0.1', '0x7f.1', '127.1', '0.0.0.0', '%31%32%37.0.0.1', '127.0.0.1.'],
  ];
  const blocked = { status: 403, code: 'SCRAPE_BLOCKED_TARGET' };

  test('by its own address, however it is written', async () => {
    for (const host of hosts) {
      const url = `http://${host}:${victim.port}/`;
      const { status, code, error } = await trawl.refusal({ url, ...rendered });
      assert.deepEqual({ status, code }, blocked, host);
      assert.equal(error, (await trawl.refusal({ url, maxAge: 0 })).error);
    }
  });

  test('by a redirect', async () => {
    await using hostile = await serveHostile(
      Object.fromEntries(hosts.map((host, i) => [`/${i}`, moved(`http://${host}:${victim.port}/`)])),
    );
    const refusals = hosts.map(async (host, i) => {
      const url = `${hostile.url}/${i}`;
      const { status, code, error } = await trawl.refusal({ url, ...rendered });
      assert.deepEqual({ status, code }, blocked, host);
      assert.equal(error, (await trawl.refusal({ url, maxAge: 0 })).error);
    });
    await Promise.all(refusals);
  });

  for (const [way, page] of Object.entries({
    'a refresh': (to: string) => `<meta http-equiv="refresh" content="0; url=${to}">`,
    'a script': (to: string) => `<script>location = '${to}'</script>`,
    'a form': (to: string) => `<form method="post" action="${to}"></form><script>document.forms[0].submit()</script>`,
    'a link': (to: string) => `<a href="${to}">x</a><script>document.links[0].click()</script>`,
  })) {
    test(`by ${way}`, async () => {
      await using hostile = await serveHostile({
        '/': html(page(victim.url)),
        '/secure': html(page(victim.url.replace('http', 'https'))),
      });
      for (const path of ['/', '/secure']) {
        const { status, code, error } = await trawl.refusal({ url: hostile.url + path, waitFor: 300, maxAge: 0 });
        assert.deepEqual({ status, code }, blocked);
        assert.match(error, /^127\.0\.0\.1 is a loopback address.* redirects there\.\)$/);
      }
    });
  }

  test('and never contacted', () => {
    assert.deepEqual([victim.connections, victim6.connections], [0, 0]);
  });
});

describe('no page shows anything of this machine', () => {
  for (const address of [
    ...['file:///etc/passwd', 'view-source:file:///etc/passwd', 'chrome://version/', 'chrome://net-internals/'],
    ...[
      'devtools://devtools/bundled/inspector.html',
      'filesystem:http://127.0.0.1/',
      'about:version',
      'chrome-untrusted://terminal/',
    ],
  ]) {
    test(address, async () => {
      const source = JSON.stringify(address);
      await using hostile = await serveHostile({
        '/script': html(`<h1>Still here</h1><script>location = ${source}</script>`),
        '/frame': html(`<h1>Still here</h1><iframe src=${source}></iframe><object data=${source}></object>`),
        '/popup': html(`<h1>Still here</h1><script>window.open(${source})</script>`),
        '/fetch': html(
          `<h1>Still here</h1><script>fetch(${source}).then((r) => r.text()).then((t) => document.body.append(t))</script>`,
        ),
        '/redirect': moved(address),
      });
      for (const path of ['/script', '/frame', '/popup', '/fetch']) {
        const { rawHtml } = await trawl.scrape(hostile.url + path, { ...rendered, formats: ['rawHtml'] });
        // A script may leave for an empty page.
        if (path !== '/script') assert.match(rawHtml ?? '', /Still here/, path);
        assert.doesNotMatch(rawHtml ?? '', /root:|V8|Chromium/, path);
      }
      const { status, code, error } = await trawl.refusal({ url: `${hostile.url}/redirect`, ...rendered });
      assert.deepEqual({ status, code }, { status: 403, code: 'SCRAPE_BLOCKED_TARGET' }, error);
    });
  }
});

test('a name whose address changes after the page has loaded leads nowhere', async () => {
  let asked = 0;
  const resolve = async () => [{ address: asked++ === 0 ? '127.0.0.2' : '127.0.0.1', family: 4 }];
  const fetcher = createSiteFetcher({ allowNetworks: ['127.0.0.2/32'], maxBodyBytes: 1_000_000, resolve });
  await using _close = { [Symbol.asyncDispose]: () => fetcher.close() };
  // The same port on both addresses; the attacker ends the connection so that the browser needs a new one.
  await using hostile = await serveHttp(
    (_, answer) =>
      answer.writeHead(200, { 'content-type': 'text/html', connection: 'close' }).end(
        html(`<script>(async () => {
          for (let i = 0; i < 5; i++) await fetch('/secret?' + i, { method: 'POST', body: 'x' }).then((r) => r.text()).then((t) => document.body.append(t), () => {});
          document.body.append('tried');
        })()</script>`),
      ),
    '127.0.0.2',
    victim.port,
  );
  using deadline = new Deadline(20_000);
  const { body } = await fetcher.render({
    ...{ url: `http://rebinding.example:${hostile.port}/`, headers: {}, mobile: false, languages: [], verifyTls: true },
    ...{ proxy: 'basic', deadline, share: 'test', country: undefined, blockAds: true, waitFor: 300, actions: [] },
    ...{ screenshot: undefined, branding: false, media: false, urgency: 'answer' },
  });
  assert.match(Buffer.from(body).toString(), /tried/);
  assert.doesNotMatch(Buffer.from(body).toString(), /Intranet/);
  assert.ok(asked > 1, 'the name was asked once');
  assert.equal(victim.connections, 0);
});
