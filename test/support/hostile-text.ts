import type { Random } from './random.ts';

/** Text with a meaning in Markdown, HTML or TeX, for use as text, in an attribute or in a script. */
export interface HostileText {
  /** As HTML, with some pieces wrapped in elements. */
  html: string;
  /** As a double-quoted attribute value. */
  attribute: string;
  /** Unescaped, for a script. It contains no end tag. */
  raw: string;
}

/** A place where a page can have text, with markup around it that changes how the text is written. */
export interface Construct {
  name: string;
  html: (text: HostileText) => string;
  /** The Markdown reads back as the same text, except for white space. */
  isText?: boolean;
  /** The text becomes part of an address, so the address changes with it. */
  isAddress?: boolean;
  /** Elements that can appear more often: once per line, or in Markdown without footnotes. */
  mayRepeat?: readonly string[];
}

const TAGS = [
  '<script>live()</script>',
  '<x-live>',
  '</x-live>',
  '<x-live',
  '<img src=x onerror=live()>',
  '<img src="https://live.example/" ',
  '<a href="javascript:live()">',
  '<a href="https://live.example/">b</a>',
  '<svg/onload=live()>',
  '<iframe src=javascript:live()>',
  '<div>',
  '</div>',
  '<br>',
  '<!-- b -->',
  '<!--',
  '<!doctype x>',
  '<?live ?>',
  '<![CDATA[b]]>',
  '<pre>',
  '<style>',
  '<textarea>',
  '<\u200bscript>live()</script>',
  '< script>',
  '<',
  '>',
  '/>',
  '"',
  "'",
];
const LINKS = [
  '<https://live.example/>',
  '<javascript:live()>',
  'javascript:live()',
  'javascript:live() "b"',
  'javascript&colon;live()',
  '<mailto:a@live.example>',
  '<a@live.example>',
  'https://live.example/a_b_*c*',
  'www.live.example/~~a~~',
  'a@live.example',
  '[b](javascript:live())',
  '[b](<javascript:live()>)',
  '[b](https://live.example/ "c")',
  '[b][c]',
  '[b]',
  '[b][]',
  '![b](https://live.example/)',
  '![b][c]',
  '[b]: javascript:live()',
  '[b]:\u00a0javascript:live()',
  '[b]: <https://live.example/> "c"',
  '[^1]',
  '[^1]: b',
  '[^b]: javascript:live()',
  '[[b]](javascript:live())',
  '[b\\](javascript:live())',
  '](javascript:live())',
  '](javascript:live() "',
  '][b]',
  ']: javascript:live()',
  '[',
  ']',
  '(',
  ')',
  '!',
  '^1]',
];
const BLOCKS = [
  '# b',
  '#',
  '###### b #',
  '> b',
  '- b',
  '-',
  '+ b',
  '* b',
  '*',
  '1. b',
  '1)',
  '987654321. b',
  '1',
  '.',
  '---',
  '***',
  '_ _ _',
  '=',
  '===',
  '--',
  ':-:',
  '|-|-|',
  '| b | c |',
  '|',
  ':',
  ': b',
  '```',
  '```js',
  '~~~',
  '~~~~ live',
  '[ ] b',
  '[x] b',
  '    b',
  '\tb',
];
const INLINE = [
  '*b*',
  '**b**',
  '_b_',
  '__b__',
  '~b~',
  '~~b~~',
  '~',
  '`',
  '``',
  '`<x-live>`',
  '``` ` ```',
  '\\',
  '\\\\',
  '\\*',
  '\\`',
  '\\[',
  '\\|',
  '\\<x-live>',
  '\\$',
  '&lt;x-live&gt;',
  '&amp;lt;x-live&amp;gt;',
  '&#60;x-live&#62;',
  '&#x3c;x-live>',
  '&colon;',
  '&',
  'lt;',
  '#60;',
  '\u200b',
  '\u200d',
  '\u00ad',
  '\ufeff',
  '\u00a0',
  '\u2028',
  '\u0085',
  '\r',
  '\n',
  '\n\n',
  '\t',
  '\f',
];
const MATHS = [
  '$',
  '$$',
  '$5',
  '$HOME',
  '\\(',
  '\\)',
  '\\[',
  '\\]',
  '\\(<script>live()</script>\\)',
  '\\([b](javascript:live())\\)',
  '\\(\\href{javascript:live()}{b}\\)',
  '\\(\\href%\n{javascript:live()}{b}\\)',
  '\\(`b`\\)',
  '\\(<%\nx-live>\\)',
  '\\(a_1$<x-live>\\)',
  '\\(b\\\\)',
  '\\[\n# b\n\\]',
  '\\[b\n===\n- c\n> d\n```\n<div>\n\\]',
  '\\[b\n\n<x-live>\n$$\n<x-live>\n\\]',
  '\\[|-|\n~~~\n1. b\\]',
  '$$a_1<x-live>$$',
  '$$a_1](javascript:live())$$',
  '$a_1<x-live>$',
  '$\\alpha[b](javascript:live())$',
  '\\text{<x-live>}',
  '}\\href{javascript:live()}{b}{',
  '\\url{javascript:live()}',
  '\\htmlData{live=b}{c}',
  '\\def\\b{\\href}',
  '\\begin{b}',
  '\\end{b}',
  '%',
  '% b\n',
  '{',
  '}',
  '^{2}',
  '_1',
];
const WORDS = ['b', 'word', 'two words', 'x', '2', 'é', '中文', '👍', '...', ',', '(b)'];
const PIECES = [TAGS, LINKS, BLOCKS, INLINE, MATHS, WORDS] as const;
const SEPARATORS = ['', '', '', ' ', '\n'] as const;
const INLINE_ELEMENTS = [
  'span',
  'span',
  'b',
  'i',
  'code',
  'sub',
  'del',
  'q',
  'x-b',
  'a href="https://real.example/"',
] as const;
const MAX_PIECES = 6;

