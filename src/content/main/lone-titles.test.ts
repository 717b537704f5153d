import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseHtml } from '../parse-html.ts';
import { textOf } from '../walk.ts';
import { readBlocks } from './blocks.ts';
import { dropLoneTitles } from './lone-titles.ts';
import { MODEL } from './model.ts';

/** The lines kept of a page in which lines with `+` were kept so far. */
function keptOf(html: string, likelihood = 0.5): string[] {
  const { root } = parseHtml(html, 'https://example.com/');
  const { lines } = readBlocks(root, new Set(), MODEL);
  const texts = lines.map(({ element }) => textOf(element, 60));
  for (const [index, line] of lines.entries()) line.isKept = texts[index]?.startsWith('+') ?? false;
  dropLoneTitles(
    lines,
    lines.map(() => likelihood),
  );
  return texts.filter((_, index) => lines[index]?.isKept);
}

const CARD =
  '<div><h3>Rope of hemp</h3><p>Twenty metres of it, brown, for the sails of the old ships</p><p>€ 12</p></div>';
const CARDS = CARD.repeat(4);
const LINKS =
  '<ul><li><a href="#a">Which ropes there are, and for which ships each of them is made</a></li></ul>'.repeat(4);

test('a heading is dropped when nothing of its section is left', () => {
  assert.deepEqual(keptOf(`<h2>+ Rope</h2><p>+ Text</p><h2>+ Related</h2>${CARDS}`), ['+ Rope', '+ Text']);
  assert.deepEqual(keptOf(`<section><div><h2>+ Related</h2></div>${CARDS}</section><p>+ Text</p>`), ['+ Text']);
  assert.deepEqual(keptOf(`<h2>+ Related</h2>${CARDS}<h2>+ Care</h2><p>+ Text</p>`), ['+ Care', '+ Text']);
});

test('a heading stays when anything is left of its section', () => {
  assert.deepEqual(keptOf(`<h2>+ Ropes</h2>${CARDS}<h3>+ Care</h3>`), ['+ Ropes', '+ Care']);
  assert.deepEqual(keptOf(`<div><h2>+ Ropes</h2></div>${CARDS}<p>+ Text</p>`), ['+ Ropes', '+ Text']);
});

test('a heading stays when it had no section or little text below it', () => {
  assert.deepEqual(keptOf(`<section><h2>+ Ropes</h2></section><div>${CARDS}<p>+ Text</p></div>`), [
    '+ Ropes',
    '+ Text',
  ]);
  assert.deepEqual(keptOf('<div><h3>+ Rope of hemp</h3><p>View</p><p>Buy</p><p>Share</p></div>'), ['+ Rope of hemp']);
});

test('a heading with a high score stays', () => {
  assert.deepEqual(keptOf(`<h2>+ Ropes</h2>${CARDS}`, 0.8), ['+ Ropes']);
});

test('the label of a list of links is dropped with the list', () => {
  assert.deepEqual(keptOf(`<div><p><b>+ Table of contents</b></p>${LINKS}</div><p>+ Text</p>`, 0.8), ['+ Text']);
  assert.deepEqual(keptOf(`<div><p>+ Ropes</p>${CARDS}</div>`), ['+ Ropes']);
});
