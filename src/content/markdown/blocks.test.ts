import { describe } from 'node:test';
import { itWrites } from '../../../test/support/markdown-cases.ts';

describe('headings', () => {
  itWrites([
    [
      'have six levels',
      '<h1>a</h1><h2>b</h2><h3>c</h3><h4>d</h4><h5>e</h5><h6>f</h6>',
      '# a',
      '',
      '## b',
      '',
      '### c',
      '',
      '#### d',
      '',
      '##### e',
      '',
      '###### f',
    ],
    ['are one line', '<h2>a<br>b<div>c</div></h2>', '## a b c'],
    [
      'hold links, code and emphasis, but nothing bold',
      '<h2><a href=/x>a</a> <code>b</code> <i>c</i> <b>d</b></h2>',
      '## [a](https://example.com/x) `b` *c* d',
    ],
    ['are dropped when empty', '<h1></h1><h2> <b></b></h2>a', 'a'],
    ['lose the link to themselves', '<h2>a <a href="#a">#</a></h2><h3><a href="#b">¶</a>b</h3>', '## a', '', '### b'],
    [
      'do not link to themselves',
      '<h2 id=a><a href="#a">b</a></h2><h3><a href="#a">c</a></h3>',
      '## b',
      '',
      '### [c](https://example.com/dir/page#a)',
    ],
    ['show what folds them', '<h3><button>a</button></h3>', '### a'],
  ]);
});

describe('blocks', () => {
  itWrites([
    [
      'stand apart by one blank line',
      '<div><div>a</div>\n\n\n<div><p>b</p></div></div><br><br><section>c</section>',
      'a',
      '',
      'b',
      '',
      'c',
    ],
    ['are quoted', '<blockquote><p>a</p><p>b<br>c</p></blockquote>d', '> a', '>', '> b  ', '> c', '', 'd'],
    ['are quoted in quotes', '<blockquote>a<blockquote>b</blockquote>c</blockquote>', '> a', '>', '> > b', '>', '> c'],
    [
      'are quoted with lists and code',
      '<blockquote><ul><li>a<li>b</ul><pre>c\n\nd</pre></blockquote>',
      '> - a',
      '> - b',
      '>',
      '> ```',
      '> c',
      '>',
      '> d',
      '> ```',
    ],
    ['are separated by rules, but not twice and not at the top', '<hr>a<hr><hr>b', 'a', '', '---', '', 'b'],
    ['show what details hide', '<details><summary>a <b>b</b></summary><p>c</details>', '**a b**', '', 'c'],
    ['keep a heading in a summary', '<details><summary><h3>a</h3></summary>b</details>', '### a', '', 'b'],
    [
      'show captions',
      '<figure><img src=/a.png alt=b><figcaption>c</figcaption></figure>',
      '![b](https://example.com/a.png)',
      '',
      'c',
    ],
    ['show text outside of them', 'a<p>b</p>c', 'a', '', 'b', '', 'c'],
  ]);
});

describe('definition lists', () => {
  itWrites([
    [
      'have terms and definitions',
      '<dl><dt>a<dd>b<dt>c<dt>d<dd>e<dd>f</dl>',
      '**a**',
      ': b',
      '',
      '**c**',
      '**d**',
      ': e',
      ': f',
    ],
    ['have groups', '<dl><div><dt>a<dd>b</div><div><dt>c<dd>d</div></dl>', '**a**', ': b', '', '**c**', ': d'],
    [
      'are lists if a definition is more than a paragraph',
      '<dl><dt>a<dd><p>b<p>c<pre>d</pre><dt>e<dt>f<dd><ul><li>g</ul><dt>h<dd>i<br><br>j</dl>k',
      '- **a**',
      '  : b',
      '',
      '  c',
      '',
      '  ```',
      '  d',
      '  ```',
      '',
      '- **e**',
      '  **f**',
      '  - g',
      '',
      '- **h**',
      '  : i',
      '',
      '  j',
      '',
      'k',
    ],
    [
      'nest',
      '<dl><dt>a<dd><p>b</p><dl><dt>c<dd><p>d<p>e<dl><dt>f<dd>g</dl></dl><p>h</dl>',
      '- **a**',
      '  : b',
      '',
      '  - **c**',
      '    : d',
      '',
      '    e',
      '',
      '    **f**',
      '    : g',
      '',
      '  h',
    ],
    [
      'are like those beside them',
      '<dl><dt>a<dd>b</dl><dl><dt>c<dd><p>d<p>e</dl>',
      '- **a**',
      '  : b',
      '',
      '- **c**',
      '  : d',
      '',
      '  e',
    ],
    [
      'have only their last term above a list of terms, as in tables of contents',
      '<dl><dt>a<dt>b<dd><dl><dt>c<dt>d</dl><dt>e<dt>f</dl>',
      '- **a**',
      '- **b**',
      '',
      '  **c**',
      '  **d**',
      '',
      '- **e**',
      '- **f**',
    ],
    ['with headings as terms are sections', '<dl><dt><h3>a</h3><dd><p>b<p>c</dl>', '### a', '', 'b', '', 'c'],
    ['may be no more than an indent', '<dl><dd>a</dl>', 'a'],
  ]);
});

describe('hidden content', () => {
  itWrites([
    [
      'is left out',
      '<p>a</p><p hidden>b</p><p aria-hidden=true>c</p><p style="display:none">d</p><div style="visibility: hidden">e</div>',
      'a',
    ],
    ['is left out with everything below it', '<div hidden><h1>a</h1><ul><li>b</ul></div>c', 'c'],
    [
      'is not text: scripts, styles, templates, the head',
      '<head><title>a</title><style>b</style></head><script>c</script><template>d</template>e<noscript>f</noscript>',
      'e',
    ],
    ['is not text: drawings and fallbacks', '<svg><text>a</text></svg><canvas>b</canvas><video>c</video>d', 'd'],
    [
      'is shown if there is nothing else',
      '<div style="visibility:hidden"><script>a</script><h1>b</h1><p>c</div>',
      '# b',
      '',
      'c',
    ],
  ]);
});
