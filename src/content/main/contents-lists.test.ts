import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseHtml } from '../parse-html.ts';
import { textOf } from '../walk.ts';
import { readBlocks } from './blocks.ts';
import { settleContentsLists } from './contents-lists.ts';
import { MODEL } from './model.ts';

/** The lines kept of a page in which lines with `+` were kept so far and lines with `0` are never content. */
function keptOf(html: string): string[] {
  const { root } = parseHtml(html, 'https://example.com/');
  const { lines } = readBlocks(root, new Set(), MODEL);
  const texts = lines.map(({ element }) => textOf(element, 100));
  for (const [index, line] of lines.entries()) line.isKept = texts[index]?.startsWith('+') ?? false;
  const likelihoods = texts.map((text) => (text.startsWith('0') ? 0 : 0.5));
  settleContentsLists(lines, likelihoods, 'https://example.com/manual/knots.html?v=2#top');
  return texts.filter((_, index) => lines[index]?.isKept);
}

const CONTENTS = `<ul><li>+ 1. <a href="#bends">Bends of rope</a></li><li><a href="#hitches">- Hitches</a></li>
  <li><div>+ <a href="knots.html#loops">Loops in a rope</a></div><ul><li><a href="knots.html#bowline">- Bowline</a></li></ul></li></ul>`;

test('a table of contents is kept whole when most of it was kept', () => {
  assert.deepEqual(keptOf(`<p>+ Text</p>${CONTENTS}<p>- Text</p>`), [
    '+ Text',
    '+ 1. Bends of rope',
    '- Hitches',
    '+ Loops in a rope',
    '- Bowline',
  ]);
});

test('a table of contents is dropped whole when most of it was dropped', () => {
  const more = '<ul><li><a href="#tools">- The tools that are needed for splices</a></li></ul>';
  assert.deepEqual(keptOf(`<p>+ Text</p>${CONTENTS}${more}`), ['+ Text']);
});

test('links to other pages and lines that are never content are not part of it', () => {
  const pages = CONTENTS.replaceAll('#', 'x.html').replaceAll('knots.html', 'ropes.html');
  assert.deepEqual(keptOf(pages), ['+ 1. Bends of rope', '+ Loops in a rope']);
  assert.deepEqual(keptOf(CONTENTS.replace('- Bowline', '0 Bowline')), ['+ 1. Bends of rope', '+ Loops in a rope']);
});
