import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { compilePatterns } from '../site/path-patterns.ts';
import type { CrawlParams } from './crawl-params.ts';
import { paramsFromWords } from './params-from-words.ts';

/** Paths that the patterns admit, and paths that they refuse. */
interface Expected extends Omit<CrawlParams, 'includePaths' | 'excludePaths'> {
  includes?: readonly string[];
  excludes?: readonly string[];
}

const BLOG = '/blog/a-post';
const DOCS = '/docs/start';
const TAG = '/tag/boats';
const PRODUCT = '/products/12';

const CASES: Readonly<Record<string, Expected>> = {
  // Limits.
  'at most 20': { limit: 20 },
  'At most 1,000 pages.': { limit: 1_000 },
  'no more than 5k urls': { limit: 5_000 },
  'Crawl the first 50 pages': { limit: 50 },
  'get 100 pages of the blog': { limit: 100, includes: [BLOG] },
  'only 10 pages': { limit: 10 },
  'höchstens 1.000 Seiten': { limit: 1_000 },
  'au plus 30 pages': { limit: 30 },
  'hasta 30 páginas': { limit: 30 },
  // Depths.
  'no more than 3 levels deep': { maxDiscoveryDepth: 3 },
  'two clicks from the start, 50 pages': { maxDiscoveryDepth: 2, limit: 50 },
  'depth of 4': { maxDiscoveryDepth: 4 },
  'maximal zwei Ebenen tief': { maxDiscoveryDepth: 2 },
  // Delays.
  'wait 2 seconds between pages': { delay: 2 },
  'with a delay of 0.5 s, at most 20': { delay: 0.5, limit: 20 },
  '500 ms between requests': { delay: 0.5 },
  'one page every 2 minutes': { delay: 120 },
  // Switches.
  'including subdomains': { allowSubdomains: true },
  'Crawl the whole site with all subdomains': { crawlEntireDomain: true, allowSubdomains: true },
  'no subdomains please': { allowSubdomains: false },
  "don't follow external links": { allowExternalLinks: false },
  'follow external links too': { allowExternalLinks: true },
  'ignore query parameters': { ignoreQueryParameters: true },
  'skip the sitemap': { sitemap: 'skip' },
  'use the sitemap': { sitemap: 'include' },
  'ignore robots.txt': { ignoreRobotsTxt: true },
  'respect robots.txt': { ignoreRobotsTxt: false },
  'no duplicates': { deduplicateSimilarURLs: true },
  'die ganze Website ohne Subdomains': { crawlEntireDomain: true, allowSubdomains: false },
  'tout le site, sans sous-domaines': { crawlEntireDomain: true, allowSubdomains: false },
  'todo el sitio con subdominios': { crawlEntireDomain: true, allowSubdomains: true },
  // Parts of the site.
  'only the blog': { includes: [BLOG, '/en/blog'] },
  'docs pages': { includes: [DOCS, '/documentation/'] },
  'Only crawl the documentation and the blog.': { includes: [DOCS, BLOG] },
  'not the tags': { excludes: [TAG, '/tags'] },
  'the blog, but not the tags': { includes: [BLOG], excludes: [TAG] },
  'skip tags, categories and authors': { excludes: [TAG, '/category/x', '/author/anna'] },
  'everything except the login pages': { excludes: ['/login'] },
  'only blog posts about boats': { includes: [BLOG] },
  'Crawl the docs. Exclude the blog and login, at most 20 pages': {
    includes: [DOCS],
    excludes: [BLOG, '/login'],
    limit: 20,
  },
  'nur die Produktseiten, ohne den Blog': { includes: [PRODUCT], excludes: [BLOG] },
  'seulement le blog, sauf les archives': { includes: [BLOG], excludes: ['/archives/2020'] },
  'solo noticias': { includes: ['/noticias/x'] },
  'pages under /guides/start and not /guides/old/*': {
    includes: ['/guides/start', '/guides/start/x'],
    excludes: ['/guides/old/x'],
  },
  'only /a.b/': { includes: ['/a.b/c'] },
  'skip the sitemap and the blog': { sitemap: 'skip', excludes: [BLOG] },
  'no duplicates, the blog': { deduplicateSimilarURLs: true, includes: [BLOG] },
  'including subdomains and the blog': { allowSubdomains: true, includes: [BLOG] },
  'ignore query parameters, docs only': { ignoreQueryParameters: true, includes: [DOCS] },
  'ignore robots.txt, crawl the docs': { ignoreRobotsTxt: true, includes: [DOCS] },
  // Words that are not understood set no options.
  '': {},
  'Find the price of the blue boat': {},
  'Extract product names and prices': {},
  'What does the company do?': {},
  'not only the blog': {},
  'the top 3 competitors of 2024': {},
  'Tell me about version 2.5 of the api client library': {},
  'crawl https://site.example/blog/only/docs': {},
  '¿Qué?': {},
};

describe('options from words', () => {
  for (const [words, { includes = [], excludes = [], ...expected }] of Object.entries(CASES)) {
    test(`"${words}"`, async () => {
      const { includePaths = [], excludePaths = [], ...params } = paramsFromWords(words);
      assert.deepEqual(params, expected);
      assert.equal(includePaths.length > 0, includes.length > 0, `includes ${includePaths}`);
      assert.equal(excludePaths.length > 0, excludes.length > 0, `excludes ${excludePaths}`);
      const included = await compilePatterns('includePaths', includePaths);
      const excluded = await compilePatterns('excludePaths', excludePaths);
      for (const path of includes) assert.ok(included.isFoundIn(path), `${includePaths} does not include ${path}`);
      for (const path of excludes) assert.ok(excluded.isFoundIn(path), `${excludePaths} does not exclude ${path}`);
      for (const path of ['/', '/a.bc', '/blogger', '/about/docsearch', '/guides/startled']) {
        assert.ok(!included.isFoundIn(path) && !excluded.isFoundIn(path), path);
      }
    });
  }

  test('take time in proportion to the words', () => {
    const prompts = [
      'only ',
      'a',
      '1',
      '1,000 ',
      'not a b c ',
      '/a',
      '/*',
      'wait ',
      "n't ",
      'no more than 1 ',
      'at most 1 x ',
    ];
    const start = process.cpuUsage();
    for (const words of prompts) paramsFromWords(words.repeat(10_000 / words.length));
    const { user } = process.cpuUsage(start);
    // 0.1 s here.
    assert.ok(user < 5_000_000, `${user} µs`);
  });
});
