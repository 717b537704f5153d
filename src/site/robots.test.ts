import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseRobots } from './robots.ts';

function isAllowed(file: string, path: string, agent = 'FooBot'): boolean {
  return parseRobots(file).rulesFor(agent).isAllowed(new URL(path, 'https://site.example/'));
}

/** A file, the paths it allows FooBot, and those it forbids. */
type Case = readonly [name: string, file: string, allowed: readonly string[], refused: readonly string[]];

function check(cases: readonly Case[]): void {
  for (const [name, file, allowed, refused] of cases) {
    test(name, () => {
      assert.deepEqual(
        allowed.filter((path) => !isAllowed(file, path)),
        [],
        'refused, and should be allowed',
      );
      assert.deepEqual(
        refused.filter((path) => isAllowed(file, path)),
        [],
        'allowed, and should be refused',
      );
    });
  }
}

describe('the groups of robots.txt', () => {
  const simple =
    'User-agent: FooBot\nDisallow: /foo\n\nUser-agent: BarBot\nDisallow: /bar\n\nUser-agent: *\nDisallow: /all';
  check([
    ['a file without rules allows everything', '', ['/', '/x?y'], []],
    ['only the group of the name is obeyed', simple, ['/bar', '/all', '/'], ['/foo', '/foo/x']],
    [
      'without a group for the name, the group for all is obeyed',
      'User-agent: X\nDisallow: /\nUser-agent: *\nDisallow: /all',
      ['/'],
      ['/all'],
    ],
    ['without either, everything is allowed', 'User-agent: X\nDisallow: /', ['/'], []],
    ['rules before the first name are ignored', 'Disallow: /\nUser-agent: FooBot\nDisallow: /x', ['/'], ['/x']],
    [
      'consecutive names share the rules',
      'User-agent: A\nUser-agent: FooBot\nUser-agent: B\nDisallow: /x',
      ['/'],
      ['/x'],
    ],
    [
      'groups of the same name are merged',
      'User-agent: FooBot\nDisallow: /a\nUser-agent: B\nDisallow: /b\nUser-agent: foobot\nDisallow: /c',
      ['/b'],
      ['/a', '/c'],
    ],
    [
      'groups for all are merged',
      'User-agent: *\nDisallow: /a\nUser-agent: B\nDisallow: /b\nUser-agent: *\nDisallow: /c',
      ['/b'],
      ['/a', '/c'],
    ],
    [
      'other records do not separate names from their rules',
      'User-agent: FooBot\nSitemap: https://site.example/s.xml\nCrawl-delay: 5\nUnknown: x\nUser-agent: B\nDisallow: /',
      [],
      ['/'],
    ],
    ['empty lines do not end a group', 'User-agent: FooBot\n\n\nDisallow: /x', ['/'], ['/x']],
    ['a group without rules allows everything', 'User-agent: *\nDisallow: /\nUser-agent: FooBot\nDisallow:', ['/'], []],
    ['the version after a name is ignored', 'User-agent: FooBot/2.1\nDisallow: /', [], ['/']],
    ['a longer name is a different one', 'User-agent: FooBot-News\nDisallow: /', ['/'], []],
    ['a shorter name is a different one', 'User-agent: Foo\nDisallow: /', ['/'], []],
    ['a name is read up to the first space', 'User-agent: FooBot News\nDisallow: /', [], ['/']],
    ['a star followed by text is a star', 'User-agent: * baz\nDisallow: /', [], ['/']],
  ]);

  test('are found whatever the case of the name, and whatever follows it', () => {
    for (const agent of ['foobot', 'FOOBOT', 'FooBot/1.0 (+https://foo.example)', ' FooBot']) {
      assert.equal(isAllowed('User-agent: fOObOT\nDisallow: /x', '/x', agent), false, agent);
    }
    assert.equal(isAllowed('User-agent: *\nDisallow: /x', '/x', ''), false);
    assert.equal(isAllowed('User-agent: MJ\nDisallow: /x', '/x', 'MJ12bot'), true);
  });
});

