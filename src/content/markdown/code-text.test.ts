import { describe } from 'node:test';
import { itWrites, type MarkdownCase } from '../../../test/support/markdown-cases.ts';

/** Two lines with an empty one between them, however they are marked up. */
function lines(name: string, html: string, language = ''): MarkdownCase {
  return [name, html, `\`\`\`${language}`, 'if a:', '', '    b', '```'];
}

describe('the lines of code', () => {
  itWrites([
    lines(
      'may be spans with line breaks between them (Shiki)',
      '<pre class=shiki><code><span class="line"><span>if a:</span></span>\n<span class="line"></span>\n<span class="line">    <span>b</span></span></code></pre>',
    ),
    lines(
      'may be spans with line breaks in them (Chroma)',
      '<pre class=chroma><code><span class="line"><span class="cl">if a:\n</span></span><span class="line"><span class="cl">\n</span></span><span class="line"><span class="cl">    b</span></span></code></pre>',
    ),
    lines(
      'may be spans set apart only by style',
      '<pre><code><span class="line">if a:</span><span class="line"></span><span class="line">    b</span></code></pre>',
    ),
    lines(
      'may be spans with `<br>` in them (Docusaurus)',
      '<pre><code><span class="token-line" style="color:#393A34"><span class="token plain">if a:</span><br></span><span class="token-line"><span class="token plain" style="display:inline-block"></span><br></span><span class="token-line"><span class="token plain">    b</span><br></span></code></pre>',
    ),
    lines(
      'may be spans with `<br>` between them (Hexo)',
      '<figure class="highlight python"><table><tr><td class="gutter"><pre><span class="line">1</span><br><span class="line">2</span><br><span class="line">3</span><br></pre></td><td class="code"><pre><span class="line">if a:</span><br><span class="line"></span><br><span class="line">    b</span><br></pre></td></tr></table></figure>',
      'python',
    ),
    lines(
      'may be named by an attribute (rehype-pretty-code)',
      '<figure data-rehype-pretty-code-figure><pre data-language=py><code data-language=py style="display:grid"><span data-line="">if a:</span>\n<span data-line=""> </span>\n<span data-line="">    b</span></code></pre></figure>',
      'py',
    ),
    lines(
      'may be boxes with numbers (Expressive Code)',
      '<pre data-language="python"><code><div class="ec-line"><div class="gutter"><div class="ln" aria-hidden="true">1</div></div><div class="code"><span>if a:</span></div></div><div class="ec-line"><div class="gutter"><div class="ln" aria-hidden="true">2</div></div><div class="code">\n</div></div><div class="ec-line"><div class="gutter"><div class="ln">3</div></div><div class="code"><span class="indent">    </span>b</div></div></code></pre>',
      'python',
    ),
    lines(
      'may be items of a list (Prettify)',
      '<pre class="prettyprint lang-py linenums"><ol class="linenums"><li class="L0"><span class="kwd">if</span> a:</li><li class="L1"></li><li class="L2"><span class="pln">    b</span></li></ol></pre>',
      'py',
    ),
    lines('may be `<code>` each', '<pre><code>if a:</code><code></code><code>    b</code></pre>'),
    lines(
      'may be cells (highlight.js)',
      '<pre><code class="hljs python"><table class="hljs-ln"><tr><td class="hljs-ln-line hljs-ln-numbers" data-line-number="1"><div class="hljs-ln-n" data-line-number="1"></div></td><td class="hljs-ln-line hljs-ln-code">if a:</td></tr><tr><td class="hljs-ln-line hljs-ln-numbers"></td><td class="hljs-ln-line hljs-ln-code"></td></tr><tr><td class="hljs-ln-line hljs-ln-numbers"></td><td class="hljs-ln-line hljs-ln-code">    b</td></tr></table></code></pre>',
      'python',
    ),
    lines(
      'may be blocks of their own (pasted from an editor)',
      '<pre><div><span>if a:</span></div><br><div>    b</div></pre>',
    ),
    lines(
      'may have only some that are marked (Gatsby)',
      '<pre class="language-py"><code class="language-py">if a:\n<span class="gatsby-highlight-code-line"></span>    b</code></pre>',
      'py',
    ),
    lines(
      'may be lines of an editor (CodeMirror 6)',
      '<div class="cm-editor"><div class="cm-gutters" aria-hidden=true>123</div><div class="cm-content" data-language=python><div class="cm-line">if a:</div><div class="cm-line"><br></div><div class="cm-line">    b</div></div></div>',
      'python',
    ),
    lines(
      'may be blocks of an editor (CodeMirror 5)',
      '<div class="CodeMirror-code"><div style="position: relative;"><div class="CodeMirror-gutter-wrapper"><div class="CodeMirror-linenumber CodeMirror-gutter-elt">1</div></div><pre class=" CodeMirror-line "><span>if a:</span></pre></div><div style="position: relative;"><pre class=" CodeMirror-line "><span>\u200b</span></pre></div><div><pre class=" CodeMirror-line "><span>    b</span></pre></div></div>',
    ),
  ]);
});

