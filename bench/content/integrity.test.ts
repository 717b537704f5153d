import assert from 'node:assert/strict';
import { test } from 'node:test';
import { measureIntegrity } from './integrity.ts';

const PAGE = `<nav><h2>Contents of the site</h2></nav>
<main>
  <h1>Sorting how-to</h1><div class="toc"><ul><li>Sorting basics</li></ul></div>
  <p>A simple sort is <a href="/easy">very easy</a>.</p>
  <dl><dt>sort(key)</dt><dd><p>Sorts by a key.</p></dd></dl>
  <pre>sorted([5, 2, 3])</pre>
  <table><tr><th>Name</th><td>Meaning of it</td></tr></table>
  <ul><li>The first item</li></ul>
</main>`;
const CONTENT = { main: 'main', drop: '.toc' };

test('counts lost content by kind', () => {
  const { of, lost } = measureIntegrity(PAGE, '# Sorting how-to\n\nA simple sort is [very easy](/easy).', CONTENT);
  assert.deepEqual(of, { headings: 1, terms: 1, code: 1, cells: 2, paragraphs: 2, items: 1 });
  assert.deepEqual(lost, { headings: 0, terms: 1, code: 1, cells: 2, paragraphs: 1, items: 1 });
});

test('reports nothing lost, out of order or run together for complete content', () => {
  const markdown = `# Sorting how-to\n\nA simple sort is [very easy](/easy).\n\n**sort(key)**\n\nSorts by a key.\n
\`\`\`\nsorted([5, 2, 3])\n\`\`\`\n\n| Name | Meaning of it |\n| --- | --- |\n\n- The first item\n`;
  const { lost, misplaced, merged } = measureIntegrity(PAGE, markdown, CONTENT);
  assert.deepEqual(lost, { headings: 0, terms: 0, code: 0, cells: 0, paragraphs: 0, items: 0 });
  assert.deepEqual({ misplaced, merged }, { misplaced: 0, merged: 0 });
});

test('counts pieces that are out of order and neighbours that ran together into one word', () => {
  const { misplaced, merged } = measureIntegrity(
    PAGE,
    'Sorts by a key.\n\nSorting how-to\n\nsort(key)\n\nNameMeaning of it',
    CONTENT,
  );
  assert.deepEqual({ misplaced, merged }, { misplaced: 1, merged: 1 });
});

test('an element with a text that occurs again later is the only one out of order', () => {
  const page = '<main><p>Note</p><h2>First part</h2><p>One</p><h2>Second part</h2><p>Two, with a note</p></main>';
  const { lost, misplaced } = measureIntegrity(page, '## First part\n\n## Second part\n\nTwo, with a note', CONTENT);
  assert.deepEqual({ headings: lost.headings, misplaced }, { headings: 0, misplaced: 1 });
});

test('finds code that looks like a numbered list', () => {
  const page = '<main><pre>1. First line\n2. Second line</pre><ol><li>Third line</li></ol></main>';
  const { lost } = measureIntegrity(page, '```\n1. First line\n2. Second line\n```\n\n1. Third line', CONTENT);
  assert.deepEqual({ code: lost.code, items: lost.items }, { code: 0, items: 0 });
});

test('finds text whose characters are written as entities', () => {
  const page = '<main><h2>fn get() -&gt; <a href="/r">Result</a>&lt;T&gt;</h2></main>';
  const { lost } = measureIntegrity(page, '## fn get() -> [Result](/r)&lt;T>', CONTENT);
  assert.equal(lost.headings, 0);
});
