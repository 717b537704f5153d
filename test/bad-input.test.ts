import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, test } from 'node:test';
import { shared } from './support/shared.ts';
import { html, startSite } from './support/site.ts';
import { KEY, startTrawl } from './support/trawl.ts';

const site = await shared(startSite());
const trawl = await shared(startTrawl());
const url = site.page('/', html('<h1>Here I am</h1>'));

describe('an address that cannot be scraped is a 400 that says why', () => {
  const cases: { name: string; url: unknown; says: RegExp }[] = [
    { name: 'an empty address', url: '', says: /empty/ },
    { name: 'only white space', url: ' \n ', says: /empty/ },
    { name: 'words instead of an address', url: 'not an address', says: /not a valid address/ },
    { name: 'a scheme without a host', url: 'http://', says: /not a valid address/ },
    { name: 'a port out of range', url: 'http://127.0.0.1:99999/', says: /not a valid address/ },
    { name: 'an ftp: address', url: 'ftp://example.com/file', says: /Only http and https.*"ftp:"/ },
    { name: 'a file: address', url: 'file:///etc/passwd', says: /Only http and https.*"file:"/ },
    { name: 'a javascript: address', url: 'javascript:alert(1)', says: /Only http and https/ },
    { name: 'a telephone number', url: 'tel:112', says: /Only http and https.*"tel:"/ },
    { name: 'a scheme and a port', url: 'http:3000', says: /not a valid address/ },
    { name: 'a name and a port out of range', url: 'localhost:99999', says: /not a valid address|Only http/ },
    { name: 'a data: address', url: 'data:text/html,<h1>Hi</h1>', says: /Only http and https/ },
    {
      name: 'user name and password in the address',
      url: 'http://me:secret@127.0.0.1/',
      says: /user name or password/,
    },
    { name: 'a user name alone', url: 'http://me@127.0.0.1/', says: /user name or password/ },
    { name: 'an address of 9,000 characters', url: `http://127.0.0.1/${'a'.repeat(9000)}`, says: /the limit is 8192/ },
    { name: 'a number', url: 42, says: /must be a string/ },
    { name: 'null', url: null, says: /must be a string/ },
    { name: 'a list', url: ['http://127.0.0.1/'], says: /must be a string/ },
  ];
  for (const { name, url, says } of cases) {
    test(name, async () => {
      const { status, code, error, details } = await trawl.refusal({ url });
      assert.equal(status, 400);
      assert.equal(code, 'BAD_REQUEST');
      assert.match(error, says);
      assert.deepEqual(details?.[0]?.path, ['url']);
    });
  }

  test('a missing url', async () => {
    const { status, error, details } = await trawl.refusal({ formats: ['markdown'] });
    assert.equal(status, 400);
    assert.match(error, /url: is missing/);
    assert.deepEqual(details?.[0]?.path, ['url']);
  });

  test('version 1 refuses the same', async () => {
    const { status, code, error } = await trawl.refusal({ url: 'file:///etc/passwd' }, { version: 'v1' });
    assert.deepEqual({ status, code }, { status: 400, code: 'BAD_REQUEST' });
    assert.match(error, /Only http and https/);
  });
});

