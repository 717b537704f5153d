import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isTextType, sniffContentType } from './content-type.ts';

const HTML = '<!DOCTYPE html><html><title>x</title>';
const PDF = '%PDF-1.7\n%âãÏÓ';
const OPEN_XML = 'application/vnd.openxmlformats-officedocument.';

function sniff(header: string | undefined, body: string | Buffer, { noSniff = false, path = '/' } = {}): string {
  return sniffContentType({ header, noSniff, body: Buffer.isBuffer(body) ? body : Buffer.from(body), path });
}

/** The start of a zip file whose first entry has this name and these bytes, and the names of its other entries. */
function zip(entry: string, content: string, ...others: string[]): Buffer {
  const header = Buffer.alloc(30);
  header.write('PK\x03\x04', 'latin1');
  header.writeUInt16LE(entry.length, 26);
  const directory = others.map((name) => `PK\x01\x02${'\0'.repeat(42)}${name}`).join('');
  return Buffer.concat([
    header,
    Buffer.from(entry + content, 'latin1'),
    Buffer.from(`PK\x03\x04${directory}`, 'latin1'),
  ]);
}

describe('the content type', () => {
  test('is the declared one if that is plausible', () => {
    const declared: readonly (readonly [string, string, string])[] = [
      ['text/html; charset=utf-8', HTML, 'text/html'],
      ['TEXT/HTML', '<p>x', 'text/html'],
      ['text/html', 'just text', 'text/html'],
      ['text/plain', 'just text', 'text/plain'],
      ['text/css', 'a { b: c }', 'text/css'],
      ['application/json', '{"a":1}', 'application/json'],
      ['application/ld+json', '{"a":1}', 'application/ld+json'],
      ['application/xhtml+xml', '<?xml version="1.0"?><html>', 'application/xhtml+xml'],
      ['application/rss+xml', '<?xml version="1.0"?><rss>', 'application/rss+xml'],
      ['text/xml', '<?xml version="1.0"?><a/>', 'text/xml'],
      ['text/csv', 'a,b\n1,2', 'text/csv'],
      ['text/markdown', '# Title', 'text/markdown'],
      ['application/pdf', PDF, 'application/pdf'],
      ['image/svg+xml', '<svg xmlns="x">', 'image/svg+xml'],
      ['image/jpg', '\xff', 'image/jpg'],
      ['text/html, text/plain; charset=utf-8', 'text', 'text/plain'],
    ];
    for (const [header, body, type] of declared) assert.equal(sniff(header, body), type, header);
  });

  test('is detected if none is declared, or a generic one', () => {
    for (const header of [
      undefined,
      '',
      '*/*',
      'application/octet-stream',
      'binary/octet-stream',
      'nonsense',
      'text',
    ]) {
      assert.equal(sniff(header, HTML), 'text/html', header);
      assert.equal(sniff(header, '<p>para'), 'text/html', header);
      assert.equal(sniff(header, 'just text'), 'text/plain', header);
      assert.equal(sniff(header, '{"a": [1, 2]}'), 'application/json', header);
      assert.equal(sniff(header, '[1,2]\n'), 'application/json', header);
      assert.equal(sniff(header, '<?xml version="1.0"?><urlset>'), 'application/xml', header);
      assert.equal(sniff(header, '<?xml version="1.0"?><rss version="2.0">'), 'application/rss+xml', header);
      assert.equal(sniff(header, '<feed xmlns="x">'), 'application/atom+xml', header);
      assert.equal(sniff(header, '<svg width="1">'), 'image/svg+xml', header);
      assert.equal(sniff(header, PDF), 'application/pdf', header);
      assert.equal(sniff(header, '\x00\x01\x02'), 'application/octet-stream', header);
      assert.equal(sniff(header, ''), 'text/plain', header);
    }
  });

  test('is HTML if a whole document is served as another type', () => {
    for (const header of [
      'text/plain',
      'application/octet-stream',
      'application/json',
      'text/xml',
      'application/pdf',
      'image/png',
      'text/css',
    ]) {
      assert.equal(sniff(header, HTML), 'text/html', header);
      assert.equal(sniff(header, `\uFEFF\n <!-- a --><!-- b -->\n${HTML}`), 'text/html', header);
    }
    assert.equal(sniff('text/javascript', '<html'), 'text/javascript');
  });

  test('is HTML if fragments are served as plain text', () => {
    assert.equal(sniff('text/plain', '<div>x</div>'), 'text/html');
    assert.equal(sniff('text/plain', '<bold>x'), 'text/plain');
  });

  test('stays text if the server forbids sniffing', () => {
    assert.equal(sniff('text/plain', HTML, { noSniff: true }), 'text/plain');
    assert.equal(sniff('text/plain', PDF, { noSniff: true }), 'application/pdf');
  });

  test('is JSON or a feed if these are served as HTML', () => {
    assert.equal(sniff('text/html', ' {"a":1} '), 'application/json');
    assert.equal(sniff('text/html', '[{"a":1}]'), 'application/json');
    assert.equal(sniff('text/html', '{"a":1'), 'text/html');
    assert.equal(sniff('text/html', '{{ template }}'), 'text/html');
    assert.equal(sniff('text/html', '[1] see below [2]'), 'text/html');
    assert.equal(sniff('text/html', '<?xml version="1.0"?><rss>'), 'application/rss+xml');
    const xhtml = '<?xml version="1.0"?>\n<!-- <rss> --><!DOCTYPE html>\n<html><svg>';
    assert.equal(sniff('text/html', xhtml), 'application/xhtml+xml');
    assert.equal(sniff('text/html', '<?xml version="1.0"?><p>a <svg>'), 'text/html');
  });

  test('is that of the magic number, whatever type is declared', () => {
    const files: readonly (readonly [string, string])[] = [
      [PDF, 'application/pdf'],
      [`\n\n${PDF}`, 'application/pdf'],
      ['\x89PNG\r\n\x1a\n', 'image/png'],
      ['\xff\xd8\xff\xe0', 'image/jpeg'],
      ['GIF89a', 'image/gif'],
      ['RIFF\0\0\0\0WEBPVP8 ', 'image/webp'],
      ['\0\0\0\x20ftypavif', 'image/avif'],
      ['\0\0\0\x20ftypisom', 'video/mp4'],
      ['{\\rtf1\\ansi', 'application/rtf'],
      ['\x1f\x8b\x08\0', 'application/x-gzip'],
      ['\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', 'application/x-ole-storage'],
      ['wOF2', 'font/woff2'],
    ];
    for (const [bytes, type] of files) {
      for (const header of [undefined, 'text/html', 'text/plain', 'application/octet-stream']) {
        assert.equal(sniff(header, Buffer.from(bytes, 'latin1')), type, `${type} as ${header}`);
      }
    }
  });

  test('of a zip file is that of the document inside it', () => {
    assert.equal(
      sniff('application/zip', zip('[Content_Types].xml', '', 'word/document.xml')),
      `${OPEN_XML}wordprocessingml.document`,
    );
    assert.equal(
      sniff('text/plain', zip('[Content_Types].xml', '', 'xl/workbook.xml')),
      `${OPEN_XML}spreadsheetml.sheet`,
    );
    assert.equal(sniff(undefined, zip('a', '', 'ppt/presentation.xml')), `${OPEN_XML}presentationml.presentation`);
    assert.equal(sniff(undefined, zip('mimetype', 'application/epub+zip')), 'application/epub+zip');
    assert.equal(
      sniff('text/html', zip('mimetype', 'application/vnd.oasis.opendocument.text')),
      'application/vnd.oasis.opendocument.text',
    );
    assert.equal(sniff('application/octet-stream', zip('a.txt', 'text')), 'application/zip');
  });

  test('stays the declared one if that is more precise than the magic number', () => {
    const ole = Buffer.from('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', 'latin1');
    assert.equal(sniff('application/msword', ole), 'application/msword');
    assert.equal(sniff('application/vnd.ms-excel', ole), 'application/vnd.ms-excel');
    assert.equal(sniff('application/java-archive', zip('META-INF/', '')), 'application/java-archive');
    assert.equal(sniff('image/vnd.microsoft.icon', Buffer.from('\0\0\x01\0', 'latin1')), 'image/vnd.microsoft.icon');
  });

  test('is binary if text is declared but the bytes never occur in text', () => {
    assert.equal(sniff('text/plain', 'MZ\x90\0\x03\0'), 'application/octet-stream');
    assert.equal(sniff('text/html', 'MZ\0\0\x03\0'), 'application/octet-stream');
    assert.equal(sniff('text/html', '<p>a stray \0 zero'), 'text/html');
    assert.equal(sniff('text/plain', Buffer.from('\uFEFFtext', 'utf16le')), 'text/plain');
    assert.equal(sniff('text/html', Buffer.from(HTML, 'utf16le')), 'text/html');
    assert.equal(sniff('text/plain', '\x1b$BF|K\\\x1b(B'), 'text/plain');
  });

  test('of plain text is determined by the extension of the path', () => {
    assert.equal(sniff('text/plain', 'a,b\n1,2', { path: '/data.csv', noSniff: true }), 'text/csv');
    assert.equal(sniff('application/octet-stream', 'a\tb', { path: '/DATA.TSV' }), 'text/tab-separated-values');
    assert.equal(sniff('text/plain', '# Title', { path: '/README.md' }), 'text/markdown');
    assert.equal(sniff('text/html', '<p>', { path: '/table.csv' }), 'text/html');
    assert.equal(sniff('text/plain', 'x', { path: '/constructor' }), 'text/plain');
    assert.equal(sniff('text/plain', 'x', { path: '/a.toString' }), 'text/plain');
  });

  test('is detected in time linear in the size', () => {
    for (const piece of ['<!-- -->', '<!--', ' ', '[', '{"', '\0']) {
      const start = performance.now();
      sniff('text/css', piece.repeat(100_000));
      sniff(undefined, piece.repeat(100_000));
      assert.ok(performance.now() - start < 1000, piece);
    }
  });
});

describe('a text type', () => {
  test('is one that has a charset', () => {
    for (const type of [
      'text/html',
      'text/x-anything',
      'application/json',
      'application/ld+json',
      'application/atom+xml',
      'image/svg+xml',
      'application/xml',
      'application/javascript',
      'application/x-yaml',
      'application/x-ndjson',
    ]) {
      assert.equal(isTextType(type), true, type);
    }
    for (const type of [
      'application/pdf',
      'image/png',
      'application/octet-stream',
      'application/zip',
      'application/jsonp-not',
      '',
      `${OPEN_XML}wordprocessingml.document`,
    ]) {
      assert.equal(isTextType(type), false, type);
    }
  });
});
