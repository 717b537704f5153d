import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { serveProxy } from '../src/fetch/testing/proxy.ts';
import { shared } from './support/shared.ts';
import { html, startSite } from './support/site.ts';
import { startTrawl } from './support/trawl.ts';

const site = await shared(startSite());
const basic = await shared(serveProxy());
const enhanced = await shared(serveProxy());
const url = site.page('/', html('<h1>Seen from elsewhere</h1>'));
const fresh = { maxAge: 0 };

describe('proxies', () => {
  test('TRAWL_PROXY is used unless the request asks for another', async () => {
    await using trawl = await startTrawl({ TRAWL_PROXY: `http://${basic.address}` });
    const before = basic.requests.length;
    const { markdown, metadata } = await trawl.scrape(url, fresh);
    assert.match(markdown ?? '', /Seen from elsewhere/);
    assert.equal(metadata.proxyUsed, 'basic');
    assert.equal(basic.requests.length, before + 1);
  });

  for (const [version, proxy] of [
    ['v2', 'enhanced'],
    ['v2', 'stealth'],
    ['v1', 'stealth'],
  ] as const) {
    test(`"${proxy}" in ${version} goes through TRAWL_PROXY_ENHANCED`, async () => {
      await using trawl = await startTrawl({ TRAWL_PROXY_ENHANCED: `http://${enhanced.address}` });
      const before = enhanced.requests.length;
      const { metadata } = await trawl.scrape(url, { ...fresh, proxy }, { version });
      assert.equal(metadata.proxyUsed, 'enhanced');
      assert.equal(enhanced.requests.length, before + 1);
    });

    test(`"${proxy}" in ${version} uses the basic proxy with a warning when the operator has no second one`, async () => {
      await using trawl = await startTrawl({ TRAWL_PROXY: `http://${basic.address}` });
      const before = basic.requests.length;
      const { metadata, warning } = await trawl.scrape(url, { ...fresh, proxy }, { version });
      assert.equal(metadata.proxyUsed, 'basic');
      assert.equal(basic.requests.length, before + 1);
      assert.match(warning ?? '', /"proxy": "enhanced" has no effect.*TRAWL_PROXY_ENHANCED/);
    });
  }

  test('"auto" uses the enhanced proxy when the site blocks the basic one', async () => {
    await using trawl = await startTrawl({ TRAWL_PROXY_ENHANCED: `http://${enhanced.address}` });
    let visits = 0;
    const guarded = site.page('/guarded', (_request, response) => {
      visits += 1;
      const status = visits <= 2 ? 403 : 200;
      response.writeHead(status, { 'content-type': 'text/html' }).end(html(`<h1>Visit ${visits}</h1>`));
    });
    const { markdown, metadata } = await trawl.scrape(guarded);
    assert.match(markdown ?? '', /Visit 3/);
    assert.equal(metadata.statusCode, 200);
    assert.equal(metadata.proxyUsed, 'enhanced');
  });

  test('a proxy that cannot be reached is a 502', async () => {
    await using trawl = await startTrawl({ TRAWL_PROXY: 'http://127.0.0.1:1' });
    const { status, code } = await trawl.refusal({ url });
    assert.deepEqual({ status, code }, { status: 502, code: 'SCRAPE_PROXY_ERROR' });
  });
});