/** Every piece alone. */
export function allPieces(): string[][] {
  return PIECES.flat().map((piece) => [piece]);
}

/** A random sequence of pieces, with white space between some of them. */
export function randomPieces(random: Random): string[] {
  const count = 1 + random.below(MAX_PIECES);
  return Array.from({ length: count }, () => {
    const kind = random.pick(PIECES);
    const piece = kind[random.below(kind.length)] ?? '';
    const whole = random.below(12) === 0 ? piece.slice(random.below(piece.length)) : piece;
    return whole + random.pick(SEPARATORS);
  });
}

/** The pieces wrapped in an element or followed by a line break. */
export function randomElements(count: number, random: Random): (string | null)[] {
  const often = random.below(3);
  return Array.from({ length: count }, () => {
    if (often === 0 || random.below(3) > 0) return null;
    return random.below(4) === 0 ? 'br' : random.pick(INLINE_ELEMENTS);
  });
}

/** @param elements the element around each piece, if any */
export function hostileText(pieces: readonly string[], elements: readonly (string | null)[]): HostileText {
  const whole = pieces.join('');
  const html = pieces.map((piece, index) => inElement(escapeHtml(piece), elements[index] ?? null)).join('');
  return { html, attribute: escapeHtml(whole).replaceAll('"', '&quot;'), raw: whole.replaceAll('</', '<\\/') };
}

function inElement(html: string, element: string | null): string {
  if (element === null) return html;
  return element === 'br' ? `${html}<br>` : `<${element}>${html}</${element.split(' ')[0]}>`;
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('\r', '&#13;');
}

const LINK = 'https://real.example/';
const LONG = 'word '.repeat(30);

function aside(name: string, html: (attribute: string) => string): Construct {
  return { name, html: ({ attribute }) => html(attribute) };
}

function address(name: string, html: (attribute: string) => string): Construct {
  return { ...aside(name, html), isAddress: true };
}

function inside(name: string, html: (content: string) => string, isText = false): Construct {
  return { name, html: (text) => html(text.html), isText };
}

