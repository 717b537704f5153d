import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shared } from './support/shared.ts';
import { html, startSite } from './support/site.ts';
import { startTrawl } from './support/trawl.ts';

const site = await shared(startSite());
const blocked = { status: 403, code: 'SCRAPE_BLOCKED_TARGET' };

test('without TRAWL_ALLOW_NETWORKS a private address is not scraped, however it is written', async () => {
  await using trawl = await startTrawl({ TRAWL_ALLOW_NETWORKS: '' });
  const { port } = new URL(site.page('/', html('<h1>Intranet</h1>')));
  for (const host of ['127.0.0.1', 'localhost', '2130706433', '0x7f.1', '[::1]', '[::ffff:127.0.0.1]', '0.0.0.0']) {
    const { status, code } = await trawl.refusal({ url: `http://${host}:${port}/` });
    assert.deepEqual({ status, code }, blocked, host);
  }
  for (const url of [
    'http://169.254.169.254/latest/meta-data/',
    'http://10.0.0.1/',
    'http://192.168.1.1/',
    'http://[fd00::1]/',
  ]) {
    const { status, code } = await trawl.refusal({ url });
    assert.deepEqual({ status, code }, blocked, url);
  }
  assert.equal(site.connections(), 0);
});

test('a public page cannot lead into a network that is not allowed', async () => {
  await using trawl = await startTrawl({ TRAWL_ALLOW_NETWORKS: '127.0.0.1/32' });
  const url = site.page('/door', { status: 302, headers: { location: 'http://169.254.169.254/latest/meta-data/' } });
  const { status, code } = await trawl.refusal({ url });
  assert.deepEqual({ status, code }, blocked);
});

test('version 1 is guarded as well', async () => {
  await using trawl = await startTrawl({ TRAWL_ALLOW_NETWORKS: '' });
  const { status, code } = await trawl.refusal({ url: site.url('/') }, { version: 'v1' });
  assert.deepEqual({ status, code }, blocked);
});
