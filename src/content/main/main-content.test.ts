import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { toHtml } from '../html.ts';
import { readMetadata } from '../metadata.ts';
import { parseHtml } from '../parse-html.ts';
import { tagOf } from '../tree/tags.ts';
import { ElementNode, NO_ATTRIBUTES } from '../tree.ts';
import { textOf } from '../walk.ts';
import { mainContent } from './main-content.ts';
import { showContent } from './visibility.ts';

const SENTENCE =
  'The harbour of the old town was built for sailing ships, so its quays are low, its basins small and its cranes made of wood.';

/** Sentences that differ in their first words, so that each can be searched for. */
function paragraphs(...names: string[]): string {
  return names.map((name) => `<p>${name}: ${SENTENCE} ${SENTENCE}</p>`).join('\n');
}

function contentOf(html: string, url = 'https://example.test/page', clean = false): string {
  const tree = parseHtml(html, url);
  const metadata = readMetadata(tree, { html, url });
  showContent(tree);
  const holder = new ElementNode(tagOf('div'), NO_ATTRIBUTES);
  holder.children.push(...mainContent(tree, { url, metadata, clean }));
  return textOf(holder, 100_000);
}

function has(text: string, ...expected: string[]): void {
  for (const each of expected) assert.ok(text.includes(each), `"${each}" is missing in: ${text.slice(0, 500)}`);
}

function lacks(text: string, ...unexpected: string[]): void {
  for (const each of unexpected) assert.ok(!text.includes(each), `"${each}" was kept in: ${text.slice(0, 500)}`);
}

const MENU = `
  <header class="site-header"><a href="/">Harbour News</a>
    <nav><ul><li><a href="/sea">Sea</a></li><li><a href="/land">Land</a></li></ul></nav>
  </header>`;
const FOOTER = '<footer><p>© 2024 Harbour News Ltd. All rights reserved.</p><a href="/imprint">Imprint</a></footer>';

describe('mainContent of an article', () => {
  const article = `<!doctype html><html><head><meta property="og:type" content="article"></head><body>${MENU}
    <div class="layout">
      <main>
        <article>
          <header><h1>Quays of the old town</h1><p class="byline">By Ada Field, 3 May 2024</p></header>
          ${paragraphs('First', 'Second', 'Third')}
          <div class="share-buttons"><a href="#">Share on a network</a></div>
          ${paragraphs('Fourth', 'Fifth')}
          <section class="related-posts"><h2>You may also like</h2>
            <div><h3><a href="/a">Cranes of wood</a></h3><p>They stood for three hundred years.</p></div>
            <div><h3><a href="/b">Ships of stone</a></h3><p>Nobody has seen one so far.</p></div>
          </section>
        </article>
        <section id="comments"><h2>2 comments</h2><p>Reader one: ${SENTENCE}</p><p>Reader two: ${SENTENCE}</p></section>
      </main>
      <aside class="sidebar"><h2>Popular</h2><p>Sidebar: ${SENTENCE}</p></aside>
    </div>
    <div class="newsletter-signup"><p>Get our newsletter every Monday morning.</p></div>
    <div id="cookie-banner"><p>We use cookies to make this page work.</p><button>Accept all</button></div>
    ${FOOTER}</body></html>`;
  const url = 'https://example.test/news/2024/05/quays-of-the-old-town';

  it('keeps the title and every paragraph', () => {
    has(contentOf(article, url), 'Quays of the old town', 'First:', 'Second:', 'Third:', 'Fourth:', 'Fifth:');
  });

  it('drops menu, footer and sidebar', () => {
    lacks(contentOf(article, url), 'Sea', 'Imprint', '© 2024', 'Sidebar:');
  });

  it('drops share buttons, related posts, comments, byline, newsletter box and cookie banner', () => {
    lacks(
      contentOf(article, url),
      'Share on a network',
      'Cranes of wood',
      'Reader one',
      'Ada Field',
      'newsletter every Monday',
      'We use cookies',
    );
  });

  it('keeps a date and a name inside a sentence', () => {
    const sentence = `The quays were opened on <time>1 May 1702</time> by <span class="author">Ada Field</span>. ${SENTENCE}`;
    has(
      contentOf(article.replace('<div class="share', `<p>${sentence}</p><div class="share`), url),
      '1 May 1702',
      'by Ada Field.',
    );
  });

  it('drops a list of short comments below the text', () => {
    const discussion = Array.from(
      { length: 8 },
      (_, index) => `<li class="comment">Reader ${index}: I saw ${index} of them.</li>`,
    );
    const text = contentOf(article.replace('<p>Reader one', `<ol>${discussion.join('')}</ol><p>Reader one`), url);
    has(text, 'First:', 'Fifth:');
    lacks(text, 'Reader 7');
  });

  it('finds the text when only its length distinguishes it from the rest', () => {
    const html = `<body><table><tr><td><a href="/1">One</a><br><a href="/2">Two</a></td>
      <td><div>${paragraphs('First', 'Second', 'Third')}</div></td></tr></table></body>`;
    const text = contentOf(html);
    has(text, 'First:', 'Second:', 'Third:');
    lacks(text, 'One', 'Two');
  });

  it('keeps all of a page with only a few words', () => {
    for (const text of ['Words of /a.', 'Hello, world!', 'It works.', 'I have two cats.']) {
      const kept = contentOf(`<html><body><h1>Page of mine</h1><p>${text}</p></body></html>`);
      has(kept, 'Page of mine', text);
    }
  });

  it('reads languages that write without spaces', () => {
    const line = '古い町の港は帆船のために作られたので、岸壁は低く、船だまりは小さく、起重機は木でできている。';
    const text = contentOf(
      `<html lang="ja"><body><div class="menu"><a href="/a">海</a><a href="/b">陸</a></div>
        <div class="honbun"><p>第一：${line}</p><p>第二：${line}</p><p>第三：${line}</p></div>
        <div class="x"><a href="/c">関連記事その一</a><a href="/d">関連記事その二</a></div></body></html>`,
      'https://example.test/blog/minato',
    );
    has(text, '第一', '第二', '第三');
    lacks(text, '関連記事');
  });

  it('also drops captions, dates and tags when asked for clean content', () => {
    const html = `<article><h1>Quays</h1><time>3 May 2024</time>${paragraphs('First', 'Second', 'Third', 'Fourth')}
      <figure><img src="a.jpg"><figcaption>A crane, seen from below</figcaption></figure>
      <div class="tag-list"><a href="/t">harbours</a></div></article>`;
    lacks(contentOf(html, 'https://example.test/docs/quays', true), '3 May', 'seen from below', 'harbours');
  });
});

