import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { toMarkdown } from '../markdown/to-markdown.ts';
import { parseHtml } from '../parse-html.ts';
import { applyTags } from '../selectors.ts';
import { walkElements } from '../walk.ts';
import { BoxTitles } from './box-titles.ts';
import { showContent } from './visibility.ts';

/** The Markdown of a page whose matching elements were classified as boilerplate. */
function markdownWithout(selector: string, html: string): string {
  const tree = parseHtml(html, 'https://example.test/');
  showContent(tree);
  const titles = new BoxTitles();
  walkElements(tree.root.children, (element) => titles.meet(element));
  applyTags(tree, [], [selector]);
  titles.restore(tree.root.children);
  return toMarkdown(tree.root, { baseUrl: tree.baseUrl, removeBase64Images: true });
}

describe('the title of a box', () => {
  const admonition =
    '<div class="admonition note"><div class="admonition-title"><p>Mind the tide</p></div><p>a</p></div><p>b</p>';

  it('stays when the content below it stays', () => {
    const expected = '> [!NOTE]\n> **Mind the tide**\n>\n> a\n\nb';
    assert.equal(markdownWithout('.nothing', admonition), expected);
    assert.equal(markdownWithout('.admonition-title', admonition), expected);
  });

  it('is dropped when the content below it is dropped', () => {
    assert.equal(markdownWithout('.admonition', admonition), 'b');
  });

  it('stays in tables written by documentation generators', () => {
    const table =
      '<div class="tip"><table><tr><td><img src="a.png"></td><th>Mind the tide</th></tr><tr><td>a</td></tr></table></div>';
    assert.equal(markdownWithout('th', table), '> [!TIP]\n> **Mind the tide**\n>\n> a');
  });

  it('stays above tab panels, even those without paragraphs', () => {
    const tabs =
      '<div role="tablist"><button role="tab" aria-controls="a">npm</button><button role="tab" aria-controls="b">Yarn</button></div><div id="a">one</div><pre id="b">two</pre>';
    assert.equal(markdownWithout('.tab-label', tabs), '**npm**\n\none\n\n**Yarn**\n\n```\ntwo\n```');
    assert.equal(markdownWithout('#a, .tab-label', tabs), '**Yarn**\n\n```\ntwo\n```');
  });
});
