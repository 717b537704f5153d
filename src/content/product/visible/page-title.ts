import { lettersOf } from '../../letters.ts';
import { HEADING } from '../../tree/tags.ts';
import { Name } from './box-names.ts';
import { type Box, outward, type PageBoxes, shownText } from './page-boxes.ts';

/** What the page calls itself, from its head. */
export interface HeadTitles {
  /** `<title>`. */
  titles: readonly string[];
  /** `og:title` and `twitter:title`. */
  socialTitles: readonly string[];
  siteName: string | undefined;
}

/** What stands between the name of a product and that of its shop in `<title>`. */
const SEPARATOR = /\s+[-–—|·•:»/]+\s+|\s*\|\s*/;
const MAX_TITLE = 300;
const MIN_LETTERS = 2;
/** Real pages have one, some of them ten. */
const MAX_HEADINGS = 100;
/** One for each width of the window. */
const MAX_SAME = 4;
/** A shorter beginning of a title is a word. */
const MIN_START = 8;
/** Elements that are looked at for a title where there is no heading of the first level. */
const MAX_LINES = 2_000;
/** Characters between a title and the button below it. */
const MAX_ABOVE = 1_500;

/**
 * The heading that names what a page is about, more than once where it is there for narrow and for wide windows: of the
 * headings of the first level the one that the head names too, else the one that is named as a product's title, else the
 * first; without any, the first line that the head has as title.
 */
export function findTitles(page: PageBoxes, head: HeadTitles): Box[] {
  const own = namesIn(head);
  const site = lettersOf(head.siteName);
  const headings = page.headings
    .slice(0, MAX_HEADINGS)
    .map((box) => ({ box, letters: lettersOf(shownText(box, MAX_TITLE)) }))
    .filter(({ letters }) => letters.length >= MIN_LETTERS && letters !== site);
  const whole = lettersOf(head.titles[0]);
  const named =
    headings.find(({ letters }) => own.has(letters)) ?? headings.find(({ box }) => (box.names & Name.Title) !== 0);
  const smaller = named ? undefined : smallerHeading(page, own);
  if (smaller) return [smaller];
  const first =
    named ??
    headings.find(({ letters }) => whole.includes(letters)) ??
    headings.find(({ box }) => !isApart(box)) ??
    headings[0];
  if (first) {
    const same = headings.filter(({ letters }) => letters === first.letters);
    return same.slice(0, MAX_SAME).map(({ box }) => box);
  }
  const line = titleLine(page, own);
  return line ? [line] : [];
}

/** Titles of the head with and without what shops add, as `lettersOf` writes them. */
function namesIn({ titles, socialTitles, siteName }: HeadTitles): Set<string> {
  const all = [...socialTitles, ...titles.slice(0, 1)].map((title) => title.slice(0, MAX_TITLE));
  const names = new Set([...all, ...all.map((title) => title.split(SEPARATOR)[0])].map(lettersOf));
  names.delete('');
  names.delete(lettersOf(siteName));
  return names;
}

/** A heading of a lower level that the head names: the first level may be the shop's or that of a group. */
function smallerHeading({ lines }: PageBoxes, names: ReadonlySet<string>): Box | undefined {
  const line = lines
    .slice(0, MAX_LINES)
    .find(({ text, box }) => (box.element.bits & HEADING) !== 0 && names.has(lettersOf(text)) && !isApart(box));
  return line?.box;
}

/** The first line that is a title of the head, else one that a title starts with: `Tea kettle` of `Tea kettle on Shop`. */
function titleLine({ lines }: PageBoxes, names: ReadonlySet<string>): Box | undefined {
  const candidates = lines
    .slice(0, MAX_LINES)
    .filter(({ text, box }) => text.length <= MAX_TITLE && !isApart(box))
    .map(({ text, box }) => ({ letters: lettersOf(text), box }))
    .filter(({ letters }) => letters.length >= MIN_LETTERS);
  const starts = (letters: string) => [...names].some((name) => name.startsWith(letters));
  const line =
    candidates.find(({ letters }) => names.has(letters)) ??
    candidates.find(({ letters, box }) => (box.names & Name.Title) !== 0 && starts(letters)) ??
    candidates.find(({ letters }) => letters.length >= MIN_START && starts(letters));
  return line?.box;
}

/** The heading above the button to buy, on a page whose head names something else. */
export function titleAbove({ lines }: PageBoxes, button: Box | undefined): Box[] {
  if (button === undefined) return [];
  const above = lines.findLast(
    ({ start, text, box }) =>
      start <= button.start &&
      button.start - start <= MAX_ABOVE &&
      text.length <= MAX_TITLE &&
      ((box.element.bits & HEADING) !== 0 || (box.names & Name.Title) !== 0) &&
      !isApart(box),
  );
  return above ? [above.box] : [];
}

const APART = Name.Breadcrumbs | Name.Navigation | Name.Cart | Name.Overlay | Name.Related | Name.Sticky;
const TAGS_APART = new Set(['nav', 'footer', 'button', 'aside']);

function isApart(box: Box): boolean {
  for (const { names, element } of outward(box))
    if ((names & APART) !== 0 || TAGS_APART.has(element.name))
      return element.name !== 'body' && element.name !== 'html';
  return false;
}
