import { describe } from 'node:test';
import { itWrites } from '../../../test/support/markdown-cases.ts';

describe('code blocks', () => {
  itWrites([
    ['are fenced', '<pre><code>a\n  b\n</code></pre>', '```', 'a', '  b', '```'],
    ['need no <code>', '<pre>a\n\tb</pre>', '```', 'a', '\tb', '```'],
    ['have a longer fence around fences', '<pre>```js\na\n```</pre>', '````', '```js', 'a', '```', '````'],
    ['are not escaped', '<pre>*a* _b_ [c](d) &lt;e> # f</pre>', '```', '*a* _b_ [c](d) <e> # f', '```'],
    [
      'break lines at <br> and at blocks',
      '<pre>a<br>b<div>c</div><div>d</div></pre>',
      '```',
      'a',
      'b',
      'c',
      'd',
      '```',
    ],
    [
      'keep highlighted code together',
      '<pre><code><span class=k>let</span> <span>a</span>;\n<span>b</span></code></pre>',
      '```',
      'let a;',
      'b',
      '```',
    ],
    ['have plain spaces and line ends', '<pre>a&nbsp;b\r\nc</pre>', '```', 'a b', 'c', '```'],
    ['lose empty lines at their edges', '<pre>\n\n  \n  a\n\n</pre>', '```', '  a', '```'],
    ['are dropped when empty', '<pre>\n </pre>a', 'a'],
    [
      'lose the numbers of their lines',
      '<pre><span class="line-number">1</span>a\n<span class=lineno>2</span>b</pre>',
      '```',
      'a',
      'b',
      '```',
    ],
    ['lose hidden parts', '<pre>a<span aria-hidden=true>$ </span>b</pre>', '```', 'ab', '```'],
    ['may be <code> with line breaks', '<code>a<br>b</code>', '```', 'a', 'b', '```'],
    ['end the inline elements around them', '<b>a<pre>b</pre>c</b>', '**a**', '', '```', 'b', '```', '', '**c**'],
    ['may be <code> that keeps its line breaks', '<code style="white-space:pre">a\nb</code>', '```', 'a', 'b', '```'],
    ['may be xmp', '<xmp><b>a</b></xmp>', '```', '<b>a</b>', '```'],
  ]);
});

describe('the language of code', () => {
  itWrites([
    [
      'is in the class of the code',
      '<pre><code class="hljs language-TypeScript">a</code></pre>',
      '```typescript',
      'a',
      '```',
    ],
    ['is in a short class', '<pre><code class="lang-c++">a</code></pre>', '```c++', 'a', '```'],
    ['is in the class of the pre', '<pre class="language-js">a</pre>', '```js', 'a', '```'],
    [
      'is in the class of a box',
      '<div class="highlight highlight-source-shell"><pre>a</pre></div>',
      '```shell',
      'a',
      '```',
    ],
    [
      'is in the class of a box of Sphinx',
      '<div class="highlight-python3 notranslate"><div class=highlight><pre>a</pre></div></div>',
      '```python3',
      'a',
      '```',
    ],
    ['is a brush', '<pre class="brush: php; toolbar: false">a</pre>', '```php', 'a', '```'],
    [
      'is a class of its own',
      '<pre class="sourceCode haskell"><code class="sourceCode haskell">a</code></pre>',
      '```haskell',
      'a',
      '```',
    ],
    ['is in a data attribute', '<pre data-lang="go">a</pre>', '```go', 'a', '```'],
    [
      'is not a word without meaning',
      '<pre><code class="language-plaintext nohighlight">a</code></pre>',
      '```',
      'a',
      '```',
    ],
    ['is not a human language', '<div class="lang-en"><pre>a</pre></div>', '```', 'a', '```'],
    ['cannot be used to write anything else', '<pre><code class="language-a`b">c</code></pre>', '```a', 'c', '```'],
  ]);
});

describe('code in text', () => {
  itWrites([
    ['is between backticks', 'a <code>b_c*d</code> <kbd>e</kbd> <samp>f</samp> <tt>g</tt>', 'a `b_c*d` `e` `f` `g`'],
    ['may hold backticks', '<code>a`b</code> <code>``</code> <code>`c</code>', '``a`b`` ``` `` ``` `` `c ``'],
    ['is on one line', '<code>a\n  b</code>', '`a b`'],
    ['keeps white space outside', 'a<code> b </code>c', 'a `b` c'],
    ['is kept apart from code before it', '<code>a</code><code>b</code>', '`a` `b`'],
    ['is emphasised', '<b><code>a</code></b>', '**`a`**'],
    [
      'is linked from inside and outside',
      '<a href=/x><code>a</code></a> <code><a href=/y>b</a></code>',
      '[`a`](https://example.com/x) [`b`](https://example.com/y)',
    ],
    ['is dropped when empty', 'a<code> </code>b', 'a b'],
    [
      'is an element where its bar would end a cell',
      '<table><tr><th>a<th>b<tr><td><code>\\|</code><td><code>\\\\|</code></table>',
      '| a | b |',
      '| --- | --- |',
      '| <code>\\\\&#124;</code> | `\\\\\\|` |',
    ],
  ]);
});
