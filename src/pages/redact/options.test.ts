import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TrawlError } from '../../errors.ts';
import { type RedactionRequest, toRedactOptions } from './options.ts';

const BY_RULE = ['EMAIL', 'PHONE', 'FINANCIAL', 'SECRET'];

test('asks for nothing when redactPII is left out or false', () => {
  assert.equal(toRedactOptions(undefined), undefined);
  assert.equal(toRedactOptions(false), undefined);
});

for (const request of [true, {}, { entities: [] }, { mode: 'fast' }] satisfies (boolean | RedactionRequest)[]) {
  test(`covers the four kinds and warns of what is left out for ${JSON.stringify(request)}`, () => {
    const options = toRedactOptions(request);
    assert.deepEqual(options?.entities, BY_RULE);
    assert.equal(options?.replaceStyle, 'tag');
    assert.match(options?.warning ?? '', /PERSON.*LOCATION/);
  });
}

test('covers what is listed, without a warning', () => {
  assert.deepEqual(toRedactOptions({ entities: ['SECRET', 'EMAIL', 'EMAIL'], replaceStyle: 'mask' }), {
    entities: ['EMAIL', 'SECRET'],
    replaceStyle: 'mask',
  });
});

for (const mode of ['accurate', 'aggressive', 'fast'] as const) {
  test(`takes mode ${mode} and does the same as without`, () => {
    assert.deepEqual(toRedactOptions({ mode, entities: ['EMAIL'] }), { entities: ['EMAIL'], replaceStyle: 'tag' });
  });
}

test('refuses people and places by name', () => {
  assert.throws(
    () => toRedactOptions({ entities: ['EMAIL', 'LOCATION', 'PERSON'] }),
    (error) =>
      error instanceof TrawlError && error.code === 'NOT_AVAILABLE' && /PERSON and LOCATION/.test(error.message),
  );
  assert.throws(() => toRedactOptions({ entities: ['PERSON'] }), /names PERSON,/);
});
