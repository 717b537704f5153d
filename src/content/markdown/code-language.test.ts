import { describe } from 'node:test';
import { itWrites, type MarkdownCase } from '../../../test/support/markdown-cases.ts';

function language(name: string, html: string, language: string): MarkdownCase {
  return [name, html, `\`\`\`${language}`, 'a', '```'];
}

describe('the language of code', () => {
  itWrites([
    language('is the lang attribute of the block (GitHub)', '<pre lang="rust"><code>a</code></pre>', 'rust'),
    language('ends at a comma', '<pre lang="rust,no_run">a</pre>', 'rust'),
    language('is not the language of its words', '<pre lang="en">a</pre>', ''),
    language('is not the language and country of its words', '<pre lang="en-gb">a</pre>', ''),
    language('is on a figure', '<figure data-language="astro"><pre>a</pre></figure>', 'astro'),
    language(
      'is on a box (Pandoc)',
      '<div class="sourceCode"><pre class="sourceCode python"><code>a</code></pre></div>',
      'python',
    ),
    language('is a word of its own on a box of code', '<figure class="highlight js"><pre>a</pre></figure>', 'js'),
    language('is not a word of its own on another kind of box', '<div class="r c"><pre>a</pre></div>', ''),
    language(
      'is in the name of a grammar (GitHub)',
      '<div class="highlight highlight-text-html-basic"><pre>a</pre></div>',
      'html',
    ),
    language(
      'is in a class of Wikipedia',
      '<div class="mw-highlight mw-highlight-lang-python mw-content-ltr"><pre>a</pre></div>',
      'python',
    ),
    language('is a brush without a space', '<pre class="brush:csharp;gutter:false">a</pre>', 'csharp'),
    language(
      'is a brush in an attribute (Confluence)',
      '<div class="code panel"><pre data-syntaxhighlighter-params="brush: java; gutter: false">a</pre></div>',
      'java',
    ),
    language('is in front of Prettify’s lines', '<pre class="prettyprint lang-config">a</pre>', 'config'),
    language(
      'is on a box of Sphinx',
      '<div class="highlight-console notranslate"><div class="highlight"><pre><span></span>a\n</pre></div></div>',
      'console',
    ),
    language(
      'is on a block of Org',
      '<div class="org-src-container"><pre class="src src-emacs-lisp">a</pre></div>',
      'emacs-lisp',
    ),
    language(
      'is on the code of Asciidoctor',
      '<div class="listingblock"><div class="content"><pre class="CodeRay highlight"><code data-lang="ruby">a</code></pre></div></div>',
      'ruby',
    ),
    language(
      'is outside the table around the code',
      '<div class="language-c"><table><tr><td><div class="highlight"><pre>a</pre></div></td></tr></table></div>',
      'c',
    ),
    [
      'is that of a box (PHP’s manual)',
      '<div class="example-contents"><div class="phpcode"><code><span style="color: #000000"><span style="color: #0000BB">&lt;?php<br>echo&nbsp;1;</span></span></code></div></div>',
      '```php',
      '<?php',
      'echo 1;',
      '```',
    ],
  ]);
});

describe('a label beside code', () => {
  itWrites([
    language(
      'names its language',
      '<div class="code-block"><div class="code-lang">Rust</div><pre>a</pre></div>',
      'rust',
    ),
    language(
      'is left out when the code says the same',
      '<div class="language-js"><button title="Copy Code" class="copy"></button><span class="lang">js</span><pre class="shiki"><code>a</code></pre></div>',
      'js',
    ),
    language(
      'is in a header with a button (MDN)',
      '<div class="code-example"><div class="example-header"><span class="language-name">css</span><button class="icon copy-icon">Copy</button></div><pre class="brush: css notranslate"><code>a</code></pre></div>',
      'css',
    ),
    language(
      'is a display name (Microsoft)',
      '<div class="code-header" id="code-try-0"><span class="language">C#</span><button class="action">Copy</button></div><pre><code>a</code></pre>',
      'csharp',
    ),
    language(
      'is below the code (Prism)',
      '<div class="code-toolbar"><pre>a</pre><div class="toolbar"><div class="toolbar-item"><span>JavaScript</span></div><div class="toolbar-item"><button>Copy</button></div></div></div>',
      'javascript',
    ),
    language('may say that there is none', '<div><span class="lang">text</span><pre>a</pre></div>', ''),
    language('may be a copy button', '<div><div class="copy">Copy</div><pre>a</pre></div>', ''),
    [
      'may be the name of a file',
      '<div class="code-header"><span class="lang">app.config.ts</span></div><pre>a</pre>',
      'app.config.ts',
      '',
      '```',
      'a',
      '```',
    ],
    ['may be a word that is not a language', '<p class="lang">Output</p><pre>a</pre>', 'Output', '', '```', 'a', '```'],
    [
      'may be one of several tabs',
      '<div><span class="lang">Go</span><span class="lang">Rust</span></div><pre>a</pre>',
      'Go Rust',
      '',
      '```',
      'a',
      '```',
    ],
    [
      'belongs only to the code beside it',
      '<p class="lang">Go</p><p>b</p><pre>a</pre>',
      'Go',
      '',
      'b',
      '',
      '```',
      'a',
      '```',
    ],
  ]);
});
