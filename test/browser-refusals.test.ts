import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { selfSigned } from '../src/fetch/testing/certificate.ts';
import { serveProxy } from '../src/fetch/testing/proxy.ts';
import { serveBytes, serveHttp, serveHttps } from '../src/fetch/testing/servers.ts';
import { shared } from './support/shared.ts';
import { html, startSelfSignedSite, startSite } from './support/site.ts';
import { startTrawl } from './support/trawl.ts';

const trawl = await shared(startTrawl());
const site = await shared(startSite());
const secure = await shared(startSelfSignedSite());
const rendered = { waitFor: 1, maxAge: 0 };
const threatProtection = { blacklist: ['localhost'] };

/** The refusals of a plain scrape and of a rendered one. */
async function refusals(url: string, options: object = {}) {
  const [plain, inBrowser] = await Promise.all([
    trawl.refusal({ url, maxAge: 0, ...options }),
    trawl.refusal({ url, ...rendered, ...options }),
  ]);
  return { plain, inBrowser };
}

describe('a page that does not load fails in a browser as it fails without', () => {
  const gone = async () => {
    const server = await serveHttp((_, answer) => answer.end());
    await server[Symbol.asyncDispose]();
    return server.url;
  };

  test('when its port is closed, with http and https', async () => {
    const url = await gone();
    for (const address of [`${url}/`, `${url.replace('http:', 'https:')}/`]) {
      const { plain, inBrowser } = await refusals(address);
      assert.equal(inBrowser.code, 'SCRAPE_CONNECTION_ERROR');
      assert.deepEqual(inBrowser, plain);
    }
  });

  test('when its name does not exist', async () => {
    for (const scheme of ['http', 'https']) {
      const { plain, inBrowser } = await refusals(`${scheme}://nothing.invalid/`);
      assert.equal(inBrowser.code, 'SCRAPE_DNS_RESOLUTION_ERROR');
      assert.deepEqual(inBrowser, plain);
    }
  });

  test('when its port belongs to another protocol', async () => {
    const { plain, inBrowser } = await refusals('http://127.0.0.1:25/');
    assert.deepEqual(inBrowser, plain);
  });

  test('when a policy refuses it, also after a redirect', async () => {
    const there = site.page('/there', html('there')).replace('127.0.0.1', 'localhost');
    const door = site.page('/door', { status: 302, headers: { location: there } });
    for (const url of [there, door, there.replace('http:', 'https:')]) {
      const { plain, inBrowser } = await refusals(url, { threatProtection });
      assert.equal(inBrowser.code, 'FORBIDDEN');
      assert.deepEqual(inBrowser, plain);
    }
  });

  test('when it answers with something else than HTTP, or with nothing', async () => {
    await using nonsense = await serveBytes('nonsense\r\n\r\n');
    await using nothing = await serveBytes('');
    for (const [server, code] of [
      [nonsense, 'SCRAPE_BAD_RESPONSE'],
      [nothing, 'SCRAPE_CONNECTION_ERROR'],
    ] as const) {
      const { plain, inBrowser } = await refusals(`${server.url}/`);
      assert.equal(inBrowser.code, code);
      assert.deepEqual(inBrowser, plain);
    }
  });

  test('when it redirects for ever', async () => {
    const url = site.page('/circle', { status: 302, headers: { location: '/circle' } });
    assert.equal((await trawl.refusal({ url, ...rendered })).code, 'SCRAPE_TOO_MANY_REDIRECTS');
  });

  test('when it is a port of this service', async () => {
    const { plain, inBrowser } = await refusals(`${trawl.address}/health`);
    assert.deepEqual([inBrowser.code, inBrowser.status], ['SCRAPE_BLOCKED_TARGET', 403]);
    assert.match(inBrowser.error, /belongs to this service/);
    assert.deepEqual(inBrowser, plain);
  });
});

