import { describe } from 'node:test';
import { itWrites } from '../../../test/support/markdown-cases.ts';

describe('links', () => {
  itWrites([
    [
      'are absolute',
      '<a href="../a?b=1&amp;c#d">e</a> <a href="//x.org">f</a> <a href="#g">h</a>',
      '[e](https://example.com/a?b=1&c#d) [f](https://x.org/) [h](https://example.com/dir/page#g)',
    ],
    ['resolve against the base', '<base href="https://x.org/y/"><a href=z>a</a>', '[a](https://x.org/y/z)'],
    [
      'may have spaces and parentheses in their address',
      '<a href="/a b">c</a> <a href="/d_(e)">f</a> <a href="/g(">h</a> <a href="tel:(1) 2">i</a>',
      '[c](https://example.com/a%20b) [f](https://example.com/d_(e)) [h](<https://example.com/g(>) [i](tel:(1)%202)',
    ],
    [
      'have titles',
      `<a href=/a title='b "c"'>d</a> <a href=/e title="e">e</a>`,
      '[d](https://example.com/a "b \\"c\\"") [e](https://example.com/e)',
    ],
    [
      'may have other signs in their address that could end it',
      '<a href="/a](b)">c</a> <a href="mailto:<d>`">e</a>',
      '[c](https://example.com/a%5D(b)) [e](mailto:%3Cd%3E%60)',
    ],
    [
      'have titles without anything that could end a formula',
      '<a href=/a title="b $c <d>">e</a>',
      '[e](https://example.com/a "b $c \\<d>")',
    ],
    ['keep white space outside', 'a<a href=/b> c </a>d', 'a [c](https://example.com/b) d'],
    [
      'hold emphasis and are held by it',
      '<a href=/a><b>b</b> c</a> <b><a href=/d>e</a></b>',
      '[**b** c](https://example.com/a) **[e](https://example.com/d)**',
    ],
    [
      'are kept apart from each other',
      '<a href=/a>b</a><a href=/c>d</a>',
      '[b](https://example.com/a) [d](https://example.com/c)',
    ],
    ['are one line', '<a href=/a>b<br>c</a>', '[b c](https://example.com/a)'],
    ['are dropped when empty', 'a<a href=/b></a><a href=/c> <i></i></a>d', 'a d'],
    [
      'have their label when they show only a drawing',
      '<a href=/a aria-label="Search"><svg></svg></a> <a href=/b title="Home"><i></i></a>',
      '[Search](https://example.com/a) [Home](https://example.com/b)',
    ],
    [
      'are text when they lead nowhere',
      '<a>a</a> <a name=b>b</a> <a href="javascript:c()">c</a> <a href="#">d</a> <a href="http://[">e</a> <a href="data:text/html,f">f</a>',
      'a b c d e f',
    ],
    [
      'may be mail addresses and phone numbers',
      '<a href="mailto:a@b.org">a</a> <a href="tel:+1">b</a>',
      '[a](mailto:a@b.org) [b](tel:+1)',
    ],
  ]);
});

describe('links around blocks', () => {
  itWrites([
    [
      'go to their heading',
      '<a href=/a><img src=/b.png><div><h3>c</h3><p>d</p></div></a>',
      '![](https://example.com/b.png)',
      '',
      '### [c](https://example.com/a)',
      '',
      'd',
    ],
    ['are one line when they are short', '<a href=/a><div>b</div><div>c</div></a>', '[b c](https://example.com/a)'],
    [
      'go to their first text when they are long',
      `<a href=/a><div><img src=/b.png></div><p>c</p><p>${'d '.repeat(60)}</p></a>`,
      '![](https://example.com/b.png)',
      '',
      '[c](https://example.com/a)',
      '',
      'd '.repeat(60).trim(),
    ],
    [
      'go to their image when there is no text',
      '<a href=/a><div><img src=/b.png alt=c></div></a>',
      '[![c](https://example.com/b.png)](https://example.com/a)',
    ],
    [
      'work in headings and cells',
      '<h2><a href=/a><div>b</div></a></h2><table><tr><th>c<th>d<tr><td><a href=/e><p>f</p><p>g</p></a><td>h</table>',
      '## [b](https://example.com/a)',
      '',
      '| c | d |',
      '| --- | --- |',
      '| [f g](https://example.com/e) | h |',
    ],
  ]);
});
