/** A page made to exhaust whatever reads it. */
export interface GiantPage {
  name: string;
  /** Created on demand, because together they would fill the memory. */
  html(): Buffer;
}

const DEEP = 100_000;
const MANY = 1_000_000;

const BODIES: Readonly<Record<string, () => string>> = {
  // Depth.
  'divs 100,000 deep': () => around('<div>', DEEP, '</div>'),
  'divs 100,000 deep, never closed': () => '<div>'.repeat(DEEP),
  'spans 100,000 deep': () => around('<p><span>', DEEP, '</span></p>'),
  'formatting elements 100,000 deep': () => `<p>${'<b><i><font>'.repeat(DEEP / 3)}x</p>`.repeat(3),
  'links 100,000 deep': () => '<a href="/">'.repeat(DEEP),
  'lists 50,000 deep': () => around('<ul><li>', DEEP / 2, '</li></ul>'),
  'ordered lists 50,000 deep': () => around('<ol start="9"><li>', DEEP / 2, '</li></ol>'),
  'quotes 100,000 deep': () => around('<blockquote>', DEEP, '</blockquote>'),
  'tables 30,000 deep': () => around('<table><tr><td>', 30_000, '</td></tr></table>'),
  'definition lists 50,000 deep': () => around('<dl><dt>x</dt><dd>', DEEP / 2, '</dd></dl>'),
  'svg and math 50,000 deep': () =>
    around('<svg><foreignObject><math><mi>', DEEP / 4, '</mi></math></foreignObject></svg>'),
  'templates 100,000 deep': () => around('<template>', DEEP, '</template>'),
  'selects and options 100,000 deep': () => '<select><option>'.repeat(DEEP),
  'structured data 100,000 deep': () =>
    `<script type="application/ld+json">${'['.repeat(DEEP)}${']'.repeat(DEEP)}</script><p>x</p>`,

  // Number.
  'a million paragraphs': () => '<p>x'.repeat(MANY),
  'a million line breaks': () => `<p>x${'<br>'.repeat(MANY)}y</p>`,
  'a million open bold tags': () => '<b>x'.repeat(MANY),
  'a million paragraphs that reopen formatting': () => `<b><i><u><s>${'<p>x</i>'.repeat(MANY / 4)}`,
  'a million end tags without a start': () => '</p></div></b>'.repeat(MANY / 3),
  '200,000 attributes': () => `<p ${Array.from({ length: 200_000 }, (_, at) => `a${at}="${at}"`).join(' ')}>x</p>`,
  '200,000 attributes of one name': () => `<p ${'class="x" '.repeat(200_000)}>x</p>`,
  '200,000 links': () => Array.from({ length: 200_000 }, (_, at) => `<a href="/page/${at}">${at}</a> `).join(''),
  '200,000 images': () => Array.from({ length: 200_000 }, (_, at) => `<img src="/i/${at}.png" alt="${at}">`).join(''),
  '100,000 meta tags': () =>
    Array.from({ length: DEEP }, (_, at) => `<meta property="og:image" content="/${at}.png">`).join(''),
  '100,000 rows': () => `<table>${'<tr><td>a<td>b<td>c'.repeat(DEEP)}</table>`,
  '100,000 columns': () => `<table><tr>${'<td>x'.repeat(DEEP)}<tr>${'<td>y'.repeat(DEEP)}</table>`,
  'cells that span a billion places': () =>
    `<table>${`<tr>${'<td rowspan="65534" colspan="1000">x'.repeat(20)}`.repeat(200)}</table>`,
  '100,000 one-item lists': () => '<ul><li>x</ul>'.repeat(DEEP),
  '100,000 class names': () => `<div class="${Array.from({ length: DEEP }, (_, at) => `c${at}`).join(' ')}">x</div>`,

  // Length.
  'one line of 50 MB': () => `<p>${'words that go on and on '.repeat(2_080_000)}</p>`,
  'one word of 50 MB': () => `<p>${'x'.repeat(50_000_000)}</p>`,
  'a script of 20 MB': () => `<script>${'var a="</p>";'.repeat(1_500_000)}</script><p>x</p>`,
  'a comment of 20 MB': () => `<!--${'- '.repeat(10_000_000)}--><p>x</p>`,
  'a comment of 20 MB, never closed': () => `<p>x</p><!--${'--'.repeat(10_000_000)}`,
  'an attribute of 10 MB': () => `<p title="${'x'.repeat(10_000_000)}">x</p>`,
  'an image of 10 MB in its address': () => `<img alt="x" src="data:image/png;base64,${'A'.repeat(10_000_000)}">`,
  'code of 10 MB': () => `<pre><code>${'```` ~~~~ line\n'.repeat(700_000)}</code></pre>`,
  '10 MB of what Markdown would read as marks': () =>
    `<p>${'*_`[]()#+-!|<>\\'.replace('<', '&lt;').repeat(500_000)}</p>`,
  '10 MB of backticks': () => `<p><code>${'`'.repeat(10_000_000)}</code></p>`,
  '5 million open angle brackets': () => '<'.repeat(5_000_000),
  '5 million ampersands': () => '&'.repeat(5_000_000),
  '2 million beginnings of references': () => '&am'.repeat(2_000_000),
  '2 million beginnings of comments': () => '<!-'.repeat(2_000_000),
  '2 million beginnings of attributes': () => `<p ${'a="'.repeat(2_000_000)}`,
  '10 MB of white space': () => `<p>a${' \n\t'.repeat(3_400_000)}b</p>`,
  '10 MB of white space before each end': () => `<p>${`a${' '.repeat(100_000)}<br>`.repeat(100)}</p>`,
};

/** Unrealistically deep, long or numerous pages. A reader must limit its time and memory for each. */
export function* giantPages(): Generator<GiantPage> {
  for (const [name, body] of Object.entries(BODIES)) {
    yield {
      name,
      html: () =>
        Buffer.from(`<!doctype html><html lang="en"><head><title>Giant</title></head><body>${body()}</body></html>`),
    };
  }
}

function around(open: string, times: number, close: string): string {
  return `${open.repeat(times)}x${close.repeat(times)}`;
}
