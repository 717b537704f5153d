import { Random } from '../../test/support/random.ts';

/**
 * A site of any size that takes no space: each page is generated from its number, the same every time. Pages form a
 * tree, so that all are found from the first one, and most of their links lead to pages that others have linked to
 * already.
 */

/** Links from each page to pages below it in the tree. */
const BRANCHES = 8;
/** Links to pages anywhere in the site. */
const RELATED = 12;
/** Links that are on every page. */
const MENU = 20;
const PARAGRAPHS = 16;
const SENTENCES = 5;

/**
 * Plain words, because an address with a digit is counted by its shape, and a crawl takes at most 100,000 of one shape.
 */
const SECTIONS = [
  ...[
    'archive',
    'arts',
    'books',
    'cities',
    'climate',
    'culture',
    'design',
    'economy',
    'energy',
    'europe',
    'film',
    'food',
  ],
  ...[
    'gardens',
    'guides',
    'health',
    'history',
    'housing',
    'ideas',
    'labour',
    'law',
    'letters',
    'local',
    'media',
    'money',
  ],
  ...[
    'music',
    'nature',
    'opinion',
    'people',
    'politics',
    'reports',
    'science',
    'society',
    'sport',
    'stories',
    'theatre',
  ],
  ...['towns', 'trade', 'travel', 'weather', 'world'],
] as const;
const WORDS = (
  'river market stone winter letter garden council bridge morning engine paper harvest school doctor village winner ' +
  'summer office travel budget silver theatre record signal forest minister number answer island railway copper reader'
).split(' ');
const STOPS = 'the of a in and to for with from by on after before under'.split(' ');
const LINES = sentences();

/** The address of a page, from the root of its site. */
export function pagePath(number: number): string {
  if (number === 0) return '';
  const random = new Random(number);
  const title = Array.from({ length: 4 }, () => wordOf(random)).join('-');
  return `${SECTIONS[number % SECTIONS.length]}/${title}-${number}`;
}

/** The number at the end of a path from `pagePath`; undefined when it is not a page of the site. */
export function pageNumber(path: string, pages: number): number | undefined {
  const number = path === '' ? 0 : Number(/-(\d+)$/.exec(path)?.[1]);
  return number < pages && pagePath(number) === path ? number : undefined;
}

/**
 * A page of 10 to 20 KB.
 *
 * @param root of the site, with a slash at the end
 */
export function makePage(root: string, number: number, pages: number): string {
  const random = new Random(number + 1_000_000_007);
  const title = LINES[random.below(LINES.length)];
  const link = (to: number) => `<li><a href="${root}${pagePath(to)}">${LINES[to % LINES.length]}</a></li>`;
  const menu = Array.from({ length: MENU }, (_, index) => index);
  const below = Array.from({ length: BRANCHES }, (_, branch) => number * BRANCHES + branch + 1);
  const related = Array.from({ length: RELATED }, () => random.below(pages));
  const list = (numbers: readonly number[]) =>
    `<ul>${numbers
      .filter((to) => to < pages)
      .map(link)
      .join('')}</ul>`;
  const length = PARAGRAPHS + random.below(PARAGRAPHS);
  const paragraphs = Array.from({ length }, () => {
    const lines = Array.from({ length: SENTENCES }, () => LINES[random.below(LINES.length)]);
    return `<p>${lines.join(' ')}</p>`;
  });
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title>
<meta name="description" content="${LINES[number % LINES.length]}"></head><body>
<header><nav>${list(menu)}</nav></header>
<main><article><h1>${title}</h1>${paragraphs.join('\n')}</article></main>
<aside><h2>Related</h2>${list(related)}</aside>
<footer><h2>More</h2>${list(below)}<p>Page ${number}</p></footer></body></html>`;
}

function sentences(): string[] {
  const random = new Random(1);
  return Array.from({ length: 500 }, () => {
    const words = Array.from({ length: 7 }, () => `${STOPS[random.below(STOPS.length)]} ${wordOf(random)}`).join(' ');
    return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
  });
}

function wordOf(random: Random): string {
  return WORDS[random.below(WORDS.length)] ?? '';
}
