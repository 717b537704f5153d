import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { refreshReference } from './meta-refresh.ts';

const meta = (content: string) => `<head><meta http-equiv="refresh" content="${content}"></head>Moving on`;

describe('a refresh', () => {
  for (const [content, reference] of [
    ['0; url=/next', '/next'],
    ['0;URL=/next', '/next'],
    ['1, url = /next ', '/next'],
    ["0; url='/next page'", '/next page'],
    ["0; url='/next", '/next'],
    ['0 url=/next', '/next'],
    ['0; /next', '/next'],
    ['0.5; url=/next', '/next'],
    ['; url=/next', '/next'],
    ['0; url=http://example.com/?a=1;b=2', 'http://example.com/?a=1;b=2'],
    ['0; url=/a&amp;b', '/a&b'],
  ]) {
    test(`of "${content}" redirects to ${reference}`, () =>
      assert.equal(refreshReference(meta(content ?? ''), undefined), reference));
  }

  for (const content of [
    '2; url=/next',
    '30; url=/next',
    '0',
    '0;',
    '0; url=',
    '',
    'soon; url=/next',
    '-1; url=/next',
  ]) {
    test(`of "${content}" does not redirect`, () =>
      assert.equal(refreshReference(meta(content), undefined), undefined));
  }

  test('in the header works like one in the page', () => {
    assert.equal(refreshReference('Moving on', '0; url=/next'), '/next');
    assert.equal(refreshReference('Moving on', '5; url=/next'), undefined);
  });

  test('may be written in any case and with attributes in any order', () => {
    assert.equal(refreshReference("<META CONTENT='0;URL=/next' HTTP-EQUIV=Refresh>", undefined), '/next');
  });

  test('is not followed from a page with content', () => {
    assert.equal(refreshReference(meta('0; url=/next') + 'word '.repeat(100), undefined), undefined);
    const hidden = `<title>${'t'.repeat(400)}</title><script>${'s'.repeat(400)}</script><style>${'c'.repeat(400)}</style>`;
    assert.equal(refreshReference(hidden + meta('0; url=/next'), undefined), '/next');
  });

  test('is not followed if browsers with scripts do not see it', () => {
    assert.equal(refreshReference(`<noscript>${meta('0; url=/no-scripts')}</noscript>`, undefined), undefined);
    assert.equal(refreshReference(`<!-- ${meta('0; url=/old')} -->`, undefined), undefined);
    assert.equal(refreshReference(`<script>document.write('${meta('0; url=/x')}')</script>`, undefined), undefined);
  });

  test('is found in time linear in the size', () => {
    const start = performance.now();
    refreshReference(`http-equiv=refresh${'<noscript><meta '.repeat(2000)}`, undefined);
    assert.ok(performance.now() - start < 1000);
  });
});
