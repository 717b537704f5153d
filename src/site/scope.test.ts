import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { trawlError } from '../fetch/testing/fetching.ts';
import { createScope, type FoundAddress, type ScopeOptions, type Verdict } from './scope.ts';

const DEFAULTS: Omit<ScopeOptions, 'url'> = {
  crawlEntireDomain: false,
  allowSubdomains: false,
  allowExternalLinks: false,
  includePaths: [],
  excludePaths: [],
  regexOnFullURL: false,
};

async function decide(
  start: string,
  options: Partial<ScopeOptions>,
  address: string,
  found: Partial<FoundAddress> = {},
): Promise<string> {
  const scope = await createScope({ ...DEFAULTS, url: new URL(start), ...options });
  return outcomeOf(scope.decide({ url: new URL(address, start), depth: 1, ...found }));
}

function outcomeOf(verdict: Verdict): string {
  if (!verdict.admit) return verdict.reason;
  return verdict.external ? 'external' : 'yes';
}

const WHOLE = { crawlEntireDomain: true };
const SUBDOMAINS = { allowSubdomains: true };
const EXTERNAL = { allowExternalLinks: true };

const CASES: readonly (readonly [start: string, options: Partial<ScopeOptions>, addresses: Record<string, string>])[] =
  [
    ['https://site.example/', {}, { '/': 'yes', '/a/b': 'yes', 'https://other.example/a': 'another site' }],
    [
      'https://site.example/docs/',
      {},
      {
        '/docs': 'yes',
        '/docs/': 'yes',
        '/docs/a?b=c': 'yes',
        '/docsearch': 'not below the start',
        '/': 'not below the start',
        '/blog/docs/': 'not below the start',
      },
    ],
    ['https://site.example/docs', {}, { '/docs/a': 'yes', '/docs.html': 'not below the start' }],
    ['https://site.example/docs/start.html', {}, { '/docs/next.html': 'yes', '/other': 'not below the start' }],
    ['https://site.example/docs/v1.2', {}, { '/docs/v1.2/a': 'yes', '/docs/v1.3': 'not below the start' }],
    ['https://site.example/docs/', WHOLE, { '/blog': 'yes', '/': 'yes', 'https://docs.site.example/': 'another site' }],
    [
      'http://site.example/',
      {},
      {
        'https://site.example/a': 'yes',
        'https://www.site.example/a': 'yes',
        'https://site.example:8443/a': 'another site',
        'https://www.other.example/a': 'another site',
        'ftp://site.example/': 'not a web address',
        'mailto:a@site.example': 'not a web address',
      },
    ],
    [
      'https://www.site.co.uk/docs',
      SUBDOMAINS,
      {
        '/docs/a': 'yes',
        '/blog': 'not below the start',
        'https://blog.site.co.uk/a': 'yes',
        'https://a.b.site.co.uk/': 'yes',
        'https://other.co.uk/': 'another site',
        'https://evilsite.co.uk/': 'another site',
      },
    ],
    ['https://docs.site.example/', SUBDOMAINS, { 'https://blog.site.example/': 'yes', 'https://site.example/': 'yes' }],
    [
      'https://anna.github.io/',
      SUBDOMAINS,
      { 'https://ben.github.io/': 'another site', 'https://x.anna.github.io/': 'yes' },
    ],
    [
      'http://127.0.0.1:8080/',
      SUBDOMAINS,
      { '/a': 'yes', 'http://127.0.0.2:8080/': 'another site', 'http://127.0.0.1/': 'another site' },
    ],
    ['http://localhost/', SUBDOMAINS, { 'http://app.localhost/': 'yes', 'http://other/': 'another site' }],
    [
      'https://site.example/docs',
      EXTERNAL,
      {
        '/docs/a': 'yes',
        '/blog': 'not below the start',
        'https://other.example/a': 'external',
        'https://other.example/?p=1': 'external',
        'https://other.example/': 'home page of another site',
        'https://other.example': 'home page of another site',
        'https://other.example/a.png': 'not a page',
      },
    ],
    [
      'https://site.example/',
      { includePaths: ['^/blog/', 'news'] },
      { '/blog/a': 'yes', '/x/news/y': 'yes', '/a/blog/': 'not an included path', '/?blog/': 'not an included path' },
    ],
    [
      'https://site.example/',
      { excludePaths: ['^/tag/', '\\.php$'] },
      { '/tag/a': 'excluded path', '/a.php': 'excluded path', '/a.php?x': 'excluded path', '/tags': 'yes' },
    ],
    [
      'https://site.example/',
      { includePaths: ['/blog'], excludePaths: ['draft'] },
      { '/blog/a': 'yes', '/blog/draft': 'excluded path' },
    ],
    [
      'https://site.example/',
      { excludePaths: ['\\?'], regexOnFullURL: true },
      { '/a?b': 'excluded path', '/a': 'yes' },
    ],
    [
      'https://site.example/',
      { includePaths: ['site\\.example/a'], regexOnFullURL: true },
      { '/a': 'yes', '/b': 'not an included path' },
    ],
    [
      'https://site.example/',
      { includePaths: ['/über/', '/%C3%A4/'] },
      { '/über/a': 'yes', '/ä/': 'yes', '/%zz/': 'not an included path' },
    ],
    [
      'https://site.example/',
      { includePaths: ['^\\/blog\\/[0-9]{4}\\/'] },
      { '/blog/2024/a': 'yes', '/blog/a': 'not an included path' },
    ],
    [
      'https://site.example/',
      { ...EXTERNAL, includePaths: ['^/a'], excludePaths: ['x'] },
      { 'https://other.example/b': 'external', 'https://other.example/x': 'excluded path' },
    ],
    [
      'https://site.example/a/',
      { ...WHOLE, maxDepth: 2 },
      { '/': 'yes', '/a/b/': 'yes', '/a/b/index.html': 'yes', '/a/b/c': 'too deep a path' },
    ],
    ['https://site.example/', { maxDepth: 0 }, { '/': 'yes', '/index.php': 'yes', '/a': 'too deep a path' }],
    [
      'https://site.example/',
      {},
      {
        '/a.pdf': 'yes',
        '/a.docx': 'yes',
        '/feed.xml': 'yes',
        '/v1.2': 'yes',
        '/node.js/docs': 'yes',
        '/a.PNG': 'not a page',
        '/a.tar.gz': 'not a page',
        '/a.mp4?x=1': 'not a page',
        '/a.woff2': 'not a page',
        '/main.js': 'not a page',
        '/show?file=a.png': 'yes',
        [`/${'x'.repeat(3_000)}`]: 'too long',
      },
    ],
  ];

