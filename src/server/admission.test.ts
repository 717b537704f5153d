import assert from 'node:assert/strict';
import { test } from 'node:test';
import Fastify from 'fastify';
import { requireGroups } from './admission.ts';

const answer = async () => 'open';

for (const config of [undefined, {}, { endpointGroup: 'scrape' }, { rateGroup: 'status' }] as const) {
  test(`a route that says ${JSON.stringify(config)} of its groups stops the start`, () => {
    const app = Fastify();
    app.addHook('onRoute', requireGroups);
    assert.throws(() => app.get('/v2/new', { ...(config && { config }) }, answer), /The route \/v2\/new has to say/);
  });
}

test('a route that says both is taken', () => {
  const app = Fastify();
  app.addHook('onRoute', requireGroups);
  app.get('/v2/new', { config: { endpointGroup: 'scrape', rateGroup: 'status' } }, answer);
});