describe('code without line numbers and buttons', () => {
  const CODE = ['```', 'a', 'b', '```'];
  itWrites([
    [
      'has no buttons',
      '<pre><button class=copy>Copy</button><code>a\nb</code><clipboard-copy>Copy</clipboard-copy></pre>',
      ...CODE,
    ],
    [
      'has no other elements that copy it',
      '<pre><span class="copy-btn">Copy</span><code>a\nb</code><a class="copy" href="#">Copied!</a><div role=button>Copy</div></pre>',
      ...CODE,
    ],
    [
      'has no header, which may name its language',
      '<pre><div class="flex"><span>Python</span><button>Copy code</button></div><div><code>a\nb</code></div></pre>',
      '```python',
      'a',
      'b',
      '```',
    ],
    [
      'has no numbers in it (Pygments)',
      '<pre><span class=linenos>1</span>a\n<span class=linenos>2</span>b</pre>',
      ...CODE,
    ],
    [
      'has no column of numbers (SyntaxHighlighter of React)',
      '<pre><code style="float:left"><span class="linenumber">1\n</span><span class="linenumber">2\n</span></code><code>a\nb</code></pre>',
      ...CODE,
    ],
    [
      'has no numbers beside it (GitLab)',
      '<div class="blob-content"><div class="line-numbers"><a href="#L1" class="diff-line-num">1</a><a href="#L2" class="diff-line-num">2</a></div><pre class="code highlight"><code><span id="LC1" class="line" lang="python">a</span>\n<span id="LC2" class="line">b</span></code></pre></div>',
      ...CODE,
    ],
    ['has no invisible spaces', '<pre>a\u200b\nb\ufeff</pre>', ...CODE],
  ]);
});

describe('tables of code', () => {
  itWrites([
    [
      'have numbers in a cell (Pygments)',
      '<div class="highlight-python"><div class="highlight"><table class="highlighttable"><tr><td class="linenos"><div class="linenodiv"><pre>1\n2</pre></div></td><td class="code"><div class="highlight"><pre><span></span>a\nb\n</pre></div></td></tr></table></div></div>',
      '```python',
      'a',
      'b',
      '```',
    ],
    [
      'are in the code itself (Rouge)',
      '<div class="language-ruby highlighter-rouge"><div class="highlight"><pre class="highlight"><code><table class="rouge-table"><tbody><tr><td class="rouge-gutter gl"><pre class="lineno">1\n2\n</pre></td><td class="rouge-code"><pre><span class="n">a</span>\n\n<span>b</span>\n</pre></td></tr></tbody></table></code></pre></div></div>',
      '```ruby',
      'a',
      '',
      'b',
      '```',
    ],
    [
      'are beside their numbers (Hugo)',
      '<div class="highlight"><div class="chroma"><table class="lntable"><tr><td class="lntd"><pre class="chroma"><code><span class="lnt">1\n</span><span class="lnt">2\n</span></code></pre></td><td class="lntd"><pre class="chroma"><code class="language-go" data-lang="go"><span class="line"><span class="cl">a\n</span></span><span class="line"><span class="cl">b\n</span></span></code></pre></td></tr></table></div></div>',
      '```go',
      'a',
      'b',
      '```',
    ],
    [
      'have a row for each line (GitHub)',
      '<table class="highlight tab-size js-file-line-container" data-tagsearch-lang="Python"><tr><td id="L1" class="blob-num js-line-number" data-line-number="1"></td><td id="LC1" class="blob-code blob-code-inner js-file-line"><span class="pl-k">if</span> a:</td></tr><tr><td class="blob-num" data-line-number="2"></td><td class="blob-code blob-code-inner js-file-line">\n</td></tr><tr><td class="blob-num" data-line-number="3"></td><td class="blob-code blob-code-inner js-file-line">    <span>b</span></td></tr></table>',
      '```python',
      'if a:',
      '',
      '    b',
      '```',
    ],
    [
      'have the signs of a diff (GitHub)',
      '<table class="diff-table"><tr><td class="blob-num" data-line-number="1"></td><td class="blob-num"></td><td class="blob-code blob-code-deletion">\n  <span class="blob-code-inner blob-code-marker" data-code-marker="-">a</span>\n</td></tr><tr><td class="blob-num"></td><td class="blob-num" data-line-number="1"></td><td class="blob-code blob-code-addition">\n  <span class="blob-code-inner blob-code-marker" data-code-marker="+">  b</span>\n</td></tr></table>',
      '```',
      '-a',
      '+  b',
      '```',
    ],
    [
      'have code in their cells (Gitea)',
      '<table><tbody><tr><td id="L1" class="lines-num"><span data-line-number="1"></span></td><td rel="L1" class="lines-code chroma"><code class="code-inner">a\n</code></td></tr><tr><td class="lines-num"></td><td class="lines-code chroma"><code class="code-inner">  b\n</code></td></tr></tbody></table>',
      '```',
      'a',
      '  b',
      '```',
    ],
    [
      'are called code and count their rows (Trac)',
      '<table class="code"><thead><tr><th class="lineno">Line</th><th class="content">&nbsp;</th></tr></thead><tbody><tr><th id="L9"><a href="#L9">9</a></th><td>a</td></tr><tr><th id="L10"><a href="#L10">10</a></th><td>b</td></tr></tbody></table>',
      '```',
      'a',
      'b',
      '```',
    ],
    [
      'have all numbers in one cell (cgit)',
      "<table summary='blob content' class='blob'><tr><td class='linenumbers'><pre><a id='n1' href='#n1'>1</a>\n<a href='#n2'>2</a>\n</pre></td><td class='lines'><pre><code>a\nb\n</code></pre></td></tr></table>",
      '```',
      'a',
      'b',
      '```',
    ],
    [
      'are not ranking tables',
      '<table class="highlight code"><tr><th>#<th>Name<tr><td>1<td>a<tr><td>3<td>b</table>',
      '| # | Name |',
      '| --- | --- |',
      '| 1 | a |',
      '| 3 | b |',
    ],
  ]);
});

