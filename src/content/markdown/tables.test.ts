import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { itWrites, markdownOf } from '../../../test/support/markdown-cases.ts';

const RULE = '| --- | --- |';

describe('tables', () => {
  itWrites([
    [
      'have a head and rows',
      '<table><thead><tr><th>a<th>b<tbody><tr><td>1<td>2<tr><td>3<td>4</table>',
      '| a | b |',
      RULE,
      '| 1 | 2 |',
      '| 3 | 4 |',
    ],
    ['find their head without a thead', '<table><tr><td><th>b<tr><th>c<td>1</table>', '|  | b |', RULE, '| c | 1 |'],
    [
      'have an empty head if there is none',
      '<table><tr><td>a<td>1<tr><td>b<td>2</table>',
      '|  |  |',
      RULE,
      '| a | 1 |',
      '| b | 2 |',
    ],
    [
      'keep their columns when cells span columns',
      '<table><tr><th>a<th>b<th>c<tr><td colspan=2>d<td>e<tr><td>f<td colspan=2>g<tr><td>h<td>i<td>j</table>',
      '| a | b | c |',
      '| --- | --- | --- |',
      '| d |  | e |',
      '| f | g |  |',
      '| h | i | j |',
    ],
    [
      'keep their columns when cells span rows',
      '<table><tr><th>a<th>b<tr><td rowspan=2>c<td>1<tr><td>2<tr><td>d<td>3</table>',
      '| a | b |',
      RULE,
      '| c | 1 |',
      '|  | 2 |',
      '| d | 3 |',
    ],
    ['fill rows that are short', '<table><tr><th>a<th>b<tr><td>1</table>', '| a | b |', RULE, '| 1 |  |'],
    [
      'merge the rows of a head',
      '<table><thead><tr><th rowspan=2>a<th colspan=2>b<tr><th>c<th>d<tbody><tr><td>1<td>2<td>3</table>',
      '| a | b c | b d |',
      '| --- | --- | --- |',
      '| 1 | 2 | 3 |',
    ],
    [
      'break lines with <br>',
      '<table><tr><th>a<th>b<tr><td>1<br>2<td><p>3<p>4</table>',
      '| a | b |',
      RULE,
      '| 1<br>2 | 3<br>4 |',
    ],
    [
      'escape pipes in text, code and links',
      '<table><tr><th>a|b<th><code>c|d</code><tr><td><a href="/?x|y">e</a><td>f</table>',
      '| a\\|b | `c\\|d` |',
      RULE,
      '| [e](https://example.com/?x\\|y) | f |',
    ],
    [
      'hold lists',
      '<table><tr><th>a<th>b<tr><td><ul><li>1<li>2<ol><li>3</ol></ul><td>c</table>',
      '| a | b |',
      RULE,
      '| - 1<br>- 2<br>1. 3 | c |',
    ],
    [
      'hold tables',
      '<table><tr><th>a<th>b<tr><td><table><tr><td>1<td>2<tr><td>3<td>4</table><td>c</table>',
      '| a | b |',
      RULE,
      '| 1 2<br>3 4 | c |',
    ],
    [
      'hold code, images, links and emphasis',
      '<table><tr><th>a<th>b<tr><td><pre>x\ny</pre><img src=/i.png alt=z><td><a href=/l><b>c</b></a></table>',
      '| a | b |',
      RULE,
      '| `x`<br>`y`<br>![z](https://example.com/i.png) | [**c**](https://example.com/l) |',
    ],
    [
      'have nothing bold in their head',
      '<table><tr><th><b>a</b><th>b<tr><td><b>1</b><td>2</table>',
      '| a | b |',
      RULE,
      '| **1** | 2 |',
    ],
    [
      'align their columns',
      '<table><tr><th align=right>a<th style="text-align: center">b<tr><td align=right>1<td style="text-align:center">2</table>',
      '| a | b |',
      '| ---: | :---: |',
      '| 1 | 2 |',
    ],
    [
      'are aligned by classes (WordPress, Bootstrap, docutils)',
      '<table><tr><th>a<th>b<th>c<th>d<tr><td class="has-text-align-right">1<td class="text-center">2<td class="text-left">3<td class="num text-end">4</table>',
      '| a | b | c | d |',
      '| ---: | :---: | :--- | ---: |',
      '| 1 | 2 | 3 | 4 |',
    ],
    [
      'are aligned by their rows and by the elements in their cells',
      '<table><tr><th>a<th>b<th>c<tr align=center><td>1<td style="text-align:end">2<td><p style="text-align:right">3</p></table>',
      '| a | b | c |',
      '| :---: | ---: | ---: |',
      '| 1 | 2 | 3 |',
    ],
    [
      'are aligned as most cells of a column are',
      '<table><tr><th>a<th>b<tr><td align=right>1<td align=right>x<tr><td align=right>2<td>y<tr><td>-<td>z</table>',
      '| a | b |',
      '| ---: | --- |',
      '| 1 | x |',
      '| 2 | y |',
      '| - | z |',
    ],
    [
      'are not aligned by their own position',
      '<table align=right class="align-center"><tr><th>a<th>b<tr><td>1<td>2</table>',
      '| a | b |',
      RULE,
      '| 1 | 2 |',
    ],
    [
      'show their caption above',
      '<table><caption>c</caption><tr><th>a<th>b<tr><td>1<td>2</table>',
      'c',
      '',
      '| a | b |',
      RULE,
      '| 1 | 2 |',
    ],
    [
      'put the foot last',
      '<table><tfoot><tr><td>3<td>4</tfoot><tbody><tr><th>a<th>b<tr><td>1<td>2</table>',
      '| a | b |',
      RULE,
      '| 1 | 2 |',
      '| 3 | 4 |',
    ],
    [
      'leave out empty rows and columns',
      '<table><tr><th>a<th><th>b<tr><td><td><td><tr><td>1<td>&nbsp;<td>2</table>',
      '| a | b |',
      RULE,
      '| 1 | 2 |',
    ],
    [
      'leave out hidden rows and cells',
      '<table><tr><th>a<th>b<tr hidden><td>x<td>y<tr><td>1<td style="display:none">z<td>2</table>',
      '| a | b |',
      RULE,
      '| 1 | 2 |',
    ],
    [
      'are kept apart from their surroundings',
      'a<table><tr><th>b<th>c<tr><td>1<td>2</table>d',
      'a',
      '',
      '| b | c |',
      RULE,
      '| 1 | 2 |',
      '',
      'd',
    ],
  ]);
});

