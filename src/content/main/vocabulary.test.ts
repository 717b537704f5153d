import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Part, partsOf } from './vocabulary.ts';

function named(value: string): string[] {
  const parts = partsOf(value);
  return Object.entries(Part)
    .filter(([, bit]) => (parts & bit) !== 0)
    .map(([name]) => name)
    .sort();
}

describe('partsOf', () => {
  const cases: [value: string, parts: string[]][] = [
    ['nav', ['Navigation']],
    ['site-nav', ['Navigation']],
    ['siteNav', ['Navigation']],
    ['site_nav2', ['Navigation']],
    ['Footer', ['Footer']],
    ['sr-only', ['ScreenReader']],
    ['srOnly', ['ScreenReader']],
    ['read-next', ['Related']],
    ['verwandt', ['Related']],
    ['col-4 share sidebar', ['Share', 'Sidebar']],
    ['entry-content', ['Main', 'Prose']],
    ['ad-slot', ['Advert']],
    ['google_ad', ['Advert']],
    ['', []],
    ['   ', []],
    ['navigable', []],
    ['shared-layout', []],
  ];
  for (const [value, parts] of cases) {
    it(`reads "${value}" as ${parts.join(' and ') || 'nothing'}`, () => assert.deepEqual(named(value), parts));
  }

  it('ignores names that describe other elements', () => {
    assert.deepEqual(named('has-sidebar no-comments with-nav hide-footer'), []);
  });

  it('ignores names that describe the topic of a text', () => {
    assert.deepEqual(named('category-cookies tag-footer'), []);
    assert.deepEqual(named('tag-cloud'), ['Tags']);
  });

  it('ignores generated names', () => {
    assert.deepEqual(named('w-node-e58e1b5a83f0ad3a'), []);
    assert.deepEqual(named('css-1adKqa'), []);
    assert.deepEqual(named('table_root__adKqa'), []);
  });

  it('ignores ids of headings', () => {
    assert.deepEqual(named('a-menu-for-people-who-cook-at-sea'), []);
  });

  it('ignores utility classes with a condition or a value', () => {
    assert.deepEqual(named('md:nav w-1/2 top-[var(--nav)]'), []);
  });
});
