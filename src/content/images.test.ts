import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readImages } from './images.ts';
import { parseHtml } from './parse-html.ts';

const PAGE = 'https://site.example/docs/page';

function imagesOf(html: string): string[] {
  const tree = parseHtml(html, PAGE);
  return readImages(tree.root.children, tree.baseUrl).map((address) => address.replace('https://site.example', ''));
}

describe('readImages', () => {
  const cases: [title: string, html: string, expected: string[]][] = [
    [
      'gives the source of images, absolute and each once',
      '<img src="a.png"><img src="/b.png"><img src=" a.png ">',
      ['/docs/a.png', '/b.png'],
    ],
    [
      'prefers the lazy source to its placeholder',
      '<img src="/blank.gif" data-src="/a.jpg"><img src="/blank.gif" data-original="/b.jpg">',
      ['/a.jpg', '/b.jpg'],
    ],
    [
      'adds the widest candidate of srcset',
      '<img src="/m.jpg" srcset="/s.jpg 300w, /l.jpg 2048w, /m.jpg 1024w">',
      ['/m.jpg', '/l.jpg'],
    ],
    [
      'adds the densest candidate of srcset',
      '<img src="/1.jpg" srcset="/1.jpg, /2.jpg 2x, /15.jpg 1.5x">',
      ['/1.jpg', '/2.jpg'],
    ],
    [
      'reads candidates whose addresses contain commas',
      '<img srcset="/w_300,c_fill/a.jpg 300w,/w_900,c_fill/a.jpg 900w">',
      ['/w_900,c_fill/a.jpg'],
    ],
    ['reads candidates without descriptors', '<img srcset="/a.jpg, /b.jpg">', ['/a.jpg']],
    ['reads a lazy srcset', '<img data-srcset="/a.jpg 100w, /b.jpg 200w">', ['/b.jpg']],
    [
      'reads the sources of <picture>',
      '<picture><source srcset="/a.webp 1x, /b.webp 2x" type="image/webp"><img src="/a.jpg"></picture>',
      ['/b.webp', '/a.jpg'],
    ],
    [
      'passes over the sources of audio and video',
      '<video poster="/p.jpg"><source src="/v.mp4"></video><audio><source src="/a.mp3"></audio>',
      ['/p.jpg'],
    ],
    [
      'reads backgrounds of inline styles',
      `<div style="color:red; background-image: url('/a.jpg'), url(/b.jpg)">`,
      ['/a.jpg', '/b.jpg'],
    ],
    [
      'reads a background after one with a data address',
      '<div style="mask:url(/m.svg);background:url(&quot;data:image/gif;base64,R0=&quot;) , url(/c.jpg)">',
      ['/c.jpg'],
    ],
    ['reads lazy backgrounds', '<div data-bg="/a.jpg"></div><div data-bg="url(/b.jpg)"></div>', ['/a.jpg', '/b.jpg']],
    [
      'reads images of drawings and buttons',
      '<svg><image href="/a.png"/></svg><input type="image" src="/b.png">',
      ['/a.png', '/b.png'],
    ],
    [
      'leaves out data addresses, scripts and broken addresses',
      '<img src="data:image/png;base64,AA"><img src="javascript:1"><img src="http://["><img>',
      [],
    ],
    ['leaves out images of one pixel', '<img width="1" height="1" src="/count.gif">', []],
    ['survives an unclosed url()', '<div style="background:url(/a.jpg">', []],
  ];
  for (const [title, html, expected] of cases) it(title, () => assert.deepEqual(imagesOf(html), expected));

  it('stops at 10,000 addresses', () => {
    assert.equal(
      imagesOf(Array.from({ length: 10_050 }, (_, index) => `<img src="/${index}">`).join('')).length,
      10_000,
    );
  });

  it('takes linear time for a hostile style and srcset', () => {
    const started = performance.now();
    imagesOf(
      `<div style="${'url('.repeat(200_000)}"></div><div style="${'background:url(a) '.repeat(100_000)}"></div>`,
    );
    imagesOf(
      `<img srcset="${','.repeat(1_000_000)}"><img srcset="${'a '.repeat(500_000)}"><img srcset="${' '.repeat(1_000_000)}">`,
    );
    imagesOf(`<img srcset="${'a,,,, '.repeat(200_000)}"><img srcset="a${','.repeat(500_000)}b,">`);
    assert.ok(performance.now() - started < 5_000);
  });
});