describe('an invalid field is a 400 that names it', () => {
  const cases: { name: string; options: object; path: string; version?: string }[] = [
    { name: 'a text where a boolean belongs', options: { onlyMainContent: 'yes' }, path: 'onlyMainContent' },
    { name: 'a text where a number belongs', options: { timeout: '5000' }, path: 'timeout' },
    { name: 'a timeout under a second', options: { timeout: 999 }, path: 'timeout' },
    { name: 'a timeout over five minutes', options: { timeout: 300_001 }, path: 'timeout' },
    { name: 'a timeout over five minutes in version 1', options: { timeout: 300_001 }, path: 'timeout', version: 'v1' },
    { name: 'a negative age', options: { maxAge: -1 }, path: 'maxAge' },
    { name: 'half a millisecond', options: { minAge: 0.5 }, path: 'minAge' },
    { name: 'a text where a list of formats belongs', options: { formats: 'markdown' }, path: 'formats' },
    { name: 'a format that does not exist', options: { formats: ['pdf'] }, path: 'formats' },
    { name: 'a format that version 1 does not have', options: { formats: ['images'] }, path: 'formats', version: 'v1' },
    { name: 'a format without a type', options: { formats: [{ selectors: [] }] }, path: 'formats' },
    { name: 'attributes without selectors', options: { formats: [{ type: 'attributes' }] }, path: 'formats' },
    { name: 'a text where a list of selectors belongs', options: { includeTags: 'main' }, path: 'includeTags' },
    { name: 'a selector that is not CSS', options: { includeTags: ['main', 'div['] }, path: 'includeTags' },
    { name: 'a selector that is not CSS, to drop', options: { excludeTags: ['p:nth-child('] }, path: 'excludeTags' },
    {
      name: 'a selector that is not CSS, for attributes',
      options: { formats: [{ type: 'attributes', selectors: [{ selector: '>>', attribute: 'href' }] }] },
      path: 'formats',
    },
    {
      name: 'a selector that is not CSS, in the third format',
      options: {
        formats: ['links', 'html', { type: 'attributes', selectors: [{ selector: '[', attribute: 'href' }] }],
      },
      path: 'formats.2.selectors.0.selector',
    },
    { name: 'more than 100 selectors', options: { includeTags: Array(101).fill('p') }, path: 'includeTags' },
    { name: 'more than 100 selectors in all formats', options: { formats: attributes(51, 51) }, path: 'formats' },
    {
      name: 'selectors of more than 5,000 characters',
      options: { excludeTags: classes(51, 100) },
      path: 'excludeTags',
    },
    {
      name: 'a selector of six levels',
      options: { includeTags: [`${':not('.repeat(6)}a))))))`] },
      path: 'includeTags.0',
    },
    { name: 'an unknown option of a parser', options: { parsers: [{ type: 'pdf', page: 1 }] }, path: 'parsers.0' },
    { name: 'an unknown parser', options: { parsers: ['djvu'] }, path: 'parsers.0' },
    { name: 'headers as a list', options: { headers: ['Accept: */*'] }, path: 'headers' },
    { name: 'a header name with a space', options: { headers: { 'bad name': 'x' } }, path: 'headers' },
    { name: 'a header value with a line break', options: { headers: { a: 'x\r\nhost: evil' } }, path: 'headers' },
    { name: 'a header value in Japanese', options: { headers: { a: '日本' } }, path: 'headers' },
    { name: 'a header value that is a number', options: { headers: { a: 1 } }, path: 'headers' },
    { name: 'more than 100 headers', options: { headers: manyHeaders(101) }, path: 'headers' },
    { name: 'a country that is a name', options: { location: { country: 'Germany' } }, path: 'location' },
    { name: 'a language that is a sentence', options: { location: { languages: ['in German'] } }, path: 'location' },
    { name: 'an unknown field of the location', options: { location: { city: 'Bonn' } }, path: 'location' },
    { name: 'an unknown proxy', options: { proxy: 'fast' }, path: 'proxy' },
    { name: 'an unknown entity to redact', options: { redactPII: { entities: ['HAIR'] } }, path: 'redactPII' },
  ];
  for (const { name, options, path, version = 'v2' } of cases) {
    test(name, async () => {
      const { status, code, error, details } = await trawl.refusal({ url, ...options }, { version });
      assert.deepEqual({ status, code }, { status: 400, code: 'BAD_REQUEST' });
      assert.ok(details?.[0]?.path.join('.').startsWith(path), `${details?.[0]?.path}`);
      assert.ok(error.includes(path), error);
    });
  }

  for (const version of ['v1', 'v2']) {
    test(`an unknown field of ${version}, by its name`, async () => {
      const { status, error } = await trawl.refusal({ url, onlyMainContant: true }, { version });
      assert.equal(status, 400);
      assert.match(error, /onlyMainContant/);
    });
  }

  test('a bad header is reported by name', async () => {
    const name = await trawl.refusal({ url, headers: { 'bad name': 'x' } });
    assert.match(name.error, /headers: "bad name" is not the name of a header/);
    const value = await trawl.refusal({ url, headers: { 'x-note': 'a\r\nb' } });
    assert.match(value.error, /headers\.x-note: has a character that a header cannot hold/);
  });

  test('every bad field is reported in one answer', async () => {
    const { details } = await trawl.refusal({ url: 'nothing here', timeout: 1, mobile: 'no' });
    assert.deepEqual(details?.map(({ path }) => path[0]).sort(), ['mobile', 'timeout', 'url']);
  });

  test('attributes without selectors get an answer that shows how to write them', async () => {
    for (const format of ['attributes', { type: 'attributes' }]) {
      const { error } = await trawl.refusal({ url, formats: [format] });
      assert.match(error, /"attributes" needs selectors: \{"type": "attributes", "selectors": /);
    }
  });

  test('an unknown format gets an answer that lists the known ones', async () => {
    const { error } = await trawl.refusal({ url, formats: ['markdwon'] });
    assert.match(error, /"markdwon" is not a format/);
    assert.match(error, /markdown, html, rawHtml, links/);
  });
});

describe('an unreadable body', () => {
  for (const [name, body] of [
    ['cut off', '{"url": "http://127.0'],
    ['not JSON', 'url=http://127.0.0.1/'],
    ['empty', ''],
    ['with a prototype in it', '{"url": "http://127.0.0.1/", "__proto__": {"success": true}}'],
  ]) {
    test(`is a 400 when it is ${name}`, async () => {
      const { status, code } = await trawl.refusal(body);
      assert.equal(status, 400);
      assert.equal(code, 'BAD_REQUEST_INVALID_JSON');
    });
  }

  for (const body of ['null', '[]', '"http://127.0.0.1/"', '17']) {
    test(`is a 400 when it is ${body} instead of an object`, async () => {
      const { status, code } = await trawl.refusal(body);
      assert.deepEqual({ status, code }, { status: 400, code: 'BAD_REQUEST' });
    });
  }

  test('is a 400 when it is nested 100,000 deep', async () => {
    const deep = '['.repeat(100_000) + ']'.repeat(100_000);
    for (const field of ['url', 'formats', 'headers', 'actions']) {
      const { status } = await trawl.refusal(`{"url": "${url}", "${field}": [${deep}]}`);
      assert.equal(status, 400, field);
    }
  });

  for (const type of [
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'nonsense',
  ]) {
    test(`is a 415 when it is sent as ${type}`, async () => {
      const { status, code, error } = await trawl.refusal(JSON.stringify({ url }), {
        headers: { 'content-type': type },
      });
      assert.deepEqual({ status, code }, { status: 415, code: 'UNSUPPORTED_MEDIA_TYPE' });
      assert.match(error, /Content-Type: application\/json/);
    });
  }

  test('is a 413 when it is larger than 256 KB', async () => {
    const { status, code, error } = await trawl.refusal({ url, headers: { padding: 'x'.repeat(256 * 1024) } });
    assert.deepEqual({ status, code }, { status: 413, code: 'REQUEST_TOO_LARGE' });
    assert.match(error, /256 KB/);
  });
});

describe('a request that is not an API call', () => {
  for (const [method, path] of [
    ['GET', '/v2/nothing'],
    ['POST', '/v3/scrape'],
    ['POST', '/scrape'],
    ['GET', '/v2/scrape/../../etc/passwd'],
    ['GET', '/%'],
  ] as const) {
    test(`${method} ${path} is a 404 or 400 in the common error format`, async () => {
      const { status, body } = await trawl.call(method, path);
      assert.ok(path === '/%' ? status === 400 : status === 404, String(status));
      assert.equal(body.success, false);
    });
  }

  for (const [method, path, allow] of [
    ['GET', '/v2/scrape', 'POST'],
    ['DELETE', '/v1/scrape', 'POST'],
    ['PUT', '/v2/crawl/01890000-0000-7000-8000-000000000000?x=1', 'HEAD, GET, DELETE'],
    ['POST', '/health', 'HEAD, GET'],
    ['POST', '/docs/static/index.html', 'HEAD, GET'],
  ] as const) {
    test(`${method} ${path} is a 405 that lists the allowed methods`, async () => {
      const { status, body, headers } = await trawl.call(method, path, undefined, { key: null });
      assert.deepEqual([status, body.code], [405, 'METHOD_NOT_ALLOWED']);
      assert.deepEqual(headers.get('allow')?.split(', ').sort(), allow.split(', ').sort());
      assert.ok(body.error.includes(`${path.replace('?x=1', '')} accepts ${headers.get('allow')}, not ${method}`));
    });
  }

  test('the answer for an unknown route names the route and links to the API description', async () => {
    const { body } = await trawl.get('/v2/nothing?page=1');
    assert.equal(body.code, 'NOT_FOUND');
    assert.match(body.error, /no GET \/v2\/nothing\./);
    assert.ok(body.error.includes(`${trawl.address}/docs`));
  });

  test('a malformed id is a 400', async () => {
    const { status, body } = await trawl.get('/v2/scrape/latest');
    assert.equal(status, 400);
    assert.match(body.error, /jobId: must be the id of a scrape/);
  });

  for (const [name, lines, expected] of [
    ['an invalid request line', 'GIVE ME THE PAGE\r\n\r\n', 400],
    ['a TLS handshake on the plain port', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 400],
    [
      'two Content-Length headers',
      'POST /v2/scrape HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
      400,
    ],
    ['a header of 100 KB', `GET /health HTTP/1.1\r\nHost: a\r\nX-Large: ${'x'.repeat(100_000)}\r\n\r\n`, 431],
  ] as const) {
    test(`${name} is answered in the common error format, and the connection closes`, async () => {
      const answer = await sendRaw(lines);
      assert.match(answer, new RegExp(`^HTTP/1.1 ${expected} `));
      const body = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4));
      assert.equal(body.success, false);
      assert.equal(typeof body.error, 'string');
      assert.equal(typeof body.code, 'string');
    });
  }

  test('leaves the service working', async () => {
    const document = await trawl.scrape(url);
    assert.match(document.markdown ?? '', /Here I am/);
  });
});

/** Writes bytes to the service's port and reads until it closes the connection. */
async function sendRaw(text: string): Promise<string> {
  const { hostname, port } = new URL(trawl.address);
  const socket = connect(Number(port), hostname);
  let answer = '';
  socket.setEncoding('utf8').on('data', (piece) => {
    answer += piece;
  });
  // The refusal may arrive while the rest is still being written.
  socket.on('error', () => {});
  socket.write(Buffer.from(text, 'latin1'));
  await once(socket, 'close');
  return answer;
}

/** One format per number, with that many selectors. */
function attributes(...counts: number[]): object[] {
  return counts.map((count) => ({
    type: 'attributes',
    selectors: Array.from({ length: count }, () => ({ selector: 'a', attribute: 'href' })),
  }));
}

function classes(count: number, length: number): string[] {
  return Array.from({ length: count }, () => `.${'x'.repeat(length - 1)}`);
}

function manyHeaders(count: number): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`x-${index}`, KEY]));
}
