import assert from 'node:assert/strict';
import type { IncomingHttpHeaders } from 'node:http';
import { describe, test } from 'node:test';
import { TrawlError } from '../errors.ts';
import { testFetcher, trawlError } from './testing/fetching.ts';
import { serveProxy } from './testing/proxy.ts';
import { type Handler, serveBytes, serveHttp } from './testing/servers.ts';

/** Redirects from each path to its value; other paths answer with a page. */
function redirects(map: Record<string, string>, status = 302): Handler {
  return (request, response) => {
    const location = map[request.url ?? ''];
    if (location === undefined) response.end(`page at ${request.url}`);
    else response.writeHead(status, { Location: location }).end('moved');
  };
}

describe('a redirect', () => {
  for (const status of [301, 302, 303, 307, 308]) {
    test(`with status ${status} is followed`, async () => {
      await using server = await serveHttp(redirects({ '/': '/next' }, status));
      await using fetcher = testFetcher();
      const page = await fetcher.get(server.url);
      assert.deepEqual([page.url, page.status, page.text], [`${server.url}/next`, 200, 'page at /next']);
    });
  }

  test('is resolved against the address it comes from, and inherits its fragment', async () => {
    await using server = await serveHttp(redirects({ '/a/b?x=1': '../c', '/c': '?y=2', '/c?y=2': './d#other' }));
    await using fetcher = testFetcher();
    assert.equal((await fetcher.get(`${server.url}/a/b?x=1#part`)).url, `${server.url}/d#other`);
    await using plain = await serveHttp(redirects({ '/a': '/b' }));
    assert.equal((await fetcher.get(`${plain.url}/a#part`)).url, `${plain.url}/b#part`);
  });

  test('may contain raw UTF-8', async () => {
    await using fetcher = testFetcher();
    await using next = await serveHttp((request, response) => response.end(request.url));
    await using first = await serveBytes(
      Buffer.from(`HTTP/1.1 302 Found\r\nLocation: ${next.url}/größe\r\nContent-Length: 0\r\n\r\n`),
    );
    assert.equal((await fetcher.get(first.url)).text, '/gr%C3%B6%C3%9Fe');
  });

  test('to the same host uses its connection', async () => {
    await using server = await serveHttp(redirects({ '/': '/1', '/1': '/2', '/2': '/3' }));
    await using fetcher = testFetcher();
    await fetcher.get(server.url);
    assert.equal(server.connections, 1);
  });

  test('with an endless body is followed immediately', async () => {
    await using target = await serveHttp((_request, response) => response.end('there'));
    await using server = await serveBytes(`HTTP/1.1 302 Found\r\nLocation: ${target.url}\r\n\r\n`, { end: false });
    await using fetcher = testFetcher();
    assert.equal((await fetcher.get(server.url)).text, 'there');
  });

  test('with a large body is followed without reading it', async () => {
    await using target = await serveHttp((_request, response) => response.end('there'));
    await using server = await serveHttp((_request, response) => {
      response.writeHead(302, { Location: target.url }).write('x'.repeat(100_000));
    });
    await using fetcher = testFetcher();
    assert.equal((await fetcher.get(server.url)).text, 'there');
  });

  test('without a location is a page', async () => {
    await using server = await serveHttp((_request, response) => response.writeHead(302).end('see elsewhere'));
    await using fetcher = testFetcher();
    const page = await fetcher.get(server.url);
    assert.deepEqual([page.status, page.text], [302, 'see elsewhere']);
  });

  test('to an invalid address is a bad response', async () => {
    await using server = await serveHttp(redirects({ '/': 'http://[nonsense' }));
    await using fetcher = testFetcher();
    await assert.rejects(
      fetcher.get(server.url),
      trawlError('SCRAPE_BAD_RESPONSE', /redirects to "http:\/\/\[nonsense", which is not an address/),
    );
  });

  test('is followed at most ten times', async () => {
    const count: Handler = (request, response) => {
      const n = Number(request.url?.slice(1));
      if (n === 0) response.end('arrived');
      else response.writeHead(302, { Location: `/${n - 1}` }).end();
    };
    await using server = await serveHttp(count);
    await using fetcher = testFetcher();
    assert.equal((await fetcher.get(`${server.url}/10`)).text, 'arrived');
    await assert.rejects(
      fetcher.get(`${server.url}/11`),
      trawlError(
        'SCRAPE_TOO_MANY_REDIRECTS',
        /more than 10 times; the last redirects were http.*\/2 → http.*\/1 → http.*\/0\.$/,
      ),
    );
  });

  test('in a loop ends', async () => {
    await using server = await serveHttp(redirects({ '/a': '/b', '/b': '/a' }));
    await using fetcher = testFetcher();
    await assert.rejects(fetcher.get(`${server.url}/a`), trawlError('SCRAPE_TOO_MANY_REDIRECTS'));
  });
});

