import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseHtml } from '../parse-html.ts';
import { readMicrodata, readRdfa } from './attribute-items.ts';
import { type Thing, textOfProperty, thingsOf, valuesOf } from './thing.ts';

const URL_OF_PAGE = 'https://site.example/p/';

function microdata(html: string): Thing[] {
  return readMicrodata(parseHtml(html, URL_OF_PAGE));
}

function only(things: Thing[]): Thing {
  const [thing] = things;
  assert.ok(thing && things.length === 1);
  return thing;
}

describe('readMicrodata', () => {
  const values: [title: string, html: string, expected: string][] = [
    ['text', '<b itemprop="v"> a\n <i>b</i></b>', 'a b'],
    ['the content of a <meta>', '<meta itemprop="v" content=" 5 ">', '5'],
    ['the content of any element', '<b itemprop="v" content="5.00">five</b>', '5.00'],
    ['the address of a link', '<a itemprop="v" href="../x">x</a>', 'https://site.example/x'],
    ['the address of an image', '<img itemprop="v" src="/i.png">', 'https://site.example/i.png'],
    ['the machine-readable time', '<time itemprop="v" datetime="2025-01-02">yesterday</time>', '2025-01-02'],
    ['the value of <data>', '<data itemprop="v" value="7">seven</data>', '7'],
  ];
  for (const [title, html, expected] of values) {
    it(`reads ${title}`, () =>
      assert.equal(textOfProperty(only(microdata(`<div itemscope>${html}</div>`)), 'v'), expected));
  }

  it('nests items and keeps those without a property at the top', () => {
    const html = `<div itemscope itemtype="https://schema.org/Product"><span itemprop="name">P</span>
      <div itemprop="offers" itemscope itemtype="http://schema.org/Offer"><span itemprop="price">5</span></div>
      <div itemscope itemtype="https://schema.org/Review"></div></div>`;
    const [review, product] = microdata(html);
    assert.deepEqual([review?.types, product?.types], [['review'], ['product']]);
    const [offer] = product ? thingsOf(product, 'offers') : [];
    assert.equal(offer && textOfProperty(offer, 'price'), '5');
    assert.equal(product && textOfProperty(product, 'price'), undefined);
  });

  it('assigns an element to each of its names', () => {
    const thing = only(
      microdata('<div itemscope><b itemprop="name alternateName http://schema.org/slogan x:y">N</b></div>'),
    );
    assert.deepEqual([...thing.properties.keys()], ['name', 'alternateName', 'slogan']);
  });

  it('follows itemref cycles without looping', () => {
    const html =
      '<div itemscope itemref="more none" id="me"><b itemprop="a">1</b></div><p id="more" itemprop="b">2</p>';
    assert.equal(textOfProperty(only(microdata(html)), 'b'), '2');
    assert.equal(microdata('<div itemscope itemref="me" id="me" itemprop="x"></div>').length, 1);
    microdata('<div itemscope itemref="b" id="a" itemprop=x></div><div itemscope itemref="a" id="b" itemprop=x></div>');
  });

  it('takes linear time whatever itemref names', () => {
    const html = `${'<div itemscope itemref="big"></div>'.repeat(5_000)}<div id="big">${'<b itemprop="x"></b>'.repeat(5_000)}</div>`;
    const started = performance.now();
    microdata(html);
    assert.ok(performance.now() - started < 5_000);
  });
});

describe('readRdfa', () => {
  it('reads RDFa Lite with a vocabulary or a prefix', () => {
    for (const prefix of ['', 'schema:']) {
      const html = `<div vocab="https://schema.org/" typeof="${prefix}Product" resource="#p"><h1 property="${prefix}name">P</h1>
        <div property="${prefix}offers" typeof="${prefix}Offer"><meta property="${prefix}price" content="5"></div>
        <link property="${prefix}url" href="x"></div>`;
      const product = only(readRdfa(parseHtml(html, URL_OF_PAGE)));
      assert.deepEqual([product.types, product.id], [['product'], '#p']);
      assert.equal(textOfProperty(product, 'name'), 'P');
      assert.equal(textOfProperty(product, 'url'), 'https://site.example/p/x');
      assert.equal(thingsOf(product, 'offers').length, 1);
    }
  });

  it('ignores other vocabularies and tags outside items', () => {
    const html = '<meta property="og:title" content="T"><div typeof="Product"><b property="foaf:name">N</b></div>';
    assert.deepEqual(valuesOf(only(readRdfa(parseHtml(html, URL_OF_PAGE))), 'name'), []);
  });
});
