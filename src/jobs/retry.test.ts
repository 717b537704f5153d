import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type ErrorCode, TrawlError } from '../errors.ts';
import { judge, pauseOf, quicker, slower } from './retry.ts';

const AT = 1_000_000;
const error = (code: ErrorCode, headers: Record<string, string> = {}) =>
  new TrawlError(code, 'It failed.', { headers });

describe('a page that failed', () => {
  for (const code of [
    'SCRAPE_CONNECTION_ERROR',
    'SCRAPE_PROXY_ERROR',
    'SCRAPE_TIMEOUT',
    'SCRAPE_HOST_BUSY',
    'SCRAPE_ROBOTS_UNREACHABLE',
  ] as const) {
    test(`with ${code} is tried again twice, after a longer pause each time, and then reported`, () => {
      for (const [attempts, least] of [
        [0, 2_000],
        [1, 4_000],
      ] as const) {
        const verdict = judge(error(code), attempts, AT);
        assert.ok(verdict.type === 'again');
        assert.ok(verdict.runAt >= AT + least && verdict.runAt <= AT + least * 1.5, `${verdict.runAt - AT} ms`);
      }
      assert.deepEqual(judge(error(code), 2, AT), { type: 'failed', code, message: 'It failed.' });
    });
  }

  for (const code of [
    'SCRAPE_DNS_RESOLUTION_ERROR',
    'SCRAPE_SSL_ERROR',
    'SCRAPE_BLOCKED_TARGET',
    'SCRAPE_HOST_DOWN',
  ] as const) {
    test(`with ${code} is reported at once`, () => {
      assert.deepEqual(judge(error(code), 0, AT), { type: 'failed', code, message: 'It failed.' });
    });
  }

  for (const [code, pause] of [
    ['STORE_UNAVAILABLE', 1_000],
    ['SHUTTING_DOWN', 1_000],
    ['OVERLOADED', 1_000],
    ['QUEUE_FULL', 30_000],
  ] as const) {
    test(`with ${code} goes back as it was, however often`, () => {
      assert.deepEqual(judge(error(code), 7, AT), { type: 'returned', runAt: AT + pause });
    });
  }

  test('for an unexpected reason is reported without that reason', () => {
    const verdict = judge(new Error('secret path /srv/x'), 0, AT);
    assert.ok(verdict.type === 'failed' && verdict.code === 'INTERNAL_ERROR');
    assert.doesNotMatch(verdict.message, /secret/);
  });
});

describe('a host that is busy', () => {
  for (const [says, headers, pause] of [
    ['nothing', {}, 2_000],
    ['20 seconds', { 'retry-after': '20' }, 20_000],
    ['a day', { 'retry-after': '86400' }, 300_000],
    ['0', { 'retry-after': '0' }, 0],
    ['a third of a second', { 'retry-after': '0.3333' }, 334],
    ['a moment that is over', { 'retry-after': '-5' }, 0],
  ] as const) {
    test(`and asks for ${says} is left alone for ${pause} ms`, () => {
      assert.equal(pauseOf(error('SCRAPE_HOST_BUSY', headers)), pause);
    });
  }

  test('has its page retried no sooner than it asked', () => {
    const verdict = judge(error('SCRAPE_HOST_BUSY', { 'retry-after': '20' }), 0, AT);
    assert.deepEqual(verdict, { type: 'again', runAt: AT + 20_000 });
  });

  test('is left alone, unlike after other failures', () => {
    assert.equal(pauseOf(error('SCRAPE_TIMEOUT')), null);
    assert.equal(pauseOf(new Error('other')), null);
  });

  test('is contacted half as often each time, but at least every 4 seconds', () => {
    assert.deepEqual([0, 250, 1_500, 3_000, 4_000].map(slower), [250, 500, 3_000, 4_000, 4_000]);
  });

  test('is contacted a little more often after each page, and in the end at the normal pace', () => {
    const delays = [1_000];
    while (delays.at(-1) !== 0 && delays.length < 150) delays.push(quicker(delays.at(-1) ?? 0));
    assert.equal(delays.at(-1), 0);
    assert.deepEqual([delays[1], delays.filter((delay) => delay >= 500).length], [980, 34]);
  });
});
