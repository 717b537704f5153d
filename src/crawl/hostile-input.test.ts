import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Random } from '../../test/support/random.ts';
import { LinkRanking } from '../map/rank.ts';
import { addressKey } from '../site/addresses.ts';
import { compilePatterns } from '../site/path-patterns.ts';
import { parseRobots } from '../site/robots.ts';
import { createScope } from '../site/scope.ts';
import { SitemapParser } from '../site/sitemap-parser.ts';
import { paramsFromWords } from './params-from-words.ts';
import { countedShape, ShapeLimits, trapOf } from './traps.ts';

/** Pieces that are meaningful to one of the parsers, and some that are meaningful to none. */
const PIECES = (
  'User-agent: * Disallow: Allow: Crawl-delay: Sitemap: / // /a /*$ $ * % %zz %2F %C3 %2525 ? ?a=b &a[]=1 # #! ; : @ .. . ' +
  '<url> </url> <loc> </loc> <urlset> <sitemap> <item> <link <entry <![CDATA[ ]]> <!-- --> &amp; &#0; &#x110000; < > " ' +
  'only not 5 1,000 pages seconds levels blog 2024-05 20240506 calendar page jsessionid=1 index.html www. http:// file: ' +
  '\ud800 \udfff \0 \ufeff ü 東 \u202e 😀'
).split(' ');

function randomText(random: Random): string {
  const separators = ['', '', ' ', '\n', '\r', '\t'] as const;
  let text = '';
  for (let left = random.below(40); left > 0; left--)
    text += `${PIECES[random.below(PIECES.length)]}${random.pick(separators)}`;
  return text;
}

describe('the input of a crawl', () => {
  test('never causes an error, however odd', async () => {
    const random = new Random(1);
    const scope = await createScope({
      url: new URL('https://site.example/a/'),
      crawlEntireDomain: false,
      allowSubdomains: true,
      allowExternalLinks: true,
      includePaths: ['a'],
      excludePaths: ['b'],
      regexOnFullURL: false,
    });
    const limits = new ShapeLimits();
    const rules = parseRobots('User-agent: *\nDisallow: /*b*a$').rulesFor('Trawl');
    for (let n = 0; n < 5_000; n++) {
      const text = randomText(random);
      const url = URL.parse(text, 'https://site.example/a/') ?? new URL('https://site.example/');
      parseRobots(text).rulesFor(text).isAllowed(url);
      rules.isAllowed(url);
      const sitemap = new SitemapParser('https://site.example/sitemap.xml');
      for (let at = 0; at < text.length; at += 7) sitemap.write(text.slice(at, at + 7));
      sitemap.end(true);
      for (const entry of sitemap.take().entries) assert.match(entry.url, /^https?:\/\//);
      assert.equal(addressKey(url, { ignoreQueryParameters: false, deduplicateSimilarURLs: true }).length, 22);
      scope.decide({ url, depth: 1 });
      trapOf(url);
      const shape = countedShape(url);
      if (shape !== null) limits.add(shape);
      const { includePaths = [], excludePaths = [] } = paramsFromWords(text);
      await compilePatterns('includePaths', [...includePaths, ...excludePaths]);
      const ranking = new LinkRanking(text, 1);
      ranking.add({ url: text, title: text });
      assert.equal(ranking.best().length, 1);
    }
  });
});