export const CONSTRUCTS: readonly [Construct, ...Construct[]] = [
  inside('a paragraph', (t) => `<p>${t}</p>`, true),
  inside('a paragraph behind words', (t) => `<p>a ${t} c</p>`, true),
  inside('a paragraph behind a line break', (t) => `<p>a<br>${t}</p>`, true),
  inside('a paragraph behind code', (t) => `<p><code>a$</code>${t}<code>$c &lt;x-b> $</code></p>`),
  inside('text without a paragraph', (t) => `${t}<p>c</p>`, true),
  inside('a heading', (t) => `<h2>${t}</h2>`, true),
  inside('a heading with a link', (t) => `<h3><a href="${LINK}">${t}</a></h3>`),
  inside('bold text', (t) => `<p><b>${t}</b></p>`, true),
  inside('italic text', (t) => `<p>a<i>${t}</i>c</p>`),
  inside('struck text', (t) => `<p><del>${t}</del></p>`),
  inside('a link', (t) => `<p><a href="${LINK}">${t}</a></p>`, true),
  inside('a link between texts', (t) => `<p>${t}<a href="${LINK}">b</a>${t}</p>`),
  inside('a link around blocks', (t) => `<a href="${LINK}"><div>${t}</div><div>c</div></a>`),
  inside('a long link around blocks', (t) => `<a href="${LINK}"><p>${LONG}</p><p>${t}</p></a>`),
  inside('a link around a heading', (t) => `<a href="${LINK}"><h3>${t}</h3><p>${t}</p></a>`),
  inside('a link to nowhere', (t) => `<p><a href="javascript:void(0)">${t}</a></p>`, true),
  aside('the title of a link', (t) => `<p>$5 <a href="${LINK}" title="${t}">b</a> $</p>`),
  aside('the name of a link', (t) => `<p><a href="${LINK}" aria-label="${t}"><i></i></a></p>`),
  address('the address of a link', (t) => `<p>$5 <a href="${t}">b</a> $c</p>`),
  address('the path of a link', (t) => `<p>$5 <a href="${LINK}${t}">b</a></p>`),
  address('the fragment of a link', (t) => `<p><a href="#${t}">b</a></p>`),
  address('the address of a letter', (t) => `<p><a href="mailto:${t}">b</a></p>`),
  address('the address of a call', (t) => `<p><a href="tel:${t}">b</a></p>`),
  address('a base address', (t) => `<base href="${LINK}${t}/"><p><a href="b">b</a></p>`),
  aside('the description of an image', (t) => `<p>a <img src="/a.png" alt="${t}"> b</p>`),
  aside('the description of an image in a link', (t) => `<p><a href="${LINK}"><img src="/a.png" alt="${t}"></a></p>`),
  aside('the title of an image', (t) => `<p>$5 <img src="/a.png" alt="b" title="${t}"></p>`),
  address('the address of an image', (t) => `<p><img src="/${t}" alt="b"></p>`),
  address('the candidates of an image', (t) => `<p><img srcset="/${t} 2x" alt="b"></p>`),
  address('an image as data', (t) => `<p><img src="data:image/svg+xml,${'a'.repeat(250)}${t}" alt="b"></p>`),
  aside('the description of an emoji', (t) => `<p><img src="/a.png" alt="${t}👍"></p>`),
  inside('an item of a list', (t) => `<ul><li>${t}</li><li>c</li></ul>`, true),
  inside('an item of an ordered list', (t) => `<ol><li>${t}</li></ol>`),
  inside('an item of a nested list', (t) => `<ul><li>a<ul><li>${t}</li></ul></li></ul>`),
  inside('a paragraph in an item', (t) => `<ul><li><p>a</p><p>${t}</p></li></ul>`),
  inside('a task', (t) => `<ul><li><input type=checkbox>${t}</li></ul>`),
  inside('text between items', (t) => `<ul>${t}<li>b</li>${t}</ul>`),
  inside('a term', (t) => `<dl><dt>${t}</dt><dd>b</dd></dl>`),
  inside('a definition', (t) => `<dl><dt>a</dt><dd>${t}</dd></dl>`),
  inside('a definition without a term', (t) => `<dl><dd>${t}</dd></dl>`),
  inside('a quotation', (t) => `<blockquote>${t}</blockquote>`, true),
  inside('a quotation in a quotation', (t) => `<blockquote><blockquote><p>${t}</p></blockquote></blockquote>`),
  inside('quoted text', (t) => `<p><q>${t}</q></p>`),
  inside('the head of a table', (t) => `<table><tr><th>${t}<th>b<tr><td>1<td>2</table>`, true),
  inside('a cell', (t) => `<table><tr><th>a<th>b<tr><td>1<td>${t}</table>`, true),
  inside('a cell with blocks', (t) => `<table><tr><th>a<th>b<tr><td><p>${t}</p><ul><li>${t}</ul><td>c</table>`),
  inside('code in a cell', (t) => `<table><tr><th>a<th>b<tr><td><code>${t}</code>${t}<td>c</table>`),
  inside('a link in a cell', (t) => `<table><tr><th>a<th>b<tr><td><a href="${LINK}">${t}</a><td>${t}</table>`),
  address('an address in a cell', (t) => `<table><tr><th>a<th>b<tr><td><a href="${LINK}?${t}">b</a><td>c</table>`),
  inside('a table in a cell', (t) => `<table><tr><th>a<th>b<tr><td><table><tr><td>${t}</table><td>c</table>`),
  {
    ...inside('a block of code in a cell', (t) => `<table><tr><th>a<th>b<tr><td><pre>${t}</pre><td>c</table>`),
    mayRepeat: ['code'],
  },
  inside('a caption', (t) => `<table><caption>${t}</caption><tr><th>a<th>b<tr><td>1<td>2</table>`),
  inside('a table that arranges', (t) => `<table role=presentation><tr><td>${t}<td>b</table>`),
  inside('code', (t) => `<p>a <code>${t}</code> c</p>`),
  inside('code behind a price', (t) => `<p>$5 <code>${t}</code> $ <code>${t}</code></p>`),
  inside('code behind a formula', (t) => `<p>\\(x_1\\) <code>${t}</code> \\(y\\) <code>$ ${t}</code></p>`),
  inside('a link to code', (t) => `<p><a href="${LINK}"><code>${t}</code></a></p>`),
  inside('code of several lines', (t) => `<code>a<br>${t}</code>`),
  inside('a block of code', (t) => `<pre>${t}</pre>`),
  inside('a block of code in bold', (t) => `<b><pre>${t}</pre></b>`),
  inside(
    'a block of code in a raised link',
    (t) => `<sup><a href="${LINK}"><div>${LONG}</div><pre>${t}</pre></a></sup>`,
  ),
  inside('a block of code in a link', (t) => `<a href="${LINK}"><pre>${t}${LONG}</pre></a>`),
  inside('a table in emphasis', (t) => `<i><table><tr><th>a<th>b<tr><td>1<td>${t}</table></i>`),
  inside('a list in emphasis', (t) => `<b><ul><li>${t}</li></ul></b>`),
  inside('a formula in emphasis', (t) => `<p><b>a \\[${t}\\] c</b></p>`),
  inside('a block of code in a list', (t) => `<ul><li>a<pre><code>${t}</code></pre>b</li></ul>`),
  inside('lines of code', (t) => `<pre><code><span class=line>${t}</span><span class=line>b</span></code></pre>`),
  inside(
    'variants of code',
    (t) => `<pre><code class=language-js>${t}\nb</code><code class=language-ts>a\nb</code></pre>`,
  ),
  inside('a label of code', (t) => `<div><span class=lang>${t}</span><pre>a</pre></div>`),
  aside('the language of code', (t) => `<pre><code class="language-${t}" data-lang="${t}">a</code></pre>`),
  aside('the language of a block of code', (t) => `<pre lang="${t}">a</pre>`),
  inside('a cell of a table of code', (t) => `<table><tr><td class=blob-num>1<td class=blob-code>${t}</table>`),
  inside(
    'a line of code in a box',
    (t) => `<div class=fragment><div class=line>${t}</div><div class=line>b</div></div>`,
  ),
  inside('a key', (t) => `<p><kbd>${t}</kbd></p>`),
  inside('a variable', (t) => `<p><var>${t}</var></p>`),
  inside('an index', (t) => `<p>a<sub>${t}</sub><sup>${t}</sup></p>`),
  inside('a ruby', (t) => `<p><ruby>a<rt>${t}</rt></ruby></p>`),
  inside('an abbreviation', (t) => `<p><abbr title="b">${t}</abbr></p>`, true),
  inside(
    'a formula of KaTeX',
    (t) =>
      `<p>a <span class=katex><math><semantics><mi>b</mi><annotation encoding="application/x-tex">${t}</annotation></semantics></math></span> <code>$c</code></p>`,
  ),
  inside(
    'a formula of KaTeX on its own',
    (t) =>
      `<div class=katex-display><math><annotation encoding="application/x-tex">${t}</annotation></math></div><p>c</p>`,
  ),
  {
    name: 'a formula of MathJax 2',
    html: ({ raw }) => `<p>a <script type="math/tex">${raw}</script> c <code>$</code></p>`,
  },
  {
    name: 'a formula of MathJax 2 on its own',
    html: ({ raw }) => `<p>a</p><script type="math/tex; mode=display">${raw}</script><p>c</p>`,
  },
  inside('a formula between parentheses', (t) => `<p>a \\(${t}\\) c</p>`),
  inside('a formula between brackets', (t) => `<p>\\[${t}\\]</p><p>c</p>`),
  inside('a formula between dollars', (t) => `<p>a $$\\alpha ${t}$$ c</p>`),
  inside('a formula that is called so', (t) => `<p>a <span class=math>$x_1 ${t}$</span> c</p>`),
  inside('a formula in a heading', (t) => `<h2>a \\[${t}\\]</h2>`),
  inside('a formula in a link', (t) => `<p><a href="${LINK}">a \\(${t}\\) c</a></p>`),
  inside('a formula in a cell', (t) => `<table><tr><th>a<th>b<tr><td>\\(${t}\\)<td>\\[${t}\\]</table>`),
  inside('a formula in an item', (t) => `<ul><li>\\[${t}\\]</li><li>c</li></ul>`),
  inside('a formula behind a price', (t) => `<p>$5 \\(${t}\\) $6 <code>$&lt;x-b></code></p>`),
  inside('text of MathML', (t) => `<p>a <math><mi>x</mi><mtext>${t}</mtext></math></p>`),
  inside('a symbol of MathML', (t) => `<p><math><mi>${t}</mi><mo>${t}</mo><mn>${t}</mn></math></p>`),
  inside('MathML on its own', (t) => `<math display=block><mtext>${t}</mtext></math><p>c</p>`),
  aside(
    'fences of MathML',
    (t) => `<p><math><mfenced open="${t}" close="${t}" separators="${t}"><mi>b</mi><mi>c</mi></mfenced></math></p>`,
  ),
  aside('a formula of LaTeXML', (t) => `<p>a <math alttext="${t}"><mi>b</mi></math> c</p>`),
  aside('a formula of LaTeXML on its own', (t) => `<math display=block alttext="${t}"><mi>b</mi></math><p>c</p>`),
  aside(
    'an image of a formula',
    (t) => `<p>a <img class=mwe-math-fallback-image-inline src="/a.svg" alt="{\\displaystyle ${t}}"> c</p>`,
  ),
  aside(
    'a hidden image of a formula',
    (t) => `<p>a <img aria-hidden=true class=tex src="/a.svg" alt="\\displaystyle ${t}"></p>`,
  ),
  {
    ...inside('a reference to a footnote', (t) => `<p>a<sup><a href="#f">1</a></sup>${t}</p><ol><li id=f>b</li></ol>`),
    mayRepeat: ['a', 'pre', 'code'],
    isAddress: true,
  },
  {
    ...inside('a footnote', (t) => `<p>a<sup><a href="#f">1</a></sup></p><ol><li id=f>${t}</li></ol>`),
    mayRepeat: ['a', 'pre', 'code'],
    isAddress: true,
  },
  {
    ...inside(
      'text that begins with a reference',
      (t) => `<p><sup><a href="#f">1</a></sup>${t}</p><ol><li id=f>b</li></ol>`,
    ),
    mayRepeat: ['a', 'pre', 'code'],
    isAddress: true,
  },
  inside('a caption of a figure', (t) => `<figure><img src="/a.png" alt=b><figcaption>${t}</figcaption></figure>`),
  inside('a summary', (t) => `<details><summary>${t}</summary><p>b</p></details>`),
  inside('details', (t) => `<details><summary>a</summary>${t}</details>`),
  inside('an admonition', (t) => `<div class="admonition note"><p class=admonition-title>${t}</p><p>${t}</p></div>`),
  inside(
    'an alert',
    (t) => `<div class="markdown-alert markdown-alert-note"><p class=markdown-alert-title>Note</p><p>${t}</p></div>`,
  ),
  inside(
    'tabs',
    (t) => `<div role=tablist><button role=tab aria-controls=b>${t}</button></div><div role=tabpanel id=b>${t}</div>`,
  ),
  inside('an address', (t) => `<address>${t}</address>`, true),
  aside('the title of a frame', (t) => `<iframe src="${LINK}" title="${t}"></iframe>`),
  address('the address of a frame', (t) => `<iframe src="${LINK}${t}"></iframe>`),
  aside('the title of a video', (t) => `<video src="/a.mp4" title="${t}"></video>`),
  address(
    'the address of an object',
    (t) => `<object data="/${t}" type="application/pdf" title="${t}"></object><embed src="/${t}">`,
  ),
  inside('a button that folds', (t) => `<button aria-expanded=false>${t}</button><p>b</p>`),
  inside('a label', (t) => `<label>${t}</label>`, true),
  inside('text in bold by style', (t) => `<p><span style="font-weight:700">${t}</span></p>`),
  inside('a shadow root', (t) => `<x-b><template shadowrootmode=open><p>${t}</p></template></x-b>`),
];
