import assert from 'node:assert/strict';
import { test } from 'node:test';
import Fastify from 'fastify';
import { requireGroups } from './admission.ts';

const answer = async () => 'open';

for (const config of [undefined, {}, { endpointGroup: 'scrape' }, { rateGroup: 'status' }] as const) {
  test(`a route whose config is ${JSON.stringify(config)} prevents the start`, () => {
    const app = Fastify();
    app.addHook('onRoute', requireGroups);
    assert.throws(() => app.get('/v2/new', { ...(config && { config }) }, answer), /The route \/v2\/new must set/);
  });
}

test('a route with both groups is accepted', () => {
  const app = Fastify();
  app.addHook('onRoute', requireGroups);
  app.get('/v2/new', { config: { endpointGroup: 'scrape', rateGroup: 'status' } }, answer);
});
