import { Random } from './random.ts';

/** A mutation of a page. */
export interface Mutation {
  name: string;
  /** Returns the same bytes for the same page each time, and leaves the page itself unchanged. */
  apply(page: Buffer): Buffer;
}

/** Treats each byte of the page as a character, so that untouched parts keep their bytes in any charset. */
type Spoil = (page: string, random: Random) => string;

const TAG = /<\/?[a-z][^>]*>/gi;
const END_TAG = /<\/[a-z][^>]*>/gi;
const START_TAG = /<[a-z][^>]*>/gi;

const SPOILS: Readonly<Record<string, Spoil>> = {
  'truncated at any byte': (page, random) => page.slice(0, random.below(page.length)),
  'truncated inside a tag': (page, random) => {
    const tag = page.indexOf('<', random.below(page.length));
    return page.slice(0, tag === -1 ? undefined : tag + 1 + random.below(30));
  },
  'without its beginning': (page, random) => page.slice(random.below(page.length)),
  'with a piece missing': (page, random) => {
    const from = random.below(page.length);
    return page.slice(0, from) + page.slice(from + random.below(page.length / 4));
  },
  'in another order': (page, random) => {
    const cut = [random.below(page.length), random.below(page.length)].sort((a, b) => a - b);
    return page.slice(cut[1]) + page.slice(cut[0], cut[1]) + page.slice(0, cut[0]);
  },
  'twice over': (page) => page + page,

  'with bits flipped': (page, random) => {
    const bytes = Buffer.from(page, 'latin1');
    for (let count = 1 + bytes.length / 100; count > 0; count--) {
      const at = random.below(bytes.length);
      bytes[at] = (bytes[at] ?? 0) ^ (1 << random.below(8));
    }
    return bytes.toString('latin1');
  },
  'with a kilobyte of noise': (page, random) => insert(page, random, noise(random, 1024)),
  'with control characters': (page, random) =>
    sprinkle(page, random, () => String.fromCharCode(random.pick([0, 0, 1, 8, 11, 12, 13, 27, 127, 0x85]))),
  'with broken UTF-8': (page, random) =>
    sprinkle(page, random, () =>
      random.pick(['\x80', '\xff\xfe', '\xc0\xaf', '\xed\xa0\x80', '\xf4\x90\x80\x80', '\xe2\x82']),
    ),
  'with a wrong charset declared': (page, random) => {
    const charset = random.pick([
      'utf-16',
      'windows-1251',
      'shift_jis',
      'gb18030',
      'utf-7',
      'x-user-defined',
      'no-such',
    ]);
    return `<meta charset="${charset}">${page}`;
  },
  'in UTF-16, declared as UTF-8': (page, random) => {
    const mark = random.pick(['', '\ufeff']);
    return Buffer.from(`${mark}<meta charset="utf-8">${page}`, 'utf16le').toString('latin1');
  },

  'without end tags': (page) => page.replace(END_TAG, ''),
  'without some tags': (page, random) => page.replace(TAG, (tag) => (random.next() < 0.3 ? '' : tag)),
  'without some start tags': (page, random) => page.replace(START_TAG, (tag) => (random.next() < 0.3 ? '' : tag)),
  'with tags doubled': (page, random) => page.replace(TAG, (tag) => (random.next() < 0.3 ? tag + tag : tag)),
  'with end tags in another order': (page, random) => {
    const tags = page.match(END_TAG) ?? [];
    for (let at = tags.length - 1; at > 0; at--) {
      const other = random.below(at + 1);
      [tags[at], tags[other]] = [tags[other] ?? '', tags[at] ?? ''];
    }
    return page.replace(END_TAG, () => tags.pop() ?? '');
  },
  'with tags crossed': (page, random) =>
    page.replace(START_TAG, (tag) => (random.next() < 0.2 ? `<b>${tag}<i></b>` : tag)),
  'with tags never closed by >': (page, random) => page.replace(/>/g, (mark) => (random.next() < 0.05 ? '' : mark)),
  'in capitals': (page) => page.replace(TAG, (tag) => tag.toUpperCase()),

  'without some attribute quotes': (page, random) => page.replace(/["']/g, (mark) => (random.next() < 0.3 ? '' : mark)),
  'with other attribute quotes': (page, random) => page.replace(/"/g, (mark) => (random.next() < 0.3 ? "'" : mark)),
  'with an attribute of a megabyte': (page, random) => inTag(page, random, ` data-x="${'x'.repeat(1_000_000)}"`),
  'with two thousand attributes': (page, random) => {
    const attributes = Array.from({ length: 2000 }, (_, at) => ` data-${at}=${at}`);
    return inTag(page, random, attributes.join(''));
  },
  'with addresses that are none': (page, random) =>
    page.replace(/(href|src)=(["'])[^"']*\2/gi, (_, name: string) => {
      const bad = random.pick([
        'http://[',
        'http://a b/',
        '//',
        'javascript:0',
        'data:,',
        '\\\\',
        'http://%00/',
        '?'.repeat(5000),
      ]);
      return `${name}="${bad}"`;
    }),
  'with a base address that is none': (page, random) =>
    `<base href="${random.pick(['http://[', 'javascript:0', 'data:text/html,x', '//', ':'])}">${page}`,

  'with something opened and never closed': (page, random) => {
    const opening = random.pick([
      '<!--',
      '<![CDATA[',
      '<!doctype ',
      '<?php ',
      '<script>',
      '<style>',
      '<textarea>',
      '<title>',
      '<plaintext>',
      '<xmp>',
      '<template>',
      '<noscript>',
      '<iframe>',
      '<select>',
      '<svg>',
      '<math>',
      '<table>',
      '<pre>',
      '<a href="',
      '<p title="',
    ]);
    return insert(page, random, opening);
  },
  'with character references that are none': (page, random) =>
    sprinkle(page, random, () =>
      random.pick(['&', '&#', '&#x', '&#xD800;', '&#x110000;', '&#0;', '&nosuch;', '&amp', '&#99999999999;']),
    ),
  'with broken structured data': (page, random) => {
    const json = `{"@context":"https://schema.org","@graph":${'[{"@graph":'.repeat(1000)}"x${noise(random, 20)}`;
    return insert(page, random, `<script type="application/ld+json">${json}</script>`);
  },
  'with five hundred elements inside each other': (page, random) => {
    const [open, close] = random.pick([
      ['<div>', '</div>'],
      ['<ul><li>', '</li></ul>'],
      ['<blockquote>', '</blockquote>'],
      ['<b>', '</b>'],
      ['<table><tr><td>', '</td></tr></table>'],
      ['<dl><dd>', '</dd></dl>'],
      ['<a href="/">', '</a>'],
      ['<svg>', '</svg>'],
    ]);
    return insert(page, random, open.repeat(500), close.repeat(random.pick([500, 499, 0])));
  },

  'as white space alone': () => ' \n\t\r\n'.repeat(100),
  'as nothing': () => '',
};

/**
 * Every mutation, once. All are cheap and leave something of the page; `giantPages` has the expensive ones. Another
 * seed cuts, flips and inserts elsewhere.
 */
export function* mutations(seed: number): Generator<Mutation> {
  for (const [at, [name, spoil]] of Object.entries(SPOILS).entries()) {
    yield {
      name: `${name} (seed ${seed})`,
      apply: (page) => Buffer.from(spoil(page.toString('latin1'), new Random(seed * 1009 + at)), 'latin1'),
    };
  }
}

/** Inserts at a random position; pairs go around a random part. */
function insert(page: string, random: Random, before: string, after = ''): string {
  const from = random.below(page.length);
  const to = from + random.below(page.length - from);
  return page.slice(0, from) + before + page.slice(from, to) + after + page.slice(to);
}

/** Inserts some hundred pieces all over the page. */
function sprinkle(page: string, random: Random, piece: () => string): string {
  const positions = Array.from({ length: 200 }, () => random.below(page.length)).sort((a, b) => a - b);
  return (
    positions.map((position, at) => page.slice(positions[at - 1] ?? 0, position) + piece()).join('') +
    page.slice(positions.at(-1))
  );
}

/** Adds to a random start tag, or puts one before everything where there is none. */
function inTag(page: string, random: Random, attributes: string): string {
  const tags = Array.from(page.matchAll(/<[a-z][a-z0-9]*/gi));
  const tag = tags[random.below(tags.length)];
  if (!tag) return `<p${attributes}>${page}`;
  const end = tag.index + tag[0].length;
  return page.slice(0, end) + attributes + page.slice(end);
}

function noise(random: Random, length: number): string {
  return Array.from({ length }, () => String.fromCharCode(random.below(256))).join('');
}
