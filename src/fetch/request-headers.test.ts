import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readOwnHeaders, requestHeaders } from './request-headers.ts';
import { testFetcher, trawlError } from './testing/fetching.ts';
import { serveHttp } from './testing/servers.ts';

const SECURE = new URL('https://example.com/');

function headersFor(
  own: Record<string, string> = {},
  { url = SECURE, mobile = false, languages = [] as string[], cookie = undefined as string | undefined } = {},
): Map<string, string> {
  const list = requestHeaders(url, { mobile, languages, own: readOwnHeaders(own), cookie });
  const map = new Map<string, string>();
  for (let i = 0; i < list.length; i += 2) {
    const name = list[i] ?? '';
    assert.equal(map.has(name), false, `${name} is sent twice`);
    map.set(name, list[i + 1] ?? '');
  }
  return map;
}

describe('the headers of a request', () => {
  test('are those of a desktop Chrome, in its order', () => {
    const headers = headersFor();
    assert.deepEqual(
      [...headers.keys()],
      [
        'sec-ch-ua',
        'sec-ch-ua-mobile',
        'sec-ch-ua-platform',
        'Upgrade-Insecure-Requests',
        'User-Agent',
        'Accept',
        'Sec-Fetch-Site',
        'Sec-Fetch-Mode',
        'Sec-Fetch-User',
        'Sec-Fetch-Dest',
        'Accept-Encoding',
        'Accept-Language',
      ],
    );
    assert.match(
      headers.get('User-Agent') ?? '',
      /^Mozilla\/5\.0 \(Windows NT 10\.0; Win64; x64\) .* Chrome\/\d+\.0\.0\.0 Safari\/537\.36$/,
    );
    assert.equal(headers.get('sec-ch-ua-mobile'), '?0');
  });

  test('name the same version everywhere', () => {
    const headers = headersFor();
    const version = /Chrome\/(\d+)/.exec(headers.get('User-Agent') ?? '')?.[1];
    const hints = headers.get('sec-ch-ua') ?? '';
    assert.ok(hints.includes(`"Chromium";v="${version}"`) && hints.includes(`"Google Chrome";v="${version}"`), hints);
    assert.match(hints, /"Not.A.Brand";v="(8|99|24)"/);
  });

  test('are those of a phone when requested', () => {
    const headers = headersFor({}, { mobile: true });
    assert.match(headers.get('User-Agent') ?? '', /\(Linux; Android 10; K\).* Mobile Safari\/537\.36$/);
    assert.equal(headers.get('sec-ch-ua-mobile'), '?1');
    assert.equal(headers.get('sec-ch-ua-platform'), '"Android"');
  });

  test('have no hints for addresses without TLS, as in the browser', () => {
    const names = [...headersFor({}, { url: new URL('http://example.com/') }).keys()];
    assert.deepEqual(names, [
      'Upgrade-Insecure-Requests',
      'User-Agent',
      'Accept',
      'Accept-Encoding',
      'Accept-Language',
    ]);
  });

  test('name the languages in order of preference', () => {
    assert.equal(headersFor().get('Accept-Language'), 'en-US,en;q=0.9');
    assert.equal(
      headersFor({}, { languages: ['de-DE', 'de', 'en'] }).get('Accept-Language'),
      'de-DE,de;q=0.9,en;q=0.8',
    );
    const many = Array.from({ length: 20 }, (_, i) => `x${i}`);
    assert.match(headersFor({}, { languages: many }).get('Accept-Language') ?? '', /,x9;q=0\.1$/);
    assert.throws(() => headersFor({}, { languages: ['de\r\nX-Evil: 1'] }), trawlError('BAD_REQUEST', /language/));
  });

  test('are overridden by those of the caller, whatever their case', () => {
    const headers = headersFor({ accept: 'text/plain', 'X-Own': ' mine ', 'ACCEPT-LANGUAGE': 'fr' });
    assert.equal(headers.get('accept'), 'text/plain');
    assert.equal(headers.get('ACCEPT-LANGUAGE'), 'fr');
    assert.equal(headers.get('X-Own'), 'mine');
    assert.equal(headers.has('Accept'), false);
  });

  test('omit the hints of Chrome when the caller sets another User-Agent', () => {
    const headers = headersFor({ 'user-agent': 'Bot/1.0' });
    assert.equal(headers.get('user-agent'), 'Bot/1.0');
    assert.equal(
      [...headers.keys()].some((name) => name.startsWith('sec-ch-ua')),
      false,
    );
  });

  test('contain the cookies once', () => {
    const headers = headersFor({ cookie: 'own=1' }, { cookie: 'own=1; set=2' });
    assert.equal(headers.get('Cookie'), 'own=1; set=2');
    assert.equal(headers.has('cookie'), false);
  });

  test('omit those of the connection', () => {
    const names = [
      'Host',
      'Connection',
      'Content-Length',
      'Transfer-Encoding',
      'Keep-Alive',
      'TE',
      'Trailer',
      'Upgrade',
      'Expect',
      'HTTP2-Settings',
      'Proxy-Authorization',
      'Proxy-Connection',
      'proxy-anything',
    ];
    assert.equal(readOwnHeaders(Object.fromEntries(names.map((name) => [name, 'x']))).size, 0);
  });

  for (const [name, value] of [
    ['X-Own', 'a\r\nX-Injected: b'],
    ['X-Own', 'a\nb'],
    ['X-Own', 'a\0b'],
    ['X-Own', 'naïve 🙂'],
    ['X-Own\r\nX-Injected', 'b'],
    ['X Own', 'b'],
    ['X-Own:', 'b'],
    ['', 'b'],
    ['Ümlaut', 'b'],
  ]) {
    test(`refuse ${JSON.stringify(`${name}: ${value}`)}`, () => {
      assert.throws(() => readOwnHeaders({ [name ?? '']: value ?? '' }), trawlError('BAD_REQUEST', /in "headers"/));
    });
  }

  test('arrive as they were set', async () => {
    let received: string[] = [];
    await using server = await serveHttp((request, response) => {
      received = request.rawHeaders;
      response.end();
    });
    await using fetcher = testFetcher();
    await fetcher.get(server.url, {
      headers: { 'X-Own': 'caf\xe9', Host: 'elsewhere', Connection: 'close' },
      languages: ['fr'],
    });
    assert.deepEqual(received.slice(0, 4), ['host', `127.0.0.1:${server.port}`, 'connection', 'keep-alive']);
    assert.deepEqual(received.slice(-4), ['Accept-Language', 'fr', 'X-Own', 'caf\xe9']);
    assert.equal(received.includes('elsewhere'), false);
  });
});
