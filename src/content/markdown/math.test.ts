import { describe } from 'node:test';
import { itWrites } from '../../../test/support/markdown-cases.ts';

function tex(source: string): string {
  return `<math><semantics><mrow><mi>x</mi></mrow><annotation encoding="application/x-tex">${source}</annotation></semantics></math>`;
}

describe('formulas', () => {
  itWrites([
    ['are the TeX they were made from', `a ${tex('x_1^2 * y')} b`, 'a $x_1^2 * y$ b'],
    [
      'are on lines of their own when they are displayed',
      `a<math display=block><annotation encoding="application/x-tex">x\n= 1</annotation></math>b`,
      'a',
      '',
      '$$',
      'x',
      '= 1',
      '$$',
      '',
      'b',
    ],
    [
      'come from KaTeX',
      `<p>a <span class=katex><span class=katex-mathml>${tex('\\frac{1}{2}')}</span><span class=katex-html aria-hidden=true>1/2</span></span>`,
      'a $\\frac{1}{2}$',
    ],
    [
      'come from KaTeX on lines of their own',
      `<span class=katex-display><span class=katex>${tex('x')}</span></span>`,
      '$$',
      'x',
      '$$',
    ],
    [
      'come from scripts of MathJax',
      '<p>a <script type="math/tex">x<1</script><script type="math/tex; mode=display">y</script>',
      'a $x<1$',
      '',
      '$$',
      'y',
      '$$',
    ],
    [
      'come from the delimiters of MathJax',
      '<p>a \\(x_1 * y_2\\) b \\[z\\] c $$w^2$$',
      'a $x_1 * y_2$ b',
      '',
      '$$',
      'z',
      '$$',
      '',
      'c',
      '',
      '$$',
      'w^2',
      '$$',
    ],
    [
      'come from dollars in mathematical elements only',
      '<span class="math-container">$x_1*y_1$</span> costs $5 or $6*',
      '$x_1*y_1$ costs $5 or $6*',
    ],
    [
      'come from dollars elsewhere that cannot mean anything else',
      '<p>If $\\{x_1*y*z\\}$, it is $5_000 or $6*; $HOME and $x &lt;b&gt; _y_$',
      'If $\\{x_1*y*z\\}$, it is $5_000 or $6\\*; $HOME and $x \\<b> \\_y_$',
    ],
    [
      'are written only once if MathJax rendered them',
      '<p>a <span class=MathJax_Preview>x2</span><span class=MathJax><nobr aria-hidden=true>x2</nobr><span class=MJX_Assistive_MathML><math><mi>x</mi></math></span></span><script type="math/tex">x^2</script> b <span class=MathJax>c</span>',
      'a $x^2$ b c',
    ],
    [
      'come from images that are hidden beside hidden MathML',
      'a <span style="display:none"><math alttext="x^2"><mi>x</mi></math></span><img src=/x.svg aria-hidden=true alt="{\\displaystyle x^2}"> b<img aria-hidden=true src=/c.svg alt="c"><img style="display:none" src=/d.svg alt="\\displaystyle d">',
      'a $x^2$ b',
    ],
    ['are not prices of restaurants', 'a $$ b $$$ c', 'a $$ b $$$ c'],
    [
      'come from images that describe them',
      '<img src=/a.svg alt="{\\displaystyle E=mc^{2}}"> <img class=latex src=/b.png alt="x^2"> <img class=logo src=/c.png alt="x^2">',
      '$E=mc^{2}$ $x^2$ ![x^2](https://example.com/c.png)',
    ],
    [
      'come from Doxygen',
      '<p>a <img class="formulaInl" alt="$x$" src="/form_1.png"/> b</p><p class="formulaDsp"><img class="formulaDsp" alt="\\[ y_1 \\]" src="/form_2.png"/></p>',
      'a $x$ b',
      '',
      '$$',
      'y_1',
      '$$',
    ],
    ['come from LaTeXML', '<math alttext="\\alpha"><mi>α</mi></math>', '$\\alpha$'],
    [
      'come from Sphinx',
      '<p>If <span class="math notranslate nohighlight">\\(a^2 &lt; b\\)</span>:</p><div class="math notranslate nohighlight" id="eq"><span class="eqno">(1)</span>\\[\\begin{split}a &amp;= b \\\\ &amp;= c\\end{split}\\]</div>',
      'If $a^2 < b$:',
      '',
      '(1)',
      '',
      '$$',
      '\\begin{split}a &= b \\\\ &= c\\end{split}',
      '$$',
    ],
    [
      'come from MathJax 3',
      '<p>a <mjx-container class="MathJax" jax="CHTML"><mjx-math class="MJX-TEX" aria-hidden="true"><mjx-mi><mjx-c class="mjx-c1D465"></mjx-c></mjx-mi></mjx-math><mjx-assistive-mml display="inline"><math xmlns="http://www.w3.org/1998/Math/MathML"><msup><mi>x</mi><mn>2</mn></msup></math></mjx-assistive-mml></mjx-container> b',
      'a $x^{2}$ b',
    ],
    [
      'come from Wikipedia',
      '<p>a <span class="mwe-math-element"><span class="mwe-math-mathml-inline mwe-math-mathml-a11y" style="display: none;"><math alttext="{\\displaystyle x&lt;y}"><mi>x</mi></math></span><img src="/x.svg" class="mwe-math-fallback-image-inline" aria-hidden="true" alt="{\\displaystyle x&lt;y}"></span> b',
      'a $x < y$ b',
    ],
    [
      'lose the comments with which LaTeXML breaks lines',
      '<math alttext="\\mathrm{d}%\n\n\\alpha%\nx+5\\%"><mi>d</mi></math>',
      '$\\mathrm{d} \\alpha x+5\\%$',
    ],
    ['keep text after a sign that would hide it', '<p>\\(50% of x_1\\)', '$50\\% of x_1$'],
    ['are kept apart', '<p>\\(a_1\\)\\(b\\)', '$a_1$ $b$'],
    ['do not end at a delimiter after a backslash', '<p>\\(a \\\\) b\\) \\$x_1\\$', '$a \\\\) b$ \\\\$x_1\\\\$'],
    ['escape the prices before them', '<p>$5 and $6, \\(x_1\\)', '\\$5 and \\$6, $x_1$'],
    [
      'are on one line in a table',
      `<table><tr><th>a<th>b<tr><td><math display=block><annotation encoding="application/x-tex">x |\ny</annotation></math><td>c</table>`,
      '| a | b |',
      '| --- | --- |',
      '| $$x \\| y$$ | c |',
    ],
  ]);
});

