import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseHtml } from '../parse-html.ts';
import { readStructuredData, type StructuredData } from './read-structured-data.ts';

function structured(html: string): StructuredData {
  return readStructuredData(parseHtml(html, 'https://site.example/'));
}

/** Through JSON, because parsed literals have no prototype. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

describe('embedded state', () => {
  const states: [title: string, html: string, expected: unknown[]][] = [
    [
      'is read from JSON data blocks',
      '<script id="__NEXT_DATA__" type="application/json">{"a":1}</script>',
      [{ a: 1 }],
    ],
    [
      'is read from an assigned literal',
      '<script>window.__INITIAL_STATE__ = {a: undefined, b: [1,],};</script>',
      [{ a: null, b: [1] }],
    ],
    ['is read from a quoted variable', '<script>window["__NUXT__"]={a:1}</script>', [{ a: 1 }]],
    [
      'is read through JSON.parse',
      `<script>var __PRELOADED_STATE__ = JSON.parse('{"a":"\\\\u0041"}')</script>`,
      [{ a: 'A' }],
    ],
    [
      'is left out when only running code could make it',
      '<script>window.__NUXT__=(function(a){return {a:a}}(1))</script>',
      [],
    ],
    [
      'is left out when it is broken',
      '<script type="application/json">{"a":</script><script>__STATE__ = {a:</script>',
      [],
    ],
  ];
  for (const [title, html, expected] of states)
    it(title, () => assert.deepEqual(plain(structured(html).embeddedState), expected));

  it('is left out when it is larger than 4 MB', () => {
    assert.deepEqual(
      structured(`<script type="application/json">"${'x'.repeat(4_000_001)}"</script>`).embeddedState,
      [],
    );
  });
});

describe('data layer', () => {
  const layers: [title: string, script: string, expected: unknown[]][] = [
    [
      'is read from pushes',
      'window.dataLayer = window.dataLayer || []; dataLayer.push({a: 1}); dataLayer . push ( {"b": "x"} )',
      [{ a: 1 }, { b: 'x' }],
    ],
    ['is read from an assigned array', "dataLayer = [{'a': 1, 'b': getB()}, {c: 2}];", [{ a: 1 }, { c: 2 }]],
    [
      'is read without what is computed',
      'dataLayer.push({event: name, ecommerce: {value: a + b, items: [{price: 5}]}})',
      [{ ecommerce: { items: [{ price: 5 }] } }],
    ],
    ['is read on past a push that is broken', 'dataLayer.push({a: ); dataLayer.push({b: 1})', [{ b: 1 }]],
    [
      'is not read from calls that push no object',
      'dataLayer.push(arguments); dataLayer.push(["x"]); dataLayer.length',
      [],
    ],
  ];
  for (const [title, script, expected] of layers) {
    it(title, () => assert.deepEqual(plain(structured(`<script>${script}</script>`).dataLayer), expected));
  }

  it('takes linear time for a script of pushes that never end', () => {
    const started = performance.now();
    structured(`<script>${'dataLayer.push({a:['.repeat(100_000)}</script>`);
    assert.ok(performance.now() - started < 5_000);
  });
});

describe('Open Graph', () => {
  it('is read by lower-case name, with repeated tags in order, and from name instead of property', () => {
    const html =
      '<meta property="og:Image" content="1"><meta name="og:image" content="2"><meta property="product:price:amount" content="5"><meta name="x" content="y">';
    assert.deepEqual(
      [...structured(html).openGraph],
      [
        ['og:image', ['1', '2']],
        ['product:price:amount', ['5']],
      ],
    );
  });
});

describe('scripts', () => {
  it('are distinguished by type, with or without parameters', () => {
    const html =
      '<script type="application/LD+json; charset=utf-8">{"@type":"Product"}</script><script type="text/template">{"a":1}</script>';
    const { jsonLd, embeddedState } = structured(html);
    assert.deepEqual(
      jsonLd.map(({ types }) => types),
      [['product']],
    );
    assert.deepEqual(embeddedState, []);
  });
});