describe('layout tables', () => {
  itWrites([
    ['say so', '<table role=presentation><tr><td>a<td>b<tr><td>c<td>d</table>', 'a', '', 'b', '', 'c', '', 'd'],
    ['have one column', '<table><tr><td>a<tr><td>b</table>', 'a', '', 'b'],
    ['have one row', '<table><tr><td><ul><li>a</ul><td><p>b</p></table>', '- a', '', 'b'],
    [
      'hold sections',
      '<table><tr><td><h2>a</h2>b<td>c<tr><td>d<td>e</table>',
      '## a',
      '',
      'b',
      '',
      'c',
      '',
      'd',
      '',
      'e',
    ],
    [
      'hold other tables',
      '<table><tr><td>a<td>b<tr><td><table><tr><th>c<th>d<tr><td>1<td>2</table><td>e</table>',
      'a',
      '',
      'b',
      '',
      '| c | d |',
      RULE,
      '| 1 | 2 |',
      '',
      'e',
    ],
    [
      'put numbers beside the lines of code',
      '<table><tr><td class=gutter><pre>1\n2</pre><td><pre><code class=language-sh>a\nb</code></pre></table>',
      '```sh',
      'a',
      'b',
      '```',
    ],
    ['have content outside their cells', '<table><div>a</div><tr><td>b</table>', 'a', '', 'b'],
  ]);

  it('contain posts, with cells of thousands of characters', () => {
    const post = 'word '.repeat(500);
    assert.equal(markdownOf(`<table><tr><th>a<th>b<tr><td>c<td>${post}</table>`), `a\n\nb\n\nc\n\n${post.trim()}`);
  });

  const text = 'words of a text that goes on '.repeat(20).trim();

  it('do not start each row with a plain label', () => {
    const rows = (label: string) => `<table><tr><td>${label}<td><p>a<p>${text}<tr><td>b<td>c</table>`;
    assert.equal(markdownOf(rows('op')), `|  |  |\n${RULE}\n| op | a<br>${text} |\n| b | c |`);
    const link = '[op](https://example.com/u)';
    assert.equal(markdownOf(rows('<a href=/u>op</a>')), `${link}\n\na\n\n${text}\n\nb\n\nc`);
    const picture = '![op](https://example.com/u)';
    assert.equal(markdownOf(rows('<img src=/u alt=op>')), `${picture}\n\na\n\n${text}\n\nb\n\nc`);
  });

  it('include those whose cells span too many rows and columns', () => {
    const rows = '<tr><td colspan=1000 rowspan=60000>a<td>b'.repeat(200);
    assert.equal(markdownOf(`<table>${rows}</table>`), Array(200).fill('a\n\nb').join('\n\n'));
  });
});