describe('formulas that Markdown could misread', () => {
  itWrites([
    ['hold no tags', '<p>\\(a&lt;b &lt;/script>\\)', '$a < b < /script>$'],
    ['hold no links', '<p>\\([x](javascript:y) ![z]\\)', '$[x] (javascript:y) ![z]$'],
    [
      'do not end a link that they are in',
      '<p><a href="https://example.com/a">\\([0, 1) \\cup ]2, 3]\\)</a>',
      '[$[0, 1) \\cup ]2, 3\\rbrack$](https://example.com/a)',
    ],
    ['hold no TeX links', '<p>\\(\\href{javascript:a}{b} \\hrefx\\)', '$\\text{javascript:a}{b} \\hrefx$'],
    [
      'keep tags apart from an address in them',
      '<p>\\(\\text{https://x.org/}\\)<b>&lt;i&gt;</b>',
      '$\\text{https://x.org/}$**&lt;i>**',
    ],
    ['hold no footnotes', '<p>\\([^1]\\)', '$[ ^1]$'],
    ['hold no code', '<p>\\(\\text{``a` b`}\\)', '$\\text{“a‘ b‘}$'],
    [
      'hold no other formulas',
      '<p>\\(\\text{if $x$ costs \\$5}\\)',
      '$\\text{if \\(x\\) costs \\text{\\textdollar}5}$',
    ],
    ['end with no backslash', '<p>\\[x\\\\\\ \\]', '$$', 'x\\\\{}', '$$'],
    [
      'begin no blocks in their lines',
      '<p>\\[\n- a\n===\n# b\n\n1. c\n~~~\n|-|\n-1\n\\]',
      '$$',
      '{}- a',
      '{}===',
      '{}# b',
      '{}1. c',
      '{}~~~',
      '{}|-|',
      '-1',
      '$$',
    ],
    [
      'have no bars in a cell',
      '<table><tr><th>a<th>b<tr><td>\\(\\|x\\|\\)<td>c</table>',
      '| a | b |',
      '| --- | --- |',
      '| $\\Vert x\\Vert$ | c |',
    ],
    ['are kept apart from code after them', '<p>\\(x_1\\) <code>$y &lt;b></code>', '$x_1$ <code>&#36;y \\<b></code>'],
  ]);
});

describe('MathML', () => {
  itWrites([
    [
      'becomes fractions, roots, powers and indices',
      '<math><mfrac><mi>a</mi><mn>2</mn></mfrac><msqrt><mi>b</mi><mo>+</mo><mn>1</mn></msqrt><mroot><mi>c</mi><mn>3</mn></mroot><msup><mi>x</mi><mn>2</mn></msup><msub><mrow><mi>y</mi><mi>z</mi></mrow><mi>i</mi></msub><msubsup><mi>u</mi><mn>0</mn><mn>1</mn></msubsup></math>',
      '$\\frac{a}{2}\\sqrt{b+1}\\sqrt[3]{c}x^{2}{yz}_{i}u_{0}^{1}$',
    ],
    [
      'becomes sums, accents and fences',
      '<math><munderover><mo>∑</mo><mrow><mi>i</mi><mo>=</mo><mn>1</mn></mrow><mi>n</mi></munderover><mover><mi>x</mi><mo>→</mo></mover><mover><mi>y</mi><mo>^</mo></mover><mfenced><mi>a</mi><mi>b</mi></mfenced></math>',
      '$\\sum_{i=1}^{n}\\vec{x}\\hat{y}(a,b)$',
    ],
    [
      'becomes matrices',
      '<math><mo>[</mo><mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>2</mn></mtd></mtr><mtr><mtd><mn>3</mn></mtd><mtd><mn>4</mn></mtd></mtr></mtable><mo>]</mo></math>',
      '$[\\begin{matrix}1 & 2 \\\\ 3 & 4\\end{matrix}]$',
    ],
    [
      'becomes Greek letters, signs and functions',
      '<math><mi>α</mi><mo>≤</mo><mi>sin</mi><mo>&#x2061;</mo><mi>Ω</mi><mo>∈</mo><mi>ℝ</mi><mtext>if x</mtext></math>',
      '$\\alpha \\leq \\operatorname{sin}\\Omega \\in \\mathbb{R}\\text{if x}$',
    ],
    [
      'has its special characters escaped',
      '<math><mn>5</mn><mo>%</mo><mo>{</mo><mi>x</mi><mo>}</mo></math>',
      '$5\\%\\{x\\}$',
    ],
    [
      'has its texts and fences escaped',
      '<math><mtext>a_b} \\href{c}</mtext><mfenced open="{" close="\\" separators="|"><mi>d</mi><mi>e</mi></mfenced><mo>^</mo></math>',
      '$\\text{a\\_b\\} \\textbackslash href\\{c\\}}\\{d|e\\backslash \\text{\\textasciicircum}$',
    ],
  ]);
});