describe('the scope of a crawl', () => {
  for (const [start, options, addresses] of CASES) {
    for (const [address, expected] of Object.entries(addresses)) {
      const settings = Object.keys(options).length === 0 ? '' : ` with ${JSON.stringify(options)}`;
      test(`from ${start}${settings}: ${address.slice(0, 60)} is ${expected}`, async () => {
        assert.equal(await decide(start, options, address), expected);
      });
    }
  }

  test('ends after the maximum number of links from the start', async () => {
    const at = (depth: number) => decide('https://site.example/', { maxDiscoveryDepth: 2 }, '/a', { depth });
    assert.deepEqual([await at(0), await at(2), await at(3)], ['yes', 'yes', 'too many links from the start']);
    assert.equal(await decide('https://site.example/', {}, '/a', { depth: 1_000 }), 'yes');
  });

  test('ends one hop beyond the site', async () => {
    for (const address of ['https://other.example/a', '/a']) {
      const verdict = await decide('https://site.example/', EXTERNAL, address, { onExternalPage: true });
      assert.equal(verdict, 'found on another site');
    }
  });
});

describe('the regular expressions of a crawl', () => {
  for (const [pattern, message] of [
    ['[', /^"\[" in "excludePaths" is not a valid regular expression: missing closing \]/],
    ['a**', /"a\*\*" in "excludePaths".*invalid nested repetition/],
    ['^/(?!x)', /look-ahead and look-behind are not supported \(RE2 syntax\)\.$/],
    ['(a)\\1', /back-references are not supported/],
    ['x{2000}', /invalid repeat count/],
    ['x'.repeat(1_001), /is longer than 1000 characters. Split it\.$/],
    ['x{0,900}y{0,900}z{0,900}', /too complex together/],
    [`(?:${'x'.repeat(900)}){1000}`, /too complex together/],
    ['\\pL{900}', /too complex together/],
    [`(?i)[${'b-\uffff'.repeat(300)}]`, /too complex together/],
  ] as const) {
    test(`refuse ${pattern.slice(0, 20)}`, async () => {
      const wrong = decide('https://site.example/', { excludePaths: ['fine', pattern] }, '/a');
      await assert.rejects(wrong, trawlError('BAD_REQUEST', message));
    });
  }

  test('refuse more than 100', async () => {
    const patterns = Array.from({ length: 101 }, (_, n) => `x${n}`);
    await assert.rejects(
      decide('https://site.example/', { includePaths: patterns }, '/a'),
      trawlError('BAD_REQUEST', /"includePaths" has 101 patterns; the limit is 100/),
    );
    assert.equal(await decide('https://site.example/', { includePaths: patterns.slice(1) }, '/x100'), 'yes');
  });

  test('take time in proportion to the address', async () => {
    const scope = await createScope({
      ...DEFAULTS,
      url: new URL('https://site.example/'),
      excludePaths: ['(x+x+)+y', '(?:.*){1,500}!$', '\\pL{90}!'],
    });
    const url = new URL(`https://site.example/${'x'.repeat(200)}`);
    const start = process.cpuUsage();
    for (let i = 0; i < 20; i++) assert.equal(scope.decide({ url, depth: 1 }).admit, true);
    const { user } = process.cpuUsage(start);
    // 0.1 s here. Backtracking would never end.
    assert.ok(user < 10_000_000, `${user} µs`);
  });

  test('are not matched against an address that is too long for so many', async () => {
    const many = Array.from({ length: 100 }, (_, n) => `^/category-${n}/`);
    const [short, long] = [250, 600].map((length) => `/category-5/${'x'.repeat(length)}`);
    const verdicts = async (excludePaths: string[]) => [
      await decide('https://site.example/', { excludePaths }, `${short}`),
      await decide('https://site.example/', { excludePaths }, `${long}`),
    ];
    assert.deepEqual(await verdicts(many.slice(0, 10)), ['excluded path', 'excluded path']);
    assert.deepEqual(await verdicts(many), ['excluded path', 'too long for the patterns']);
  });
});