describe('mainContent of other pages', () => {
  it('keeps all posts of a thread, without signatures', () => {
    const posts = ['Question', 'Answer one', 'Answer two', 'Answer three'].map(
      (name, index) => `<div class="post" id="p${index}"><div class="post-author">user${index}</div>
        <div class="post-body">${name}: ${SENTENCE}</div><div class="signature">Sailing since 1${index}</div></div>`,
    );
    const text = contentOf(
      `<body>${MENU}<div class="wrap"><h1>Which rope?</h1><div class="posts">${posts.join('')}</div></div>${FOOTER}</body>`,
      'https://forum.example.test/threads/which-rope.17/',
    );
    has(text, 'Which rope?', 'Question:', 'Answer one:', 'Answer two:', 'Answer three:');
    lacks(text, 'Sailing since', 'Imprint');
  });

  it('keeps all entries of a listing, though they are links', () => {
    const entries = Array.from(
      { length: 12 },
      (_, index) =>
        `<li class="entry"><h2><a href="/story/${index}">Story number ${index} of the harbour</a></h2></li>`,
    );
    const text = contentOf(
      `<body>${MENU}<div id="stories"><ul>${entries.join('')}</ul></div>${FOOTER}</body>`,
      'https://example.test/',
    );
    has(text, 'Story number 0', 'Story number 5', 'Story number 11');
    lacks(text, 'Imprint', 'Land');
  });

  it('keeps the names and prices of a collection, without its filters', () => {
    const products = Array.from(
      { length: 10 },
      (_, index) =>
        `<li class="product-card"><a href="/p/${index}"><h3>Rope model ${index}</h3></a><span>€ ${index}9.50</span></li>`,
    );
    const text = contentOf(
      `<body>${MENU}<h1>Ropes</h1><div class="filters"><label>Filter by colour</label><select><option>Red</option></select></div>
        <ul class="grid">${products.join('')}</ul>${FOOTER}</body>`,
      'https://example.test/collections/ropes',
    );
    has(text, 'Ropes', 'Rope model 0', '€ 09.50', 'Rope model 9', '€ 99.50');
    lacks(text, 'Filter by colour');
  });

  it('keeps the description of a product, without other products', () => {
    const others = Array.from(
      { length: 6 },
      (_, index) => `<li><a href="/p/${index}">Other rope ${index}</a> € 5.00</li>`,
    );
    const text = contentOf(
      `<html><head><meta property="og:type" content="product"></head><body>${MENU}
        <main><div class="gallery"><img src="a.jpg"></div><h1>Rope of hemp</h1><p>€ 19.50</p>
          <div class="description">${paragraphs('Made')}<ul><li>Length: 20 m</li><li>Colour: brown</li></ul>${paragraphs('Care')}</div>
          <section class="reviews"><h2>Reviews</h2><p>Bought it twice: ${SENTENCE}</p></section>
          <section class="recommendations"><h2>Goes well with</h2><ul>${others.join('')}</ul></section>
        </main>${FOOTER}</body></html>`,
      'https://example.test/products/rope-of-hemp',
    );
    has(text, 'Rope of hemp', '€ 19.50', 'Made:', 'Length: 20 m', 'Care:');
    lacks(text, 'Other rope 3');
  });

  it('keeps every section of a page of services', () => {
    const sections = ['Moorings', 'Repairs', 'Storage', 'Lessons'].map(
      (
        name,
      ) => `<section><h2>${name}</h2><p>${name} for boats up to twelve metres, all year round, by the day or by the month.</p>
        <a class="btn" href="/x">Learn more about ${name.toLowerCase()}</a></section>`,
    );
    const text = contentOf(
      `<body>${MENU}<h1>What we do</h1>${sections.join('')}${FOOTER}</body>`,
      'https://example.test/services',
    );
    has(text, 'What we do', 'Moorings', 'Repairs', 'Storage', 'Lessons for boats');
  });

  it('keeps a manual, with a table of contents that is longer than it', () => {
    const contents = Array.from(
      { length: 200 },
      (_, index) => `<li><a href="/docs/${index}">Chapter number ${index}</a></li>`,
    );
    const text = contentOf(
      `<body><nav><ul>${contents.join('')}</ul></nav><main><h1>Knots</h1>${paragraphs('Bowline')}<pre>tie(rope)</pre></main></body>`,
      'https://docs.example.test/knots',
    );
    has(text, 'Knots', 'Bowline:', 'tie(rope)');
    lacks(text, 'Chapter number 7');
  });
});

