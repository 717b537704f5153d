import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { toHtml } from './html.ts';
import { parseHtml } from './parse-html.ts';

function clean(html: string, removeBase64Images = true): string {
  const { root, baseUrl } = parseHtml(html, 'https://example.com/dir/page');
  return toHtml(root.children, { baseUrl, removeBase64Images });
}

const CASES: [name: string, html: string, cleaned: string][] = [
  [
    'drops scripts, styles, comments and templates',
    '<p>a<script>x</script><style>y</style><!-- z --><template>t</template>b',
    '<p>ab</p>',
  ],
  [
    'drops hidden elements and drawings',
    '<p hidden>a</p><p style="display: none">b</p><p>c<svg><path/></svg></p>',
    '<p>c</p>',
  ],
  ['drops the head', '<html><head><title>T</title><meta name=a></head><body>x', '<html><body>x</body></html>'],
  [
    'drops event handlers and inline styles',
    '<p onclick="a()" ONLOAD=b style="color:red" class=c>x',
    '<p class="c">x</p>',
  ],
  ['makes addresses absolute', '<a href="../a?b=1&amp;c=2">x</a>', '<a href="https://example.com/a?b=1&amp;c=2">x</a>'],
  ['resolves against the base', '<base href="/other/"><a href=a>x</a>', '<a href="https://example.com/other/a">x</a>'],
  ['drops javascript: addresses', '<a href="javascript:a()">x</a>', '<a>x</a>'],
  [
    'drops javascript: addresses in disguise',
    '<a href=" java\nscript&colon;a()">x</a><form action=JAVASCRIPT:b>y</form>',
    '<a>x</a><form>y</form>',
  ],
  [
    'drops other addresses that run code',
    '<a href="data:text/html,x">x</a><iframe src="data:text/html,y"></iframe>',
    '<a>x</a><iframe></iframe>',
  ],
  [
    'keeps mail and telephone addresses',
    '<a href="mailto:a@b.c">x</a><a href="tel:1">y</a>',
    '<a href="mailto:a@b.c">x</a><a href="tel:1">y</a>',
  ],
  [
    'makes src, srcset and poster absolute',
    '<img src=a.png srcset="b.png 1x, /c.png 2x"><video poster=d.png></video>',
    '<img src="https://example.com/dir/a.png" srcset="https://example.com/dir/b.png 1x, https://example.com/c.png 2x"><video poster="https://example.com/dir/d.png"></video>',
  ],
  ['takes the address of a data image', '<img src="data:image/png;base64,AA" alt="a">', '<img alt="a">'],
  ['escapes text', '<p>1 &lt; 2 &amp;amp; 3 > 2', '<p>1 &lt; 2 &amp;amp; 3 &gt; 2</p>'],
  ['escapes attributes', `<p title='"&lt;b>"'>x`, '<p title="&quot;&lt;b&gt;&quot;">x</p>'],
  ['closes no void elements', '<p>a<br>b<hr>', '<p>a<br>b</p>\n<hr>'],
  ['keeps white space in pre, the first line break too', '<pre>\n\n  a\n</pre>', '<pre>\n\n  a\n</pre>'],
  [
    'keeps a textarea whole',
    '<textarea>a</p>&lt;/textarea></textarea>',
    '<textarea>a&lt;/p&gt;&lt;/textarea&gt;</textarea>',
  ],
  ['turns raw text into escaped text', '<xmp><b>a</b></xmp>', '<pre>&lt;b&gt;a&lt;/b&gt;</pre>'],
  ['leaves out names that need care', "<p \"x=1 <y=2 a=b><b'c>z</b'c>", '<p a="b">z</p>'],
  ['keeps math', '<math><mi>x</mi><mspace/></math>', '<math><mi>x</mi><mspace></mspace></math>'],
];

describe('toHtml', () => {
  for (const [name, html, cleaned] of CASES) {
    it(name, () => assert.equal(clean(html), cleaned));
  }

  it('keeps data: images when asked to, but no other data: addresses', () => {
    assert.equal(clean('<img src="data:image/png;base64,AA">', false), '<img src="data:image/png;base64,AA">');
    assert.equal(clean('<img src="data:text/html,AA">', false), '<img>');
  });

  it('is idempotent', () => {
    for (const [, html] of CASES) assert.equal(clean(clean(html)), clean(html));
  });

  it('writes the deepest nesting that the parser allows', () => {
    assert.match(clean(`${'<div>'.repeat(100_000)}x`), /<div>x<\/div>/);
  });
});
