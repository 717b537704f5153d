import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseHtml } from './parse-html.ts';
import { type ElementNode, isHidden, MAX_DEPTH, type TreeNode } from './tree.ts';

function parse(html: string): ElementNode {
  return parseHtml(html, 'https://example.com/dir/page').root;
}

/** `p(a"x")` for `<p><a>x</a></p>`. */
function outline(nodes: readonly TreeNode[]): string {
  return nodes
    .map((node) => (node.kind === 'text' ? JSON.stringify(node.text) : `${node.name}(${outline(node.children)})`))
    .join('');
}

function find(element: ElementNode, name: string): ElementNode {
  const found = search(element, name);
  assert.ok(found, `no <${name}>`);
  return found;
}

function search(element: ElementNode, name: string): ElementNode | undefined {
  if (element.name === name) return element;
  for (const child of element.children) {
    const found = child.kind === 'element' ? search(child, name) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

function depthOf(element: ElementNode): number {
  let deepest = 0;
  for (const child of element.children) if (child.kind === 'element') deepest = Math.max(deepest, depthOf(child));
  return deepest + 1;
}

type Case = [html: string, tree: string];

const TREES: Record<string, Case[]> = {
  'ends paragraphs, items, terms, cells and options that are not closed': [
    ['<p>a<p>b<div>c</div>', 'p("a")p("b")div("c")'],
    ['<p>a<b>b<p>c', 'p("a"b("b"))p("c")'],
    ['<ul><li>a<li>b<ul><li>c</ul><li>d</ul>', 'ul(li("a")li("b"ul(li("c")))li("d"))'],
    ['<li>a<div>b<li>c', 'li("a"div("b"))li("c")'],
    ['<dl><dt>a<dd>b<dt>c<dd>d</dl>', 'dl(dt("a")dd("b")dt("c")dd("d"))'],
    ['<table><tr><td>a<td>b<tr><th>c</table>d', 'table(tr(td("a")td("b"))tr(th("c")))"d"'],
    ['<select><option>a<option>b<optgroup><option>c</select>', 'select(option("a")option("b")optgroup(option("c")))'],
    ['<ruby>漢<rp>(<rt>kan<rp>)</ruby>', 'ruby("漢"rp("(")rt("kan")rp(")"))'],
    ['<h1>a<h2>b</h1>c', 'h1("a")h2("b")"c"'],
    ['<button>a<button>b', 'button("a")button("b")'],
  ],
  'builds tables whatever is missing or in the way': [
    ['<table><td>a<td>b<tr><td>c</table>', 'table(tr(td("a")td("b"))tr(td("c")))'],
    ['<table><thead><tr><th>a<tbody><tr><td>b</table>', 'table(thead(tr(th("a")))tbody(tr(td("b"))))'],
    ['<table><tr><td><table><tr><td>a</table>b<td>c</table>', 'table(tr(td(table(tr(td("a")))"b")td("c")))'],
    ['<table><tr><td>a</div></p></li>b</table>', 'table(tr(td("a""b")))'],
    ['<table><caption>a<tr><td>b</table>', 'table(caption("a")tr(td("b")))'],
    ['<table><form><tr><td>a</form></table>b', 'table(tr(td("a")))"b"'],
    ['<table><tr><table><tr><td>a</table>', 'table(tr())table(tr(td("a")))'],
  ],
  'ignores end tags of what is not open, and of what is out of reach': [
    ['a</div></p></b></br>b', '"a"br()"b"'],
    ['<div><span>a</div>b</span>', 'div(span("a"))"b"'],
    ['<span><div>a</span>b</div>c', 'span(div("a""b")"c")'],
    ['<h2>a</h3>b', 'h2("a")"b"'],
    ['<div><form><p>a</div>b</form>c', 'div(form(p("a")))"b""c"'],
    ['<form><div>a</form>b</div>c', 'form(div("a""b")"c")'],
  ],
  'takes formatting that ends in the wrong place apart': [
    ['<b>a<i>b</b>c</i>', 'b("a"i("b"))"c"'],
    ['<b>a<p>b</b>c</p>d', 'b("a")p(b("b")"c")"d"'],
    ['<a href=x>a<div>b<div>c</a>d</div>e</div>f', 'a("a")div(a("b")div(a("c")"d")"e")"f"'],
    ['<a name=top><div>a<a href=x>b</a>c</div>', 'a()div(a("a")a("b")"c")'],
    ['<p><a href=x>a<div>b</div></a>c', 'p(a("a"))div(a("b"))"c"'],
    ['<b><ul><li>a</b>b</ul>', 'b()ul(li(b("a")"b"))'],
  ],
  'knows void elements': [
    ['<p>a<br>b<img src=x>c<hr>d<input>', 'p("a"br()"b"img()"c")hr()"d"input()'],
    ['<br/><div/>a</div>b', 'br()div("a")"b"'],
    ['<image src=x>', 'img()'],
  ],
  'leaves raw text as it is': [
    ['<script>if (a<b && "</p>") {}</script>c', 'script("if (a<b && \\"</p>\\") {}")"c"'],
    [
      '<script><!-- document.write("<script>a</script>") --></script>b',
      'script("<!-- document.write(\\"<script>a</script>\\") -->")"b"',
    ],
    ['<script><!-- a </script>b', 'script("<!-- a ")"b"'],
    ['<STYLE>a > b {}</Style >c', 'style("a > b {}")"c"'],
    ['<style></styles></style>', 'style("</styles>")'],
    ['<textarea>\n<p>&amp;</textarea>', 'textarea("<p>&")'],
    ['<title>a <b> &lt;</title>', 'title("a <b> <")'],
    ['<iframe><p>a</iframe><noscript><p>b</noscript>', 'iframe("<p>a")noscript(p("b"))'],
    ['<script>a', 'script("a")'],
  ],
  'reads text, comments and odd markup as the standard says': [
    ['a<!-- b > -- c -->d<!-->e<!--->f<!-- g --!>h', '"a""d""e""f""h"'],
    ['a<!DOCTYPE html><?php b ?>c</ d>e<![CDATA[f]]>g', '"a""c""e""g"'],
    ['1 < 2 <3 & 4 <', '"1 < 2 <3 & 4 <"'],
    ['a<!-- b', '"a"'],
    ['a<b', '"a"'],
    ['a<b c="d', '"a"'],
    ['&amp;&lt&copy;&notit;&#x41;&#128;&unknown;', '"&<©¬it;A€&unknown;"'],
    ['a\0b<p\0>c', '"ab"p("c")'],
  ],
  'keeps SVG and MathML as subtrees': [
    ['<svg><path/><title>a</title><a>b</a></svg>c', 'svg(path()title("a")a("b"))"c"'],
    ['<svg><foreignObject><p>a<p>b</foreignObject></svg>c', 'svg(foreignobject(p("a")p("b")))"c"'],
    ['<svg><g><p>a</p>b', 'svg(g())p("a")"b"'],
    ['<math><mi>x</mi><mo>&lt;</mo><![CDATA[a<b]]></math>', 'math(mi("x")mo("<")"a<b")'],
    ['<a href=x><svg><a></a></svg>b</a>', 'a(svg(a())"b")'],
  ],
  'keeps head and body apart': [
    ['<head><title>a</title><div>b', 'head(title("a"))div("b")'],
    ['<html><head><meta name=a>b', 'html(head(meta())"b")'],
    ['<html><body>a</body></html>b<body class=c>d', 'html(body("a""b""d"))'],
    ['<head><noscript><img src=x></noscript><meta name=a></head>', 'head(noscript(img())meta())'],
    ['<template><td>a</template>b', 'template(td("a"))"b"'],
  ],
  'leaves out white space that is never shown, and keeps what may be': [
    ['<div>\n  <p>a</p>\n  <p>b</p>\n</div>', 'div(p("a")p("b"))'],
    ['<b>a</b> <i>b</i>\n', 'b("a")" "i("b")"\\n"'],
    ['<ul> <li>a</li> </ul><pre>\n\n a</pre><pre> <b> </b></pre>', 'ul(li("a"))pre("\\n a")pre(" "b(" "))'],
    ['<p>&nbsp;</p>', 'p("\u00a0")'],
  ],
};

describe('parseHtml', () => {
  for (const [name, cases] of Object.entries(TREES)) {
    it(name, () => {
      for (const [html, tree] of cases) assert.equal(outline(parse(html).children), tree, html);
    });
  }

  it('reads attributes in every syntax', () => {
    const { attributes } = find(
      parse(`<a HREF=/x?a=1&amp;b=2 title='"&quot;' data-x = "y>z" hidden =a class/id=b x="1"y='2' href=z>`),
      'a',
    );
    assert.deepEqual(Object.fromEntries(attributes.entries()), {
      href: '/x?a=1&b=2',
      title: '""',
      'data-x': 'y>z',
      hidden: 'a',
      class: '',
      id: 'b',
      x: '1',
      y: '2',
    });
  });

  it('has no attributes other than those of the page', () => {
    const { attributes } = find(parse('<a x=1>'), 'a');
    assert.equal(attributes.get('constructor'), undefined);
    assert.equal(attributes.has('tostring'), false);
    assert.deepEqual([...find(parse('<a __proto__=1>'), 'a').attributes.entries()], [['__proto__', '1']]);
  });

  it('keeps at most 256 attributes per element', () => {
    const many = Array.from({ length: 300 }, (_, index) => `a${index}=1`).join(' ');
    assert.equal(find(parse(`<p ${many}>`), 'p').attributes.entries().size, 256);
  });

  it('gives every node its parent', () => {
    const bold = find(parse('<div><p>a<b>b</b></div>'), 'b');
    assert.deepEqual(
      [bold.parent?.name, bold.parent?.parent?.name, bold.parent?.parent?.parent?.name],
      ['p', 'div', ''],
    );
  });
});

describe('the counts of an element', () => {
  it('cover its visible text, with white space collapsed', () => {
    const root = parse(
      '<body>\n <p> one,  two </p><script>var a, b</script><p hidden>three, four</p><i>五、</i><select><option>six</select>',
    );
    assert.deepEqual([root.textLength, root.commas, root.linkLength], ['one, two'.length + 2, 2, 0]);
  });

  it('say how much of that text is in links', () => {
    const root = parse('<p>one <a href=x>two</a> <a name=y>three</a></p>');
    assert.deepEqual([find(root, 'p').textLength, root.linkLength], ['onetwothree'.length, 'two'.length]);
  });

  it('are kept by a hidden element but not added to its ancestors', () => {
    const root = parse('<div hidden>one</div>');
    assert.deepEqual([find(root, 'div').textLength, root.textLength], [3, 0]);
  });

  it('survive the splitting of formatting elements', () => {
    const root = parse('<div><a href=x>one<p>two</a>three</p></div>');
    assert.deepEqual([root.textLength, root.linkLength], ['onetwothree'.length, 'onetwo'.length]);
  });
});

describe('hidden elements', () => {
  for (const html of [
    '<x hidden>',
    '<x aria-hidden="true">',
    '<x style="color: red; DISPLAY : none">',
    '<x style="visibility:hidden">',
    '<x popover>',
    '<div hidden><p><x>',
  ]) {
    it(`are found: ${html}`, () => assert.equal(isHidden(find(parse(html), 'x')), true));
  }

  for (const html of [
    '<x hidden="until-found">',
    '<x aria-hidden="false">',
    '<x style="opacity:0">',
    '<x style="--display:none">',
  ]) {
    it(`are not reported: ${html}`, () => assert.equal(isHidden(find(parse(html), 'x')), false));
  }

  it('include closed dialogs, scripts and templates, but not open dialogs', () => {
    const hidden = (html: string, name: string) => find(parse(html), name).hidden;
    assert.deepEqual(
      [hidden('<dialog>', 'dialog'), hidden('<dialog open>', 'dialog'), hidden('<template>', 'template')],
      [true, false, true],
    );
    assert.equal(hidden('<i><template shadowrootmode=open>', 'template'), true);
  });

  it('are never the whole page', () => {
    assert.equal(find(parse('<body style="visibility:hidden">a'), 'body').hidden, false);
  });
});

describe('declarative shadow roots', () => {
  const cases: Record<string, Case[]> = {
    'stand in their hosts': [
      ['<div><template shadowrootmode=open><p>a</p></template></div>', 'div(p("a"))'],
      ['<my-card><template shadowrootmode=closed>a</template></my-card>', 'my-card("a")'],
    ],
    'have what the host holds in their slots': [
      [
        '<my-card><template shadowrootmode=open><h2><slot name=t></slot></h2><slot></slot></template>a<b slot=t>c</b><i>d</i></my-card>',
        'my-card(h2(b("c"))"a"i("d"))',
      ],
      ['<my-card><p>a</p><template shadowrootmode=open>b<slot></slot>c</template></my-card>', 'my-card("b"p("a")"c")'],
      [
        '<x-a><template shadowrootmode=open><slot name=s></slot></template><p slot=s>a<p slot=s>b</x-a>',
        'x-a(p("a")p("b"))',
      ],
    ],
    'show nothing of the host that has no slot': [
      ['<my-card><template shadowrootmode=open>a</template>b<i slot=c>d</i></my-card>', 'my-card("a")'],
    ],
    'show what is in a slot when nothing is put into it': [
      ['<x-a><template shadowrootmode=open><slot>a</slot><slot name=b>c</slot></template> </x-a>', 'x-a("a""c")'],
    ],
    'fill the first slot of a name': [
      ['<x-a><template shadowrootmode=open><slot></slot><slot>a</slot></template>b</x-a>', 'x-a("b""a")'],
    ],
    'stand in each other': [
      [
        '<x-a><template shadowrootmode=open><x-b><template shadowrootmode=open>a<slot></slot></template><p><slot></slot></p></x-b></template>b</x-a>',
        'x-a(x-b("a"p("b")))',
      ],
      [
        '<x-a><template shadowrootmode=open>a<slot></slot></template><x-b><template shadowrootmode=open>b<slot></slot></template>c</x-b></x-a>',
        'x-a("a"x-b("b""c"))',
      ],
    ],
    'pass a slot on': [
      [
        '<x-a><template shadowrootmode=open><x-b><template shadowrootmode=open>(<slot></slot>)</template><slot></slot></x-b></template>c</x-a>',
        'x-a(x-b("(""c"")"))',
      ],
    ],
    'are of the first such template, and of elements that may have one': [
      ['<x-a><template shadowrootmode=open>a</template><template shadowrootmode=open>b</template></x-a>', 'x-a("a")'],
      ['<ul><template shadowrootmode=open>a</template><li>b</ul>', 'ul(template("a")li("b"))'],
      ['<x-a><template shadowrootmode=ajar>a</template>b</x-a>', 'x-a(template("a")"b")'],
    ],
    'leave slots of other templates alone': [
      [
        '<x-a><template shadowrootmode=open><template><slot></slot></template><slot></slot></template>a</x-a>',
        'x-a(template(slot())"a")',
      ],
    ],
  };
  for (const [name, trees] of Object.entries(cases)) {
    it(name, () => {
      for (const [html, tree] of trees) assert.equal(outline(parse(html).children), tree, html);
    });
  }

  it('hide what is in a hidden slot', () => {
    const root = parse('<x-a><template shadowrootmode=open><slot hidden></slot></template><p>a</p></x-a>');
    assert.equal(isHidden(find(root, 'p')), true);
  });

  it('count towards the text of their hosts', () => {
    const root = parse(
      '<x-a><template shadowrootmode=open><a href=/x>one, </a><slot></slot></template><p>two</p><i slot=b>gone</i></x-a>',
    );
    assert.deepEqual([root.textLength, root.linkLength, root.commas], ['one,two'.length, 'one,'.length, 1]);
  });

  it('nest no deeper than other elements, and lose nothing', () => {
    const level = `<x-a><template shadowrootmode=open>${'<div>'.repeat(40)}<slot></slot></template>`;
    const root = parse(`${level.repeat(10)}${'<div>'.repeat(300)}deep`);
    assert.ok(depthOf(root) <= MAX_DEPTH + 1);
    assert.equal(root.textLength, 'deep'.length);
    assert.ok(depthOf(parse(`${'<x-a><template shadowrootmode=open><slot></slot>'.repeat(400)}`)) <= MAX_DEPTH + 1);
  });

  it('take linear time', () => {
    const many = 10_000;
    const hosts = '<x-a><template shadowrootmode=open><slot></slot></template>a</x-a>'.repeat(many);
    const slots = `<x-a><template shadowrootmode=open>${'<slot name=b></slot>'.repeat(many)}</template>${'<b slot=b>a</b>'.repeat(many)}</x-a>`;
    assert.equal(parse(hosts).textLength + parse(slots).textLength, 2 * many);
  });
});

describe('the base address', () => {
  const cases: [html: string, base: string][] = [
    ['<p>a', 'https://example.com/dir/page'],
    ['<base href="/other/"><base href="/third/">', 'https://example.com/other/'],
    ['<base target=_blank><base href="https://cdn.example.org/">', 'https://cdn.example.org/'],
    ['<base href="javascript:a()">', 'https://example.com/dir/page'],
    ['<base href="https://[bad">', 'https://example.com/dir/page'],
  ];
  for (const [html, base] of cases) {
    it(`is ${base} with ${html}`, () => assert.equal(parseHtml(html, 'https://example.com/dir/page').baseUrl, base));
  }
});

describe('the bounds of the parser', () => {
  const hostile: Record<string, string> = {
    'elements in elements': '<div>'.repeat(100_000),
    'links around blocks': '<a href=x><div>'.repeat(50_000),
    'formatting around paragraphs': '<b><p>'.repeat(50_000) + '</b>'.repeat(50_000),
    'formatting that ends in paragraphs': '<b>'.repeat(440) + '<p></b>'.repeat(50_000),
    'stray end tags': '</div>'.repeat(100_000),
    'end tags out of reach': `<ul><li><table><td>${'<b>'.repeat(50_000)}${'</li>'.repeat(100_000)}`,
    'tables in tables': '<table><td>'.repeat(50_000),
    'attributes without end': `<a ${'b=c '.repeat(200_000)}`,
    'quotes without end': '<a b="'.repeat(100_000),
    'comments without end': '<!--'.repeat(100_000),
    'end tags without end': `<script>${'</'.repeat(200_000)}`,
    ampersands: '&amp'.repeat(100_000),
  };
  for (const [name, html] of Object.entries(hostile)) {
    it(`hold for 100,000 ${name}`, () => {
      const started = performance.now();
      assert.ok(depthOf(parse(html)) <= MAX_DEPTH + 1);
      // Linear code takes 0.05 to 0.3 s. Anything slower takes minutes.
      assert.ok(performance.now() - started < 5_000);
    });
  }

  it('hold for a line of 10 MB', () => {
    assert.equal(parse('a, '.repeat(3_500_000)).commas, 3_500_000);
  });

  it('keep two million nodes and attributes, and report that there were more', () => {
    const names = Array.from({ length: 256 }, (_, index) => `a${index}`).join(' ');
    const { root, truncated } = parseHtml(`<p ${names}>`.repeat(10_000), 'https://example.com/');
    assert.equal(truncated, true);
    assert.equal(root.children.length, Math.ceil(2_000_000 / 257));
  });

  it('hold for any bytes', () => {
    const pieces = [
      '<',
      '>',
      '/',
      '"',
      "'",
      '=',
      ' ',
      'a',
      'p',
      'table',
      'td',
      'svg',
      'script',
      '<!--',
      '-->',
      '&',
      ';',
      '</',
      'b',
      'form',
      'x',
    ];
    let seed = 1;
    for (let round = 0; round < 300; round++) {
      let html = '';
      for (let index = 0; index < 200; index++) {
        seed = (seed * 48_271) % 2_147_483_647;
        html += pieces[seed % pieces.length];
      }
      assert.doesNotThrow(() => parse(html), html);
    }
  });
});