describe('certificates', () => {
  test('that nobody trusts are refused, and accepted with skipTlsVerification', async () => {
    const url = secure.page('/', html('<h1>Self-signed</h1>'));
    const { status, code, error } = await trawl.refusal({ url, ...rendered, skipTlsVerification: false });
    assert.deepEqual({ status, code }, { status: 500, code: 'SCRAPE_SSL_ERROR' });
    assert.match(error, /its certificate is self-signed.*"skipTlsVerification": true/);
    const { markdown } = await trawl.scrape(url, { ...rendered, skipTlsVerification: true });
    assert.match(markdown ?? '', /Self-signed/);
  });

  test('of another name, or none at all, are named', async () => {
    await using other = await serveHttps(selfSigned(['elsewhere.example']), (_, answer) => answer.end());
    const options = { ...rendered, skipTlsVerification: false };
    assert.equal((await trawl.refusal({ url: `${other.url}/`, ...options })).code, 'SCRAPE_SSL_ERROR');
    const plain = site.url('/').replace('http:', 'https:');
    const { code, error } = await trawl.refusal({ url: plain, ...options });
    assert.equal(code, 'SCRAPE_SSL_ERROR');
    assert.match(error, /does not speak TLS on this port/);
  });
});

describe('what is no page is fetched as if there were no browser', () => {
  for (const [kind, headers] of Object.entries({
    'a PDF': { 'content-type': 'application/pdf' },
    'a picture': { 'content-type': 'image/png' },
    'a download': { 'content-type': 'text/html', 'content-disposition': 'attachment; filename=a.html' },
    'a file of unknown type': { 'content-type': 'application/octet-stream' },
  })) {
    test(kind, async () => {
      const url = site.page('/file', { headers, body: kind === 'a PDF' ? '%PDF-1.7\n' : html('<h1>Inside</h1>') });
      const body = { url, maxAge: 0 };
      const plain = await trawl.post('/v2/scrape', body);
      const inBrowser = await trawl.post('/v2/scrape', { ...body, waitFor: 1 });
      assert.equal(inBrowser.status, plain.status);
      assert.equal(inBrowser.body.code, plain.body.code);
      assert.equal(inBrowser.body.data?.markdown, plain.body.data?.markdown);
      if (plain.status === 200) assert.match(inBrowser.body.data.warning ?? '', /does not show: screenshots, actions/);
    });
  }

  test('a 204', async () => {
    const url = site.page('/empty', { status: 204 });
    const { metadata } = await trawl.scrape(url, rendered);
    assert.equal(metadata.statusCode, 204);
  });
});

describe("the caller's headers", () => {
  const headers = {
    'X-Api-Key': 'secret',
    Authorization: 'Bearer secret',
    Cookie: 'session=secret; other=two',
    'User-Agent': 'Own/1.0',
    'Accept-Language': 'tlh, en;q=0.5, *;q=0.1',
  };

  test('go to the origin of the page and to no other, also after a redirect', async () => {
    for (const home of [site, secure]) {
      await using third = await startSite();
      third.page('/third.js', { headers: { 'content-type': 'text/javascript' }, body: '' });
      third.page('/landed', html('<img src="/landed.png">'));
      home.page('/own.js', { headers: { 'content-type': 'text/javascript' }, body: 'fetch("/own.json")' });
      home.page('/to-third', { status: 302, headers: { location: third.url('/redirected.js') } });
      const url = home.page(
        '/own',
        html(`<script src="/own.js"></script><script src="${third.url('/third.js')}"></script>
          <script src="/to-third"></script><iframe src="${third.url('/landed')}"></iframe>`),
      );
      const before = home.requests.length;
      await trawl.scrape(url, { ...rendered, headers, skipTlsVerification: true });
      const own = home.requests.slice(before).filter(({ path }) => /own/.test(path));
      assert.deepEqual(own.map(({ path }) => path).sort(), ['/own', '/own.js', '/own.json']);
      for (const { path, headers: sent } of own) {
        assert.equal(sent['x-api-key'], 'secret', path);
        assert.equal(sent.authorization, 'Bearer secret', path);
        assert.equal(sent.cookie, 'session=secret; other=two', path);
        assert.equal(sent['user-agent'], 'Own/1.0', path);
        assert.equal(sent['accept-language'], 'tlh,en;q=0.9', path);
      }
      const foreign = third.requests.map(({ path }) => path);
      for (const path of ['/third.js', '/redirected.js', '/landed']) assert.ok(foreign.includes(path), path);
      for (const { path, headers: sent } of third.requests) {
        assert.deepEqual(
          [sent['x-api-key'], sent.authorization, sent['user-agent']],
          [undefined, undefined, 'Own/1.0'],
          path,
        );
      }
    }
  });

  test('do not follow the page to another origin', async () => {
    await using other = await startSite();
    other.page('/landed', html('<h1>Landed</h1>'));
    const url = site.page('/leaves', {
      status: 302,
      headers: { location: other.url('/landed').replace('127.0.0.1', 'localhost') },
    });
    await trawl.scrape(url, { ...rendered, headers });
    const [landed] = other.requests;
    const { cookie, authorization, 'x-api-key': key } = landed?.headers ?? {};
    assert.deepEqual([landed?.path, cookie, authorization, key], ['/landed', undefined, undefined, undefined]);
  });

  test('that HTTP cannot carry are refused', async () => {
    const { code } = await trawl.refusal({ url: site.url('/own'), ...rendered, headers: { 'a b': 'c' } });
    assert.equal(code, 'BAD_REQUEST');
  });
});

