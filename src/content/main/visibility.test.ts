import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { toMarkdown } from '../markdown/to-markdown.ts';
import { parseHtml } from '../parse-html.ts';
import type { PageTree } from '../tree.ts';
import { showContent } from './visibility.ts';

const LONG = 'The harbour of the old town was built for sailing ships. '.repeat(10).trim();

function shown(html: string): PageTree {
  const tree = parseHtml(html, 'https://example.test/');
  showContent(tree);
  return tree;
}

function markdownOf({ root, baseUrl }: PageTree): string {
  return toMarkdown(root.children, { baseUrl, removeBase64Images: true });
}

describe('showContent', () => {
  it('leaves permanently hidden content hidden', () => {
    const tree = shown(`<p>Seen</p><p hidden>One</p><p style="display:none">Two</p><p aria-hidden="true">Three</p>`);
    assert.equal(markdownOf(tree), 'Seen');
  });

  it('opens the panels of tabs and accordions', () => {
    const tree = shown(
      '<p>Seen</p><div role="tabpanel" hidden>Size</div><div class="accordion__body" style="display:none">Care</div>',
    );
    assert.equal(markdownOf(tree), 'Seen\n\nSize\n\nCare');
  });

  it('takes the heading of a panel out of its button', () => {
    const tree = shown(
      '<p>Seen</p><h3><button>How long?</button></h3><div role="region" hidden>A day.</div><button><h4>How far?</h4></button><button>Buy</button>',
    );
    assert.equal(markdownOf(tree), 'Seen\n\n### How long?\n\nA day.\n\n#### How far?');
  });

  it('shows a page that is hidden until its script runs', () => {
    const tree = shown(`<body><p>Loading</p><div style="visibility: hidden"><p>${LONG}</p></div></body>`);
    assert.ok(markdownOf(tree).includes(LONG));
  });

  it('moves streamed content into place', () => {
    const tree = shown(
      '<main><h1>Title</h1><template id="B:0"></template><p>After</p></main><div hidden id="S:0"><p>Late</p><template id="P:1"></template></div><div hidden id="S:1"><p>Later</p></div>',
    );
    assert.equal(markdownOf(tree), '# Title\n\nLate\n\nLater\n\nAfter');
    assert.equal(tree.root.textLength, 'TitleLateLaterAfter'.length);
  });

  it('leaves a streamed piece that targets itself where it is', () => {
    const tree = shown('<p>Seen</p><div hidden id="S:0"><template id="B:0"></template>Late</div>');
    assert.equal(markdownOf(tree), 'Seen');
  });

  it('reads noscript only when it is most of the page', () => {
    assert.ok(markdownOf(shown(`<p>Loading</p><noscript><p>${LONG}</p></noscript>`)).includes(LONG));
    assert.equal(markdownOf(shown(`<p>${LONG}</p><noscript><p>Turn scripts on.</p></noscript>`)), LONG);
  });

  it('keeps the counts of the tree correct', () => {
    const tree = shown('<div><p>Seen, read</p><div role="tabpanel" hidden>Size, <a href="/care">care</a></div></div>');
    const { textLength, linkLength, commas } = tree.root;
    assert.deepEqual({ textLength, linkLength, commas }, { textLength: 19, linkLength: 4, commas: 2 });
  });

  it('takes linear time for many buttons and many pieces', () => {
    const many = 50_000;
    const tree = shown(
      `<h1>${'<button>x</button>'.repeat(many)}</h1>${'<template id="B:0"></template>'.repeat(many)}${'<div hidden id="S:0">y</div>'.repeat(many)}`,
    );
    assert.ok(tree.root.textLength >= many);
  });
});
