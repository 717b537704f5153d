import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { TrawlError } from '../errors.ts';
import { readAttributes } from './attributes.ts';
import { parseHtml } from './parse-html.ts';

function valuesOf(html: string, selector: string, attribute: string): string[] | undefined {
  return readAttributes(parseHtml(html, 'https://site.example/').root, [{ selector, attribute }])[0]?.values;
}

describe('readAttributes', () => {
  it('returns the values for each selector in document order, exactly as written', () => {
    const { root } = parseHtml(
      '<a class=x href="/b">b</a><p><a href="a?x=1&amp;y=2">a</a></p>',
      'https://site.example/',
    );
    const selectors = [
      { selector: 'a', attribute: 'href' },
      { selector: 'p > a', attribute: 'HREF' },
    ];
    assert.deepEqual(readAttributes(root, selectors), [
      { selector: 'a', attribute: 'href', values: ['/b', 'a?x=1&y=2'] },
      { selector: 'p > a', attribute: 'HREF', values: ['a?x=1&y=2'] },
    ]);
  });

  it('keeps empty and repeated values and skips elements without the attribute', () => {
    assert.deepEqual(valuesOf('<i data-x></i><i></i><i data-x=1></i><i data-x=1></i>', 'i', 'data-x'), ['', '1', '1']);
  });

  it('returns no values when nothing matches', () => {
    assert.deepEqual(valuesOf('<p>', 'table', 'id'), []);
    assert.deepEqual(valuesOf('<p>', 'p', 'constructor'), []);
  });

  it('refuses an invalid selector', () => {
    assert.throws(
      () => valuesOf('<p>', 'p[', 'id'),
      (error) => error instanceof TrawlError && error.code === 'BAD_REQUEST',
    );
  });

  it('stops at 10,000 values', () => {
    assert.equal(valuesOf('<i id=x></i>'.repeat(10_010), 'i', 'id')?.length, 10_000);
  });
});
