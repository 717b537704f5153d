import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { AROUND, articlePage, IN_ARTICLE } from './support/article.ts';
import { shared } from './support/shared.ts';
import { html, type SeenRequest, startSite } from './support/site.ts';
import { startTrawl } from './support/trawl.ts';

const site = await shared(startSite());
const trawl = await shared(startTrawl());
const url = site.page('/', articlePage());

/** The headers a scrape sends to the site. */
async function sentHeaders(options: object, version = 'v2'): Promise<SeenRequest['headers']> {
  const before = site.requests.length;
  await trawl.scrape(url, { ...options, maxAge: 0 }, { version });
  const sent = site.requests.slice(before);
  assert.equal(sent.length, 1);
  return sent[0]?.headers ?? {};
}

describe('the selected part of the page', () => {
  for (const version of ['v1', 'v2']) {
    test(`onlyMainContent false gives the whole page in ${version}`, async () => {
      const { markdown = '' } = await trawl.scrape(url, { onlyMainContent: false, blockAds: false }, { version });
      assert.ok(markdown.includes(IN_ARTICLE));
      for (const words of AROUND) assert.ok(markdown.includes(words), words);
    });

    test(`includeTags keeps only what matches in ${version}`, async () => {
      const { markdown = '' } = await trawl.scrape(
        url,
        { includeTags: ['h1', '.sidebar'], onlyMainContent: false },
        { version },
      );
      assert.ok(markdown.includes('Life on the island'));
      assert.ok(markdown.includes('Most read this week'));
      assert.ok(!markdown.includes(IN_ARTICLE));
    });

    test(`excludeTags drops what matches in ${version}`, async () => {
      const { markdown = '' } = await trawl.scrape(url, { excludeTags: ['article p:first-of-type'] }, { version });
      assert.ok(markdown.includes('nine pupils'));
      assert.ok(!markdown.includes(IN_ARTICLE));
    });
  }

  test('includeTags that match nothing return nothing', async () => {
    const { markdown } = await trawl.scrape(url, { includeTags: ['.nowhere'] });
    assert.equal(markdown, '');
  });

  test('Markdown and HTML contain the same part', async () => {
    const { markdown = '', html: cleaned = '' } = await trawl.scrape(url, {
      formats: ['markdown', 'html'],
      includeTags: ['article'],
      excludeTags: ['h1'],
    });
    for (const text of [markdown, cleaned]) {
      assert.ok(text.includes(IN_ARTICLE));
      assert.ok(!text.includes('Life on the island'));
    }
  });

  test('onlyCleanContent also drops share bars and related links inside the article', async () => {
    const extra = `
      <div class="share-buttons"><a href="https://social.example/share">Share this on social media</a></div>
      <div class="related-articles"><h3>You may also like</h3><ul><li><a href="/other">Another story of ours</a></li></ul></div>`;
    const page = site.page('/share', articlePage(extra));
    const { markdown = '' } = await trawl.scrape(page, { onlyCleanContent: true });
    assert.ok(markdown.includes(IN_ARTICLE));
    assert.ok(!markdown.includes('Share this on social media'));
    assert.ok(!markdown.includes('You may also like'));
  });

  test('blockAds drops advertisements and cookie banners from the whole page', async () => {
    const page = site.page(
      '/ads',
      articlePage('<div class="adsbygoogle advertisement"><p>Buy now, pay later</p></div>'),
    );
    const blocked = await trawl.scrape(page, { onlyMainContent: false });
    assert.ok(blocked.markdown?.includes(IN_ARTICLE));
    assert.ok(!blocked.markdown?.includes('Buy now, pay later'));
    assert.ok(!blocked.markdown?.includes('We use cookies'));
    const kept = await trawl.scrape(page, { onlyMainContent: false, blockAds: false });
    assert.ok(kept.markdown?.includes('Buy now, pay later'));
    assert.ok(kept.markdown?.includes('We use cookies'));
  });
});

describe('embedded images', () => {
  const data = `data:image/gif;base64,${'R0lGODlhAQABAAAAACw'.repeat(50)}`;
  const page = site.page('/embedded', articlePage(`<p>The flag: <img src="${data}" alt="A blue flag"></p>`));

  for (const version of ['v1', 'v2']) {
    test(`lose their data and keep their alt text in ${version}`, async () => {
      const { markdown = '' } = await trawl.scrape(page, {}, { version });
      assert.ok(markdown.includes('A blue flag'));
      assert.ok(!markdown.includes('base64,'));
    });

    test(`are kept when removeBase64Images is false in ${version}`, async () => {
      const { markdown = '' } = await trawl.scrape(page, { removeBase64Images: false }, { version });
      assert.ok(markdown.includes(data));
    });
  }
});

