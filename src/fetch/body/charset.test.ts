import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { toUtf8 } from './charset.ts';

const latin1 = (text: string) => Buffer.from(text, 'latin1');
const HTML = 'text/html';

function textOf(...input: Parameters<typeof toUtf8>): string {
  return toUtf8(...input).toString();
}

describe('the encoding of text', () => {
  test('is that of a byte order mark, before header and meta', () => {
    const meta = '<meta charset=windows-1252>';
    assert.equal(textOf(Buffer.from(`\uFEFF${meta}é`), 'text/html; charset=windows-1252'), `${meta}é`);
    assert.equal(textOf(Buffer.from('\uFEFFé', 'utf16le'), 'text/html; charset=utf-8'), 'é');
    assert.equal(textOf(Buffer.from('\uFEFFé', 'utf16le').swap16(), HTML), 'é');
  });

  test('is that of the header, before meta', () => {
    assert.equal(textOf(latin1('<meta charset=utf-8>\xe9'), 'text/html; charset=ISO-8859-1'), '<meta charset=utf-8>é');
    for (const parameter of [
      'charset="windows-1251"',
      "charset='windows-1251'",
      'Charset = windows-1251',
      'a=b;charset=cp1251;c',
    ]) {
      assert.equal(textOf(latin1('\xcf\xf0'), `text/plain; ${parameter}`), 'Пр', parameter);
    }
  });

  for (const markup of [
    '<meta charset="windows-1251">',
    '<META CHARSET=windows-1251 />',
    "<meta name=x charset='windows-1251'>",
    '<meta http-equiv="Content-Type" content="text/html; charset=windows-1251">',
    '<meta content="text/html;charset=windows-1251" http-equiv=content-type>',
    '<!-- <meta charset=utf-8> --><meta charset=windows-1251>',
    '<meta charset=unknown><meta charset=windows-1251>',
    '<?xml version="1.0" encoding="windows-1251"?>',
    `<script>${'x'.repeat(2000)}</script><meta charset=windows-1251>`,
  ]) {
    test(`is that of ${markup.slice(0, 80)}`, () => {
      assert.equal(textOf(latin1(`${markup}\xcf\xf0`), HTML), `${markup}Пр`);
    });
  }

  for (const markup of [
    '<meta name="x" content="text/html; charset=windows-1251">',
    '<!-- <meta charset=windows-1251> -->',
    '<!-- never closed <meta charset=windows-1251>',
    '<p charset=windows-1251>',
    '<meta charset=>',
  ]) {
    test(`is not that of ${markup}`, () => {
      assert.equal(textOf(latin1(`${markup}\xe9`), HTML), `${markup}é`);
    });
  }

  test('is UTF-8 when markup claims UTF-16 but is readable as ASCII', () => {
    assert.equal(textOf(Buffer.from('<meta charset=utf-16>é'), HTML), '<meta charset=utf-16>é');
  });

  test('is UTF-16 when the XML declaration is encoded in it', () => {
    const xml = '<?xml version="1.0"?><a>é</a>';
    assert.equal(textOf(Buffer.from(xml, 'utf16le'), 'text/xml'), xml);
    assert.equal(textOf(Buffer.from(xml, 'utf16le').swap16(), 'text/xml'), xml);
  });

  test('is UTF-8 when none is declared and the bytes are valid UTF-8', () => {
    assert.equal(textOf(Buffer.from('Grüße, Ελλάδα, 日本 🙂'), undefined), 'Grüße, Ελλάδα, 日本 🙂');
  });

  test('is UTF-8 when the page was truncated within a character', () => {
    for (const cut of [1, 2, 3]) {
      const text = textOf(Buffer.from('Grüße 🙂').subarray(0, -cut), undefined);
      assert.match(text, /^Grüße \uFFFD+$/);
    }
  });

  test('is windows-1252 when none is declared and the bytes are not UTF-8', () => {
    assert.equal(textOf(latin1('caf\xe9 \x93quoted\x94 \x80'), undefined), 'café “quoted” €');
    assert.equal(textOf(latin1('\xe9'), undefined), 'é');
  });

  test('is full windows-1252 when ISO-8859-1 is declared', () => {
    const bytes = Buffer.from(Array.from({ length: 32 }, (_, i) => 0x80 + i));
    assert.equal(textOf(bytes, 'text/html; charset=iso-8859-1'), '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ');
  });

  test('may be a legacy encoding of any script', () => {
    const samples: readonly (readonly [string, string, string])[] = [
      ['shift_jis', '\x93\xfa\x96\x7b', '日本'],
      ['euc-jp', '\xc6\xfc\xcb\xdc', '日本'],
      ['iso-2022-jp', '\x1b$BF|K\\\x1b(B', '日本'],
      ['gb2312', '\xd6\xd0\xb9\xfa', '中国'],
      ['gb18030', '\xd6\xd0\xb9\xfa', '中国'],
      ['big5', '\xa4\xa4\xb0\xea', '中國'],
      ['euc-kr', '\xc7\xd1\xb1\xb9', '한국'],
      ['koi8-r', '\xf2\xd5\xd3\xd8', 'Русь'],
      ['iso-8859-2', '\xb3\xf3d\xbc', 'łódź'],
      ['iso-8859-7', '\xc5\xeb', 'Ελ'],
      ['windows-1255', '\xf9\xec', 'של'],
      ['windows-1256', '\xe3\xd1', 'مر'],
      ['windows-874', '\xe4\xb7\xc2', 'ไทย'],
    ];
    for (const [encoding, bytes, text] of samples) {
      assert.equal(textOf(latin1(bytes), `text/html; charset=${encoding}`), text, encoding);
    }
  });

  test('is detected when the header names an unknown one', () => {
    assert.equal(textOf(Buffer.from('é'), 'text/html; charset=nonsense'), 'é');
    assert.equal(textOf(Buffer.from('é'), 'text/html; charset=utf-7'), 'é');
    assert.equal(textOf(Buffer.from('é'), 'text/html; charset='), 'é');
  });

  test('does not fail on invalid bytes', () => {
    assert.equal(textOf(latin1('a\xffb\xc3('), 'text/html; charset=utf-8'), 'a\uFFFDb\uFFFD(');
  });

  test('is detected in time linear in the size', () => {
    for (const piece of ['<meta ', '<!--', '<meta a="', '<?xml encoding=', '<meta charset']) {
      const hostile = latin1(`${piece.repeat(100_000 / piece.length)}\xe9`);
      const start = performance.now();
      textOf(hostile, HTML);
      assert.ok(performance.now() - start < 1000, piece);
    }
  });
});