describe('the lines of robots.txt', () => {
  const lines = ['User-agent: FooBot', 'Disallow: /x', 'Allow: /x/y'];
  check([
    ...(['\n', '\r', '\r\n', '\n\n', '\r\n\r\n'] as const).map(
      (end): Case => [`may end in ${JSON.stringify(end)}`, lines.join(end), ['/', '/x/y'], ['/x', '/x/z']],
    ),
    ['may end in a mixture of these', 'User-agent: FooBot\r\nDisallow: /x\rAllow: /x/y\n', ['/x/y'], ['/x']],
    ['begin after a byte order mark', `\ufeff${lines.join('\n')}`, ['/'], ['/x']],
    ['may have white space around and inside', ' \tUser-agent :\tFooBot \n  Disallow :  /x  ', ['/'], ['/x']],
    ['are read in any case', 'USER-AGENT: FooBot\ndisAllow: /x\nALLOW: /x/Y', ['/x/Y', '/X'], ['/x', '/x/y']],
    [
      'may have comments',
      '# all\nUser-agent: FooBot # us\n#Disallow: /a\nDisallow: /x#no space\nDisallow: # nothing',
      ['/', '/a'],
      ['/x'],
    ],
    ['may lack the colon', 'User-agent FooBot\nDisallow /x\nDisallow /a /b', ['/a'], ['/x']],
    [
      'are understood when misspelt',
      'Useragent: FooBot\nDissallow: /a\nDisalow: /b\nDiasllow: /c',
      ['/'],
      ['/a', '/b', '/c'],
    ],
    ['of other kinds are ignored', 'foo: FooBot\nbar: /\n<html>\n:\n: /\nUser-agent\nDisallow', ['/'], []],
    [
      'may contain any bytes',
      'User-agent: FooBot\n\0\x01\ufffd: \ud800\nDisallow: /\ud800\nDisallow: /x',
      ['/'],
      ['/x'],
    ],
    ['are read up to 16,664 characters', `User-agent: FooBot\nDisallow: /x${' '.repeat(17_000)}y`, ['/'], ['/x']],
  ]);

  test('are read up to 500 KiB, without the incomplete last one', () => {
    const head = 'User-agent: FooBot\nDisallow: /first\n';
    const filler = `${'#'.repeat(99)}\n`.repeat(5_119);
    const file = `${head}${filler}Disallow: /last/and/longer${'\n#'.repeat(1_000)}`;
    assert.ok(head.length + filler.length < 500 * 1024);
    assert.equal(isAllowed(file, '/first'), false);
    assert.equal(isAllowed(file, '/last/and/longer'), false);
    const moved = file.replace('#\nDisallow', `${'#'.repeat(500 * 1024 - head.length - filler.length - 10)}\nDisallow`);
    assert.equal(isAllowed(moved, '/first'), false);
    assert.equal(isAllowed(moved, '/last/and/longer'), true);
    assert.equal(isAllowed(moved, '/l'), true);
  });
});

describe('the rules of robots.txt', () => {
  const rules = (...lines: string[]) => `User-agent: *\n${lines.join('\n')}`;
  check([
    ['have case-sensitive paths', rules('Disallow: /X'), ['/x'], ['/X']],
    [
      'match from the start of the path',
      rules('Disallow: /fish'),
      ['/Fish.asp', '/catfish', '/?id=fish', '/desert/fish'],
      ['/fish', '/fish.html', '/fish/salmon.html', '/fishheads', '/fish.php?id=anything'],
    ],
    [
      'with a slash at the end match everything below',
      rules('Disallow: /fish/'),
      ['/fish', '/fish.html', '/animals/fish/'],
      ['/fish/', '/fish/?id=anything', '/fish/salmon.htm'],
    ],
    [
      'that are the longest win',
      rules('Allow: /x/page.html', 'Disallow: /x/'),
      ['/x/page.html'],
      ['/x/', '/x/page.htm'],
    ],
    ['that are the longest win in any order', rules('Disallow: /x/page.html', 'Allow: /x/'), ['/x/'], ['/x/page.html']],
    [
      'allow when as long as one that disallows',
      rules('Disallow: /x', 'Allow: /x', 'Disallow: /'),
      ['/x', '/x/y'],
      ['/'],
    ],
    ['without a value are ignored', rules('Disallow:', 'Allow:', 'Disallow: /x'), ['/'], ['/x']],
    ['for everything exempt the file itself', rules('Disallow: /'), ['/robots.txt'], ['/', '/x/robots.txt']],
    ['that begin without a slash match nothing', rules('Disallow: x', 'Disallow: x/y'), ['/x', '/x/y'], []],
    [
      'may name a query',
      rules('Disallow: /*?', 'Allow: /search?q=ok$'),
      ['/a', '/search?q=ok'],
      ['/a?', '/a?b', '/search?q=no'].slice(1),
    ],
    [
      'may use * for any characters',
      rules('Disallow: /*.php'),
      ['/', '/windows.PHP'],
      ['/index.php', '/filename.php', '/folder/filename.php?parameters', '/filename.php/'],
    ],
    ['may have several *', rules('Disallow: /a*b**c*'), ['/ab', '/acb'], ['/abc', '/aXbXc', '/abbcc/d']],
    ['may begin with *', rules('Disallow: */private'), ['/private'.slice(0, 4)], ['/private', '/x/private/y']],
    ['may end with *', rules('Disallow: /fish*'), ['/Fish'], ['/fish', '/fish/x']],
    [
      'end with the address at $',
      rules('Disallow: /*.php$'),
      ['/f.php?x', '/f.php/', '/f.php5', '/windows.PHP'],
      ['/f.php', '/a/f.php'],
    ],
    ['treat $ literally elsewhere', rules('Disallow: /a$b', 'Disallow: /$'), ['/a', '/b'], ['/a$b', '/a$bc', '/']],
    ['do not let the end overlap what was matched', rules('Disallow: /ab*b$'), ['/ab'], ['/abb', '/abab']],
    ['find a later end', rules('Disallow: /*a$'), ['/ab'], ['/aba', '/aa']],
    ['count * and $ in their length', rules('Allow: /page', 'Disallow: /*.htm'), ['/page'], ['/page.htm']],
  ]);

  const equal: readonly (readonly [pattern: string, path: string])[] = [
    // The table of RFC 9309 section 2.2.2.
    ['/foo/bar?baz=quz', '/foo/bar?baz=quz'],
    ['/foo/bar?baz=https://foo.bar', '/foo/bar?baz=https%3A%2F%2Ffoo.bar'],
    ['/foo/bar?baz=https%3A%2F%2Ffoo.bar', '/foo/bar?baz=https://foo.bar'],
    ['/foo/bar/\u30c4', '/foo/bar/%E3%83%84'],
    ['/foo/bar/%E3%83%84', '/foo/bar/\u30c4'],
    ['/foo/bar/%62%61%7A', '/foo/bar/baz'],
    ['/foo/bar/baz', '/foo/bar/%62%61%7A'],
    // Section 2.2.3: special characters that are meant literally.
    ['/path/file-with-a-%2A.html', '/path/file-with-a-*.html'],
    ['/path/foo-%24', '/path/foo-$'],
    ['/a%2fb', '/a%2Fb'],
    ['/a b', '/a%20b'],
    ['/über', '/%c3%bcber'],
    ['/%', '/%'],
    ['/%zz', '/%zz'],
    ['/*=http://', '/x?u=http://y'],
  ];
  test('compare characters however they are encoded', () => {
    for (const [pattern, path] of equal) assert.equal(isAllowed(rules(`Disallow: ${pattern}`), path), false, pattern);
  });

  test('distinguish reserved characters from their encoding', () => {
    assert.equal(isAllowed(rules('Disallow: /a%2Fb'), '/a/b'), true);
    assert.equal(isAllowed(rules('Disallow: /a/b'), '/a%2Fb'), true);
    assert.equal(isAllowed(rules('Disallow: /a%2A'), '/ab'), true);
  });

  test('take time in proportion to the address, whatever the pattern', () => {
    const path = `/${'a'.repeat(8_000)}`;
    const hostile = rules(
      `Disallow: /${'*a'.repeat(8_000)}b`,
      `Disallow: /${'a*'.repeat(4_000)}$`,
      `Disallow: *${'a'.repeat(4_000)}b`,
    );
    const { isAllowed: check } = parseRobots(hostile).rulesFor('FooBot');
    const url = new URL(path, 'https://site.example/');
    const start = process.cpuUsage();
    for (let i = 0; i < 100; i++) check(url);
    const { user } = process.cpuUsage(start);
    // 10 ms here. Backtracking would never end.
    assert.ok(user < 2_000_000, `${user} µs`);
  });
});