describe('mainContent of elements without text', () => {
  const read = (inside: string): string => {
    const html = `<body>${MENU}<img src="logo.png"><main><h1>Quays</h1>${paragraphs('First')}${inside}${paragraphs('Second')}</main>${FOOTER}</body>`;
    const tree = parseHtml(html, 'https://example.test/page');
    const nodes = mainContent(tree, { url: 'https://example.test/page', metadata: {}, clean: false });
    return toHtml(nodes, { baseUrl: 'https://example.test/', removeBase64Images: true });
  };
  const kept: { name: string; inside: string }[] = [
    { name: 'a picture between paragraphs', inside: '<img src="quay.jpg">' },
    { name: 'a picture in a link', inside: '<div><a href="/large"><img src="quay.jpg"></a></div>' },
    { name: 'a picture with its sources', inside: '<picture><source srcset="a.webp"><img src="quay.jpg"></picture>' },
    {
      name: 'a figure without a box around its picture',
      inside: '<figure><img src="quay.jpg"><figcaption>Photo: A. Field</figcaption></figure>',
    },
    {
      name: 'a figure whose caption is left out',
      inside:
        '<figure class="wp-caption"><div><img src="quay.jpg"></div><figcaption>Photo: A. Field</figcaption></figure>',
    },
  ];
  for (const { name, inside } of kept) it(`keeps ${name}`, () => has(read(inside), 'quay.jpg'));

  it('drops pictures outside the content', () => lacks(read(''), 'logo.png'));
});

describe('mainContent of hard pages', () => {
  it('keeps a short page whole except for menu and footer', () => {
    const text = contentOf('<body><nav>Menu</nav><main><h1>Hello</h1><p>Short.</p></main><footer>Bye</footer></body>');
    assert.equal(text, 'HelloShort.');
  });

  it('ignores the name of an element that contains most of the text', () => {
    const html = `<body class="has-sidebar"><div class="sidebar-layout modal-open">${paragraphs('First', 'Second')}</div></body>`;
    has(contentOf(html), 'First:', 'Second:');
  });

  it('returns a page whose names all suggest boilerplate', () => {
    has(contentOf('<body><footer>Opening hours: 9 to 5</footer></body>'), 'Opening hours');
    has(contentOf('<body><nav><a href="/a">A</a></nav><div class="popup">Only text</div></body>'), 'Only text');
  });

  it('returns nothing for a page without text', () => {
    assert.equal(contentOf(''), '');
    assert.equal(contentOf('<body><img src="a.png"></body>'), '');
  });

  it('survives any depth', () => {
    const text = contentOf(`${'<div class="nav">'.repeat(20_000)}${paragraphs('Deep')}`);
    has(text, 'Deep:');
  });

  it('leaves formulas and videos where they are', () => {
    const html = `<article><h1>Waves</h1>${paragraphs('First')}<p>Their speed is <script type="math/tex">c</script>.</p>
      <video src="waves.mp4"></video>${paragraphs('Second')}</article>`;
    const tree = parseHtml(html, 'https://example.test/blog/waves');
    const nodes = mainContent(tree, { url: 'https://example.test/blog/waves', metadata: {}, clean: false });
    const names: string[] = [];
    const collect = (element: ElementNode): void => {
      names.push(element.name);
      for (const child of element.children) if (child.kind === 'element') collect(child);
    };
    for (const node of nodes) if (node.kind === 'element') collect(node);
    assert.ok(names.includes('script') && names.includes('video'), names.join(' '));
  });
});