describe('a redirect to a forbidden address', () => {
  for (const target of [
    'http://127.0.0.2/',
    'http://0x7f.0.0.2/',
    'http://[::ffff:127.0.0.2]/',
    'http://169.254.169.254/latest/meta-data/',
    'http://user@10.0.0.1/',
    '//10.0.0.1/',
    '\\\\10.0.0.1\\',
  ]) {
    test(`is refused: ${target}`, async () => {
      await using server = await serveHttp(redirects({ '/': '/hop', '/hop': target }));
      await using fetcher = testFetcher();
      await assert.rejects(
        fetcher.get(server.url),
        trawlError('SCRAPE_BLOCKED_TARGET', /TRAWL_ALLOW_NETWORKS\. \(127\.0\.0\.1:\d+ redirects there\.\)/),
      );
    });
  }

  for (const target of [
    'file:///etc/passwd',
    'ftp://127.0.0.1/',
    'gopher://127.0.0.1/',
    'javascript:alert(1)',
    'data:text/html,x',
  ]) {
    test(`is refused: ${target}`, async () => {
      await using server = await serveHttp(redirects({ '/': target }));
      await using fetcher = testFetcher();
      await assert.rejects(fetcher.get(server.url), trawlError('SCRAPE_BLOCKED_TARGET', /Only http and https/));
    });
  }

  test('is refused when a name resolves to it', async () => {
    await using server = await serveHttp(redirects({ '/': 'http://inside.test/' }));
    await using fetcher = testFetcher({ resolve: async () => [{ address: '10.0.0.1', family: 4 }] });
    await assert.rejects(
      fetcher.get(server.url),
      trawlError('SCRAPE_BLOCKED_TARGET', /inside\.test resolves to a private address/),
    );
  });

  test('is refused when a page refreshes to it', async () => {
    await using server = await serveHttp((_request, response) => {
      response.setHeader('Content-Type', 'text/html');
      response.end('<meta http-equiv="refresh" content="0;url=http://10.0.0.1/">');
    });
    await using fetcher = testFetcher();
    await assert.rejects(fetcher.get(server.url), trawlError('SCRAPE_BLOCKED_TARGET'));
  });
});

