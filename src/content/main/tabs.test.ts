import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ReadOptions } from '../page-content.ts';
import { parseHtml } from '../parse-html.ts';
import { readPage } from '../read-page.ts';
import { showContent } from './visibility.ts';

const OPTIONS: ReadOptions = {
  formats: ['markdown'],
  onlyMainContent: false,
  onlyCleanContent: false,
  includeTags: [],
  excludeTags: [],
  removeBase64Images: true,
  blockAds: true,
  attributes: [],
};
const SENTENCE =
  'The harbour of the old town was built for sailing ships, so its quays are low, its basins small and its cranes made of wood.';

function markdownOf(html: string, options: Partial<ReadOptions> = {}): string {
  return readPage({ html, url: 'https://example.test/docs/quays' }, { ...OPTIONS, ...options }).markdown ?? '';
}

/** The Markdown of both labels above their panels. */
const PAIR = '**npm**\n\nnpm install a\n\n**Yarn**\n\nyarn add a';

describe('tabs', () => {
  const sets: Record<string, string> = {
    'of Docusaurus':
      '<div class="tabs-container"><ul role="tablist" class="tabs"><li role="tab" tabindex="0" aria-selected="true" class="tabs__item">npm</li><li role="tab" tabindex="-1" aria-selected="false" class="tabs__item">Yarn</li></ul><div class="margin-top--md"><div role="tabpanel" class="tabItem_Ymn6">npm install a</div><div role="tabpanel" class="tabItem_Ymn6" hidden="">yarn add a</div></div></div>',
    'of MkDocs':
      '<div class="tabbed-set tabbed-alternate" data-tabs="1:2"><input checked="checked" id="__tabbed_1_1" name="__tabbed_1" type="radio"><input id="__tabbed_1_2" name="__tabbed_1" type="radio"><div class="tabbed-labels"><label for="__tabbed_1_1">npm</label><label for="__tabbed_1_2">Yarn</label></div><div class="tabbed-content"><div class="tabbed-block"><p>npm install a</p></div><div class="tabbed-block"><p>yarn add a</p></div></div></div>',
    'of sphinx-design':
      '<div class="sd-tab-set docutils"><input checked id="sd-tab-item-0" name="sd-tab-set-0" type="radio"><label class="sd-tab-label" for="sd-tab-item-0">npm</label><div class="sd-tab-content docutils"><p>npm install a</p></div><input id="sd-tab-item-1" name="sd-tab-set-0" type="radio"><label class="sd-tab-label" for="sd-tab-item-1">Yarn</label><div class="sd-tab-content docutils"><p>yarn add a</p></div></div>',
    'of sphinx-tabs':
      '<div class="sphinx-tabs docutils container"><div aria-label="Tabbed content" class="closeable" role="tablist"><button aria-controls="panel-0-0-0" aria-selected="true" class="sphinx-tabs-tab" id="tab-0-0-0" role="tab">npm</button><button aria-controls="panel-0-0-1" aria-selected="false" class="sphinx-tabs-tab" id="tab-0-0-1" role="tab">Yarn</button></div><div aria-labelledby="tab-0-0-0" class="sphinx-tabs-panel" id="panel-0-0-0" role="tabpanel"><p>npm install a</p></div><div aria-labelledby="tab-0-0-1" class="sphinx-tabs-panel" hidden="true" id="panel-0-0-1" role="tabpanel"><p>yarn add a</p></div></div>',
    'of Starlight':
      '<starlight-tabs><div class="tablist-wrapper"><ul role="tablist"><li role="presentation" class="tab"><a role="tab" href="#tab-panel-1" id="tab-1" aria-selected="true">npm</a></li><li role="presentation" class="tab"><a role="tab" href="#tab-panel-2" id="tab-2" aria-selected="false">Yarn</a></li></ul></div><div id="tab-panel-1" aria-labelledby="tab-1" role="tabpanel"><p>npm install a</p></div><div id="tab-panel-2" aria-labelledby="tab-2" role="tabpanel" hidden><p>yarn add a</p></div></starlight-tabs>',
    'of VitePress':
      '<div class="vp-code-group"><div class="tabs"><input type="radio" name="group-1" id="tab-1" checked><label data-title="npm" for="tab-1">npm</label><input type="radio" name="group-1" id="tab-2"><label for="tab-2">Yarn</label></div><div class="blocks"><div class="language-sh active">npm install a</div><div class="language-sh">yarn add a</div></div></div>',
    'of Bootstrap 5':
      '<ul class="nav nav-tabs" role="tablist"><li class="nav-item" role="presentation"><button class="nav-link active" data-bs-toggle="tab" data-bs-target="#a" type="button" role="tab">npm</button></li><li class="nav-item" role="presentation"><button class="nav-link" data-bs-toggle="tab" data-bs-target="#b" type="button" role="tab">Yarn</button></li></ul><div class="tab-content"><div class="tab-pane fade show active" id="a" role="tabpanel">npm install a</div><div class="tab-pane fade" id="b" role="tabpanel">yarn add a</div></div>',
    'of Bootstrap 3':
      '<ul class="nav nav-tabs"><li class="active"><a href="#a" data-toggle="tab">npm</a></li><li><a href="#b" data-toggle="tab">Yarn</a></li></ul><div class="tab-content"><div class="tab-pane active" id="a">npm install a</div><div class="tab-pane" id="b" style="display:none">yarn add a</div></div>',
    'by WAI-ARIA, named by their panels alone':
      '<div role="tablist"><span role="tab" id="x">npm</span><span role="tab" id="y">Yarn</span></div><section role="tabpanel" aria-labelledby="x">npm install a</section><section role="tabpanel" aria-labelledby="y" hidden>yarn add a</section>',
    'of radio buttons before panels beside them':
      '<div class="tabs"><input type="radio" name="t" id="x" checked><input type="radio" name="t" id="y"><label for="x">npm</label><label for="y">Yarn</label><div class="panel">npm install a</div><div class="panel">yarn add a</div></div>',
    'that are on the page twice, for phones too':
      '<div role="tablist"><button role="tab" aria-controls="a">npm</button><button role="tab" aria-controls="b">Yarn</button></div><div role="tablist"><button role="tab" aria-controls="a">npm</button><button role="tab" aria-controls="b">Yarn</button></div><div id="a">npm install a</div><div id="b">yarn add a</div>',
  };
  for (const [name, html] of Object.entries(sets)) {
    it(`become titles of their panels: those ${name}`, () => assert.equal(markdownOf(html), PAIR));
  }

  it('become titles of their panels whatever part of the main content is chosen', () => {
    for (const html of Object.values(sets)) {
      const page = `<nav><a href="/a">Menu</a></nav><main><h1>Quays</h1><p>${SENTENCE}</p>${html.replaceAll('install a', `install a. ${SENTENCE}`).replaceAll('add a', `add a. ${SENTENCE}`)}<p>${SENTENCE}</p></main>`;
      const markdown = markdownOf(page, { onlyMainContent: true });
      assert.match(markdown, /\n\n\*\*npm\*\*\n\nnpm install a\. The.*\n\n\*\*Yarn\*\*\n\nyarn add a\. The/, html);
    }
  });

  it('belong to their own list when one element has several lists', () => {
    const list = (label: string) => `<ul role="tablist"><li role="tab">${label}</li><li role="tab">Yarn</li></ul>`;
    const panels = '<div role="tabpanel">install</div><div role="tabpanel" hidden>add</div>';
    const expected = (label: string) => `**${label}**\n\ninstall\n\n**Yarn**\n\nadd`;
    assert.equal(
      markdownOf(`<main>${list('npm')}${panels}${list('pnpm')}${panels}</main>`),
      `${expected('npm')}\n\n${expected('pnpm')}`,
    );
    const outer = `<ul role="tablist"><li role="tab">One</li><li role="tab">Two</li></ul><div role="tabpanel">${list('npm')}</div><div role="tabpanel">text</div>`;
    assert.equal(markdownOf(outer), '**One**\n\n- npm\n- Yarn\n\n**Two**\n\ntext');
  });

  it('can be nested', () => {
    const inner = (id: string) =>
      `<div role="tablist"><button role="tab" aria-controls="${id}">Inner ${id}</button></div><div role="tabpanel" id="${id}">text ${id}</div>`;
    const html = `<ul role="tablist"><li role="tab">One</li><li role="tab">Two</li></ul><div role="tabpanel">${inner('a')}</div><div role="tabpanel" hidden>${inner('b')}</div>`;
    assert.equal(markdownOf(html), '**One**\n\n**Inner a**\n\ntext a\n\n**Two**\n\n**Inner b**\n\ntext b');
  });

  it('are not repeated when the panel has a heading with the same words', () => {
    const html =
      '<ul role="tablist"><li role="tab" aria-controls="a"><a href="#a">Size</a></li></ul><div id="a"><h2>Size</h2><p>20 m</p></div>';
    assert.equal(markdownOf(html), '## Size\n\n20 m');
  });

  it('have the label of the open panel when only that one is there', () => {
    const html =
      '<div role="tablist"><button role="tab" aria-selected="false">npm</button><button role="tab" aria-selected="true">Yarn</button></div><div role="tabpanel">yarn add a</div>';
    assert.equal(markdownOf(html), '**Yarn**\n\nyarn add a');
  });

  it('stay in their row as separate words when they filter one panel or open nothing', () => {
    const filters =
      '<div role="tablist"><button role="tab" aria-controls="a">all</button><button role="tab" aria-controls="a">some</button></div><div id="a" role="tabpanel">text</div>';
    assert.equal(markdownOf(filters), 'all some\n\ntext');
    const labels =
      '<p><input type="radio" name="c" id="r"><label for="r">red</label><input type="radio" name="c" id="b"><label for="b">blue</label></p>';
    assert.equal(markdownOf(labels), 'red blue');
  });

  it('stay above the content they fold, in accordions', () => {
    const html =
      '<div role="tablist"><div><h4 role="tab"><a href="#a" aria-controls="a">How long?</a></h4><div id="a" role="tabpanel">A day.</div></div></div>';
    assert.match(markdownOf(html), /^#### .*How long\?.*\n\nA day\.$/);
  });

  it('do not label slides and cards', () => {
    for (const label of ['1', '1 of 4', 'Item 2', 'Go to slide 3']) {
      const slides = `<div role="tablist"><button role="tab" aria-controls="a">${label}</button></div><div id="a" role="tabpanel">text</div>`;
      assert.equal(markdownOf(slides), `${label}\n\ntext`);
    }
    const cards = `<div role="tablist"><div role="tab" aria-controls="a">${SENTENCE}</div></div><div id="a" role="tabpanel">text</div>`;
    assert.equal(markdownOf(cards), `${SENTENCE}\n\ntext`);
  });

  it('precede panels without paragraphs', () => {
    const html =
      '<div role="tablist"><button role="tab" aria-controls="a">npm</button></div><pre id="a" role="tabpanel" hidden>npm i</pre>';
    assert.equal(markdownOf(html), '**npm**\n\n```\nnpm i\n```');
  });

  it('keep the counts of the tree correct', () => {
    for (const html of [
      '<div role="tablist"><button role="tab" aria-controls="a">npm</button></div><div hidden id="a">text, more</div>',
      '<ul class="tabs" role="tablist"><li role="tab" aria-controls="a"><a href="#a">npm</a></li></ul><div class="tab" id="a">text, more</div>',
    ]) {
      const tree = parseHtml(html, 'https://example.test/');
      showContent(tree);
      const { textLength, linkLength, commas } = tree.root;
      assert.deepEqual([textLength, linkLength, commas], ['npmtext, more'.length, 0, 1]);
    }
  });

  it('take linear time', () => {
    const many = 20_000;
    const html = `${'<div role="tablist"><button role="tab">x</button></div>'.repeat(many)}${'<div class="tabs"><input type="radio" id="r"><label for="r">y</label></div>'.repeat(many)}`;
    const tree = parseHtml(html, 'https://example.test/');
    showContent(tree);
    assert.equal(tree.root.textLength, 2 * many);
  });
});
