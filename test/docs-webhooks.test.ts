import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { openStore } from '../src/store/open-store.ts';
import { FIRST_TEAM_ID } from '../src/team/keys.ts';
import { MAX_DOCUMENT_BYTES } from '../src/webhook/event-body.ts';
import { startBatch } from './support/batch.ts';
import { temporaryFolder } from './support/folder.ts';
import { startReceiver } from './support/receiver.ts';
import { html, startSite } from './support/site.ts';
import { startTrawl } from './support/trawl.ts';

const page = readFileSync(join(import.meta.dirname, '..', 'docs', 'webhooks.md'), 'utf8');

test('the check in docs/webhooks.md accepts genuine events and nothing else', async () => {
  const [, code = ''] = /```js\n(.*?)```/s.exec(page) ?? [];
  await using folder = await temporaryFolder();
  const file = join(folder.path, 'check.mjs');
  await writeFile(file, code);
  const { isGenuine } = await import(file);

  await using site = await startSite();
  await using receiver = await startReceiver();
  await using trawl = await startTrawl();
  await startBatch(trawl, { urls: [site.page('/', html('<h1>Grüße</h1>'))], webhook: receiver.url() });
  const received = await receiver.until(3);
  const store = await openStore({ dataDir: trawl.dataDir });
  const secret = await store.webhooks.secret(FIRST_TEAM_ID);
  await store.close();
  for (const { headers, body } of received) {
    assert.equal(isGenuine(secret, headers, body), true);
    assert.equal(isGenuine(secret, headers, body.replace('true', 'false')), false);
    assert.equal(isGenuine(`whsec_${Buffer.alloc(32).toString('base64')}`, headers, body), false);
    assert.equal(isGenuine(secret, { ...headers, 'webhook-id': 'another' }, body), false);
    const old = String(Number(headers['webhook-timestamp']) - 600);
    assert.equal(isGenuine(secret, { ...headers, 'webhook-timestamp': old }, body), false);
    assert.equal(isGenuine(secret, {}, body), false);
  }
});

test('docs/webhooks.md says how large a document may be', () => {
  assert.ok(page.includes(`over ${MAX_DOCUMENT_BYTES / 1024 / 1024} MB`));
});