describe('across redirects', () => {
  /** The headers that two origins received, when the first redirects to the second and that one back to the first. */
  async function visitTwoOrigins(headers: Record<string, string>): Promise<IncomingHttpHeaders[]> {
    const seen: IncomingHttpHeaders[] = [];
    let second = '';
    await using a = await serveHttp((request, response) => {
      seen.push(request.headers);
      if (request.url === '/') response.writeHead(302, { Location: '/same' }).end();
      else if (request.url === '/same') response.writeHead(302, { Location: second }).end();
      else response.end();
    });
    await using b = await serveHttp((request, response) => {
      seen.push(request.headers);
      response.writeHead(302, { Location: `${a.url}/back` }).end();
    });
    second = b.url;
    await using fetcher = testFetcher();
    await fetcher.get(a.url, { headers });
    return seen;
  }

  /** Headers known to carry credentials, and one that no list can know. */
  const SECRETS = ['authorization', 'cookie', 'x-api-key', 'private-token', 'x-amz-security-token', 'x-own', 'referer'];
  const secretHeaders = Object.fromEntries(SECRETS.map((name) => [name, `${name} for the first origin`]));
  const carried = (headers: IncomingHttpHeaders) => SECRETS.filter((name) => headers[name] !== undefined);

  test('headers of the caller go only to the first origin, and are not sent again on the way back', async () => {
    const seen = await visitTwoOrigins(secretHeaders);
    assert.deepEqual(seen.map(carried), [SECRETS, SECRETS, [], []]);
  });

  test('headers for content, language and agent are sent to other origins too', async () => {
    const wanted = { Accept: 'text/plain', 'accept-language': 'pt', 'User-Agent': 'Reader/1' };
    for (const headers of await visitTwoOrigins({ ...secretHeaders, ...wanted })) {
      assert.equal(headers.accept, 'text/plain');
      assert.equal(headers['accept-language'], 'pt');
      assert.equal(headers['user-agent'], 'Reader/1');
      assert.equal(headers['sec-ch-ua'], undefined);
    }
  });

  test('headers of the caller are not sent when a page refreshes to another origin', async () => {
    const seen: IncomingHttpHeaders[] = [];
    await using b = await serveHttp((request, response) => {
      seen.push(request.headers);
      response.end();
    });
    await using a = await serveHttp((request, response) => {
      seen.push(request.headers);
      response.writeHead(200, { 'Content-Type': 'text/html' });
      response.end(`<meta http-equiv="refresh" content="0; url=${b.url}">`);
    });
    await using fetcher = testFetcher();
    await fetcher.get(a.url, { headers: secretHeaders });
    assert.deepEqual(seen.map(carried), [SECRETS, []]);
  });

  test('headers of the caller are not sent to another origin through a proxy', async () => {
    await using proxy = await serveProxy();
    for (const name of ['proxy', 'enhancedProxy'] as const) {
      const seen: IncomingHttpHeaders[] = [];
      await using b = await serveHttp((request, response) => {
        seen.push(request.headers);
        response.end();
      });
      await using a = await serveHttp((request, response) => {
        seen.push(request.headers);
        response.writeHead(302, { Location: b.url }).end();
      });
      await using fetcher = testFetcher({ [name]: `http://${proxy.address}` });
      await fetcher.get(a.url, { headers: secretHeaders, proxy: name === 'proxy' ? 'basic' : 'enhanced' });
      assert.deepEqual(seen.map(carried), [SECRETS, []], name);
    }
  });

  test('every address is checked before it is contacted', async () => {
    let contacted = 0;
    await using b = await serveHttp((_request, response) => {
      contacted += 1;
      response.writeHead(302, { Location: a.url }).end();
    });
    await using a = await serveHttp((request, response) => {
      if (request.url === '/redirect') response.writeHead(302, { Location: b.url }).end();
      else if (request.url === '/refresh') {
        response.writeHead(200, { 'Content-Type': 'text/html' });
        response.end(`<meta http-equiv="refresh" content="0; url=${b.url}">`);
      } else response.end('the end');
    });
    await using fetcher = testFetcher();
    for (const path of ['/redirect', '/refresh']) {
      const asked: string[] = [];
      const admit = (url: URL) => {
        asked.push(url.href);
        if (url.origin === b.url) throw new TrawlError('FORBIDDEN', 'Not there.');
      };
      await assert.rejects(fetcher.get(a.url + path, { admit }), trawlError('FORBIDDEN', /Not there\. \(.* redirects/));
      assert.deepEqual(asked, [a.url + path, `${b.url}/`]);
    }
    assert.equal(contacted, 0);
    assert.equal(
      (await fetcher.get(`${a.url}/redirect`)).text,
      'the end',
      'b leads back, and hides from a check of the ends',
    );
  });

  test('cookies that are set are sent on, and override those of the caller', async () => {
    const seen: (string | undefined)[] = [];
    await using server = await serveHttp((request, response) => {
      seen.push(request.headers.cookie);
      if (request.url === '/') {
        response
          .writeHead(302, { Location: '/next', 'Set-Cookie': ['token=new; Path=/', 'only=deep; Path=/deep'] })
          .end();
      } else response.end();
    });
    await using fetcher = testFetcher();
    await fetcher.get(server.url, { headers: { Cookie: 'token=old; mine=1' } });
    assert.deepEqual(seen, ['token=old; mine=1', 'mine=1; token=new']);
  });

  test('cookies are not sent to another host', async () => {
    const seen: (string | undefined)[] = [];
    await using other = await serveHttp((request, response) => {
      seen.push(request.headers.cookie);
      response.end();
    });
    await using server = await serveHttp((_request, response) => {
      response.writeHead(302, { Location: `http://b.test:${other.port}/`, 'Set-Cookie': 'id=1; Path=/' }).end();
    });
    await using fetcher = testFetcher({ resolve: async () => [{ address: '127.0.0.1', family: 4 }] });
    await fetcher.get(`http://a.test:${server.port}/`);
    assert.deepEqual(seen, [undefined]);
  });

  test('cookies are forgotten at the end', async () => {
    const seen: (string | undefined)[] = [];
    await using server = await serveHttp((request, response) => {
      seen.push(request.headers.cookie);
      response.setHeader('Set-Cookie', 'id=1').end('ok');
    });
    await using fetcher = testFetcher();
    await fetcher.get(server.url);
    await fetcher.get(server.url);
    assert.deepEqual(seen, [undefined, undefined]);
  });

  test('invalid cookies do no harm', async () => {
    await using server = await serveHttp((request, response) => {
      if (request.url !== '/') response.end(request.headers.cookie ?? 'none');
      else {
        const cookies = ['', '=', ';;;', 'a=1; Domain=example.com', 'b=2; Domain=com', 'c=3; Expires=never'];
        response.writeHead(302, { Location: '/next', 'Set-Cookie': cookies }).end();
      }
    });
    await using fetcher = testFetcher();
    assert.equal((await fetcher.get(server.url)).text, 'c=3');
  });

  test('a user name in a redirect is not sent', async () => {
    const seen: (string | undefined)[] = [];
    await using server = await serveHttp((request, response) => {
      seen.push(request.headers.authorization);
      if (request.url === '/') {
        response.writeHead(302, { Location: `http://user:secret@${request.headers.host}/next` }).end();
      } else response.end();
    });
    await using fetcher = testFetcher();
    assert.equal((await fetcher.get(server.url)).url, `${server.url}/next`);
    assert.deepEqual(seen, [undefined, undefined]);
  });
});

describe('a page that refreshes itself', () => {
  const html: Handler = (request, response) => {
    response.setHeader('Content-Type', 'text/html');
    const refresh = (content: string) => response.end(`<meta http-equiv="refresh" content="${content}">Moving on …`);
    if (request.url === '/signpost') refresh('0; url=/target');
    else if (request.url === '/late') refresh('30; url=/target');
    else if (request.url === '/self') refresh('0');
    else if (request.url === '/app') refresh('0; url=app://open');
    else if (request.url === '/circle') refresh('0; url=/circle2');
    else if (request.url === '/circle2') refresh('0; url=/circle');
    else if (request.url === '/header') response.setHeader('Refresh', '1;url=/target').end('wait');
    else if (request.url === '/cookie' && request.headers.cookie === undefined) {
      response.setHeader('Set-Cookie', 'seen=1');
      refresh('0; url=/cookie');
    } else response.end(`<p>page at ${request.url}`);
  };
  const ends: readonly (readonly [from: string, to: string])[] = [
    ['/signpost', '/target'],
    ['/header', '/target'],
    ['/late', '/late'],
    ['/self', '/self'],
    ['/app', '/app'],
    ['/cookie', '/cookie'],
  ];
  for (const [from, to] of ends) {
    test(`at ${from} ends at ${to}`, async () => {
      await using server = await serveHttp(html);
      await using fetcher = testFetcher();
      assert.equal((await fetcher.get(server.url + from)).url, server.url + to);
    });
  }

  test('once with a cookie yields the next page', async () => {
    await using server = await serveHttp(html);
    await using fetcher = testFetcher();
    assert.equal((await fetcher.get(`${server.url}/cookie`)).text, '<p>page at /cookie');
  });

  test('forever is refused like any redirect', async () => {
    await using server = await serveHttp(html);
    await using fetcher = testFetcher();
    await assert.rejects(fetcher.get(`${server.url}/circle`), trawlError('SCRAPE_TOO_MANY_REDIRECTS'));
  });
});