describe('behind the proxy of the operator', () => {
  test('pages of http and https go through it, with its password', async () => {
    await using proxy = await serveProxy({ credentials: 'user:password' });
    await using behind = await startTrawl({ TRAWL_PROXY_ENHANCED: `http://user:password@${proxy.address}` });
    const options = { ...rendered, proxy: 'enhanced', skipTlsVerification: true };
    for (const home of [site, secure]) {
      const url = home.page('/behind', html('<h1>Behind</h1>'));
      const { markdown, metadata } = await behind.scrape(url, options);
      assert.match(markdown ?? '', /Behind/);
      assert.equal(metadata.proxyUsed, 'enhanced');
    }
    assert.ok(proxy.requests.includes(`GET ${site.url('/behind')}`));
    assert.ok(proxy.requests.includes(`CONNECT ${new URL(secure.url('/')).host}`));
  });

  test('its refusals are named', async () => {
    await using proxy = await serveProxy({ credentials: 'user:password' });
    await using behind = await startTrawl({ TRAWL_PROXY: `http://${proxy.address}` });
    for (const url of [site.url('/'), secure.url('/')]) {
      const { code, error } = await behind.refusal({ url, ...rendered });
      assert.equal(code, 'SCRAPE_PROXY_ERROR');
      assert.match(error, /TRAWL_PROXY does not accept the user name and password/);
    }
  });
});

describe('blockAds', () => {
  const resources = html(
    `<p style="font-family: f">Text</p><img src="/picture.png"><video src="/film.mp4" preload="auto"></video>
     <script>fetch('/data.json'); fetch('http://stats.doubleclick.net/collect', { mode: 'no-cors' }).catch(() => document.body.append('refused'))</script>`,
    '<style>@font-face { font-family: f; src: url(/font.woff2) }</style>',
  );
  const loaded = async (options: object) => {
    const url = site.page('/resources', resources);
    const before = site.requests.length;
    const { markdown } = await trawl.scrape(url, { ...rendered, waitFor: 500, ...options });
    const paths = new Set(site.requests.slice(before).map(({ path }) => path));
    return { paths, markdown: markdown ?? '' };
  };

  test('loads no fonts and no media, but pictures and data, and no advertising', async () => {
    const { paths, markdown } = await loaded({});
    assert.deepEqual([...paths].sort(), ['/data.json', '/picture.png', '/resources']);
    assert.match(markdown, /refused/);
  });

  test('loads fonts and media for a screenshot, and when it is off', async () => {
    for (const options of [{ formats: ['markdown', 'screenshot'] }, { blockAds: false }]) {
      const { paths } = await loaded(options);
      assert.ok(paths.has('/font.woff2') && paths.has('/film.mp4'), [...paths].join());
    }
  });
});