describe('the site receives', () => {
  for (const version of ['v1', 'v2']) {
    test(`the caller's headers, which win over ours, in ${version}`, async () => {
      const headers = { 'X-Visitor': 'the mail man', 'User-Agent': 'PostBot/1.0', Cookie: 'tide=high' };
      const sent = await sentHeaders({ headers }, version);
      assert.equal(sent['x-visitor'], 'the mail man');
      assert.equal(sent['user-agent'], 'PostBot/1.0');
      assert.equal(sent.cookie, 'tide=high');
    });

    test(`nothing of the caller's key in ${version}`, async () => {
      const sent = await sentHeaders({}, version);
      assert.equal(sent.authorization, undefined);
      assert.ok(!JSON.stringify(sent).includes('fc-'));
    });

    test(`the user agent of a phone when mobile is requested in ${version}`, async () => {
      const desktop = await sentHeaders({}, version);
      const mobile = await sentHeaders({ mobile: true }, version);
      assert.doesNotMatch(desktop['user-agent'] ?? '', /Mobile/);
      assert.match(mobile['user-agent'] ?? '', /Mobile/);
    });

    test(`the languages of the location in ${version}`, async () => {
      const sent = await sentHeaders({ location: { country: 'CH', languages: ['fr-CH', 'de'] } }, version);
      assert.match(sent['accept-language'] ?? '', /^fr-CH.*\bde\b/);
    });
  }

  test('the main language of the country when no language is given', async () => {
    const sent = await sentHeaders({ location: { country: 'de' } });
    assert.match(sent['accept-language'] ?? '', /^de-DE,\s*de\b/);
  });

  test('English when no location is given', async () => {
    assert.match((await sentHeaders({}))['accept-language'] ?? '', /^en\b/);
  });

  test('cookies stay within one request and follow its redirects', async () => {
    site.page('/welcome', { status: 302, headers: { location: '/inside', 'set-cookie': 'visit=1; Path=/' } });
    site.page('/inside', (request, response) => {
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .end(html(`<p>cookie: ${request.headers.cookie ?? 'none'}</p>`));
    });
    const first = await trawl.scrape(site.url('/welcome'), { maxAge: 0 });
    assert.match(first.markdown ?? '', /cookie: visit=1/);
    const second = await trawl.scrape(site.url('/inside'), { maxAge: 0 });
    assert.match(second.markdown ?? '', /cookie: none/);
  });

  test("a caller's secret headers do not follow a redirect to another site", async () => {
    await using other = await startSite();
    const target = other.page('/', html('<h1>Elsewhere</h1>'));
    const door = site.page('/leave', { status: 302, headers: { location: target } });
    await trawl.scrape(door, { headers: { Authorization: 'Bearer of-the-site', Cookie: 'tide=high' } });
    assert.equal(other.requests.length, 1);
    assert.equal(other.requests[0]?.headers.authorization, undefined);
    assert.equal(other.requests[0]?.headers.cookie, undefined);
  });
});

describe('a call that identifies its origin and integration', () => {
  const origin = { origin: 'js-sdk@4.42.0', integration: 'n8n', auditMetadata: { username: 'ada' } };
  for (const version of ['v1', 'v2']) {
    test(`is accepted in ${version}`, async () => {
      await trawl.scrape(url, origin, { version });
    });
  }

  test('accepts null for no integration', async () => {
    await trawl.scrape(url, { integration: null });
  });
});

describe('redactPII', () => {
  const page = site.page(
    '/contacts',
    articlePage(`
      <p>Write to harbour.master@island.example or call +49 30 901820 before noon.</p>
      <p>Pay with the card 4111 1111 1111 1111 or to the account DE89 3704 0044 0532 0130 00 as you like.</p>`),
  );
  const secrets = ['harbour.master@island.example', '901820', '4111 1111', 'DE89 3704'];

  test('replaces the personal data it recognises in the Markdown', async () => {
    const { markdown = '', metadata } = await trawl.scrape(page, { redactPII: true });
    assert.ok(markdown.includes(IN_ARTICLE));
    for (const secret of secrets) assert.ok(!markdown.includes(secret), secret);
    assert.equal(metadata.creditsUsed, 5);
  });

  test('changes nothing when it is not requested', async () => {
    const { markdown = '' } = await trawl.scrape(page, { redactPII: false });
    for (const secret of secrets) assert.ok(markdown.includes(secret), secret);
  });

  test('replaces only the requested entities, in the requested style', async () => {
    const { markdown = '' } = await trawl.scrape(page, { redactPII: { entities: ['EMAIL'], replaceStyle: 'remove' } });
    assert.match(markdown, /Write to\s+or call/);
    assert.ok(markdown.includes('4111 1111'));
  });

  test('also works on a cached copy, which itself stays unredacted', async () => {
    await trawl.scrape(page);
    const redacted = await trawl.scrape(page, { redactPII: true });
    assert.equal(redacted.metadata.cacheState, 'hit');
    assert.ok(!redacted.markdown?.includes('harbour.master'));
    const whole = await trawl.scrape(page);
    assert.equal(whole.metadata.cacheState, 'hit');
    assert.ok(whole.markdown?.includes('harbour.master'));
  });
});

describe('threatProtection', () => {
  test("refuses hosts on the caller's list", async () => {
    const { status } = await trawl.refusal({
      url,
      threatProtection: { mode: 'manual-only', blacklist: ['127.0.0.1'] },
    });
    assert.equal(status, 403);
  });

  test('does nothing when it is off', async () => {
    await trawl.scrape(url, { threatProtection: { mode: 'off', blacklist: ['127.0.0.1'] } });
  });
});