describe('lines of code without a `<pre>`', () => {
  itWrites([
    [
      'are in a box (Doxygen)',
      '<div class="fragment"><div class="line"><a id="l1"></a><span class="lineno">    1</span><span class="preprocessor">#include &lt;a&gt;</span></div>\n<div class="line"><span class="lineno">    2</span> </div>\n<div class="line"><span class="lineno">    3</span>    <span>b</span>;</div>\n<div class="ttc" id="a_html"><div class="ttname">a</div></div></div>',
      '```',
      '#include <a>',
      '',
      '    b;',
      '```',
    ],
    [
      'are in boxes that fold (Doxygen)',
      '<div class="fragment"><div class="foldopen"><div class="line">a</div>\n<div class="line">  b</div></div></div>',
      '```',
      'a',
      '  b',
      '```',
    ],
    [
      'are in a table (SyntaxHighlighter)',
      '<div id="highlighter_1" class="syntaxhighlighter  java"><div class="toolbar"><span><a href="#" class="toolbar_item">?</a></span></div><table><tbody><tr><td class="gutter"><div class="line number1">1</div><div class="line number2">2</div><div class="line number3">3</div></td><td class="code"><div class="container"><div class="line number1"><code class="java keyword">int</code> <code class="java plain">a;</code></div><div class="line number2">&nbsp;</div><div class="line number3"><code class="java spaces">&nbsp;&nbsp;</code><code class="java plain">b;</code></div></div></td></tr></tbody></table></div>',
      '```java',
      'int a;',
      '',
      '  b;',
      '```',
    ],
    [
      'begin with their number (gitweb)',
      '<div class="page_body"><div class="pre"><a id="l1" href="#l1" class="linenr">   1</a> a</div>\n<div class="pre"><a id="l2" href="#l2" class="linenr">   2</a>   b</div></div>',
      '```',
      ' a',
      '   b',
      '```',
    ],
    [
      'have numbers of their own (GitHub)',
      '<div class="react-code-file-contents"><div class="react-line-numbers"><div class="react-line-number">1</div><div class="react-line-number">2</div></div><div class="react-code-lines"><div class="react-code-text react-code-line-contents"><div><div id="LC1" class="react-file-line">a</div></div></div><div class="react-code-text"><div><div id="LC2" class="react-file-line">  b</div></div></div></div></div>',
      '```',
      'a',
      '  b',
      '```',
    ],
    [
      'are not those of a poem',
      '<div class="line-block"><div class="line">a</div><div class="line">b</div></div>',
      'a',
      '',
      'b',
    ],
    ['are not what fades in on a slide', '<div class="fragment"><p>a</p><p>b</p></div>', 'a', '', 'b'],
  ]);
});

describe('several pieces of code in one block', () => {
  itWrites([
    [
      'are blocks of their own in two languages (Node)',
      '<pre class="with-36-chars"><input class="js-flavor-toggle" type="checkbox" checked aria-label="Show modern ES modules syntax"><code class="language-js mjs"><span class="hljs-keyword">import</span> a;\nb();</code><code class="language-js cjs">const a;\nb();</code><button class="copy-button">copy</button></pre>',
      '```js',
      'import a;',
      'b();',
      '```',
      '',
      '```js',
      'const a;',
      'b();',
      '```',
    ],
    [
      'are so when they are one line each',
      '<pre><code class="language-js mjs">import a;</code><code class="language-js cjs">const a;</code></pre>',
      '```js',
      'import a;',
      '```',
      '',
      '```js',
      'const a;',
      '```',
    ],
    [
      'are so in one language when they have several lines',
      '<pre><code>a\nb</code><code>c\nd</code></pre>',
      '```',
      'a',
      'b',
      '```',
      '',
      '```',
      'c',
      'd',
      '```',
    ],
    [
      'are one when they are parts of lines (DocBook)',
      '<pre class="screen"><code class="prompt">$ </code><code class="command">ls</code>\na</pre>',
      '```',
      '$ ls',
      'a',
      '```',
    ],
    [
      'are one when a block holds a block (mdBook)',
      '<pre><pre class="playground"><code class="language-rust edition2021">a\nb</code></pre></pre>',
      '```rust',
      'a',
      'b',
      '```',
    ],
  ]);
});