describe('other records of robots.txt', () => {
  test('list the sitemaps, wherever they are', () => {
    const file = `Sitemap: https://site.example/a.xml
User-agent: FooBot
Disallow: /x
SITEMAP :  /b.xml # relative
Sitemap:
Site-map: https://other.example/c.xml?x=1&y=2`;
    assert.deepEqual(parseRobots(file).sitemaps, [
      'https://site.example/a.xml',
      '/b.xml',
      'https://other.example/c.xml?x=1&y=2',
    ]);
    assert.equal(isAllowed(file, '/x'), false);
    assert.equal(parseRobots('Sitemap: /x\n'.repeat(5_000)).sitemaps.length, 1_000);
  });

  for (const [value, expected] of [
    ['10', 10],
    ['0.5', 0.5],
    ['2s', 2],
    ['0', 0],
    ['999999', 86_400],
    ['-1', undefined],
    ['soon', undefined],
    ['1e9', undefined],
    ['', undefined],
  ] as const) {
    test(`reads "Crawl-delay: ${value}"`, () => {
      const rules = parseRobots(
        `User-agent: FooBot\nCrawl-delay: ${value}\nDisallow: /x\nUser-agent: *\nCrawl-delay: 7`,
      ).rulesFor('FooBot');
      assert.equal(rules.crawlDelay, expected);
    });
  }

  test('assign each of several names the delay that follows it', () => {
    const robots = parseRobots('User-agent: A\nCrawl-delay: 5\nUser-agent: B\nCrawl-delay: 7\nDisallow: /x');
    assert.deepEqual(
      ['A', 'B'].map((agent) => robots.rulesFor(agent).crawlDelay),
      [5, 7],
    );
  });

  test('assign only the delay of the group', () => {
    const robots = parseRobots('User-agent: *\nCrawl-delay: 7\nDisallow: /a\nUser-agent: FooBot\nDisallow: /b');
    assert.equal(robots.rulesFor('FooBot').crawlDelay, undefined);
    assert.equal(robots.rulesFor('Other').crawlDelay, 7);
  });
});
