import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { robotsTag } from './robots-tag.ts';

const CASES: readonly (readonly [header: string | undefined, noindex: boolean, nofollow: boolean])[] = [
  [undefined, false, false],
  ['', false, false],
  ['nofollow', false, true],
  ['NoIndex', true, false],
  ['noindex, nofollow', true, true],
  ['none', true, true],
  ['trawl: nofollow', false, true],
  ['Trawl: noindex, nofollow', true, true],
  ['otherbot: noindex, nofollow', false, false],
  ['nofollow, otherbot: noindex', false, true],
  ['otherbot: noindex, trawl: nofollow', false, true],
  ['unavailable_after: 25 Jun 2030 15:00:00 GMT', false, false],
  ['max-snippet:20, nofollow', false, true],
];

describe('the X-Robots-Tag header', () => {
  for (const [header, noindex, nofollow] of CASES) {
    test(`"${header}" asks for ${JSON.stringify({ noindex, nofollow })}`, () => {
      assert.deepEqual(robotsTag(header, 'Trawl'), { noindex, nofollow });
    });
  }
});
