import { lettersOf } from '../../letters.ts';
import { HEADING } from '../../tree/tags.ts';
import { Name } from './box-names.ts';
import { type Box, outward, type PageBoxes, shownText } from './page-boxes.ts';

/** The titles in the head of the page. */
export interface HeadTitles {
  /** `<title>`. */
  titles: readonly string[];
  /** `og:title` and `twitter:title`. */
  socialTitles: readonly string[];
  siteName: string | undefined;
}

/** Separates the product name from the shop name in `<title>`. */
const SEPARATOR = /\s+[-–—|·•:»/]+\s+|\s*\|\s*/;
/** The address of a home page. */
const HOME = /^(?:https?:\/\/[^/]+)?\/?(?:[?#]|$)/i;
const MAX_TITLE = 300;
const MIN_LETTERS = 2;
/** The most headings to look at. Real pages have one, some have ten. */
const MAX_HEADINGS = 100;
/** The most copies of one heading. Pages repeat it for different window widths. */
const MAX_SAME = 4;
/** Minimum letters of a line that is only the start of a title. A shorter one could be any word. */
const MIN_START = 8;
/** Letters that a heading and the title in the head must share from the start if they differ later. */
const MIN_SHARED = 16;
/** How many lines to search for a title if there is no first-level heading. */
const MAX_LINES = 2_000;
/** The most characters between a title and the buy button below it. */
const MAX_ABOVE = 1_500;

/**
 * Finds the heading that names what the page is about. Among first-level headings, this is the one that is also in the
 * head, else the one whose class or id marks a product title, else the first. If there are none, it is the first line
 * that is a title in the head. Returns several boxes if the page repeats the heading for narrow and wide windows.
 */
export function findTitles(page: PageBoxes, head: HeadTitles): Box[] {
  const own = namesIn(head);
  const site = lettersOf(head.siteName);
  const headings = page.headings
    .slice(0, MAX_HEADINGS)
    .map((box) => ({ box, letters: lettersOf(shownText(box, MAX_TITLE)) }))
    .filter(({ box, letters }) => letters.length >= MIN_LETTERS && letters !== site && !isLogo(box));
  const whole = lettersOf(head.titles[0]);
  const named =
    headings.find(({ letters }) => own.has(letters)) ?? headings.find(({ box }) => (box.names & Name.Title) !== 0);
  const smaller = named ? undefined : smallerHeading(page, own);
  if (smaller) return [smaller];
  const first =
    named ??
    headings.find(({ letters }) => whole.includes(letters)) ??
    headings.find(({ letters }) => sharesStart(letters, whole)) ??
    headings.find(({ box }) => !isApart(box)) ??
    headings[0];
  if (first) {
    const same = headings.filter(({ letters }) => letters === first.letters);
    return same.slice(0, MAX_SAME).map(({ box }) => box);
  }
  const line = titleLine(page, own);
  return line ? [line] : [];
}

/** Whether heading and head begin alike and go on with different details: `Tea: A Story (2018)`, `Tea: A Story: Books`. */
function sharesStart(letters: string, whole: string): boolean {
  return letters.length >= MIN_SHARED && whole.startsWith(letters.slice(0, MIN_SHARED));
}

/** The titles in the head, with and without the additions of shops, as `lettersOf` writes them. */
function namesIn({ titles, socialTitles, siteName }: HeadTitles): Set<string> {
  const all = [...socialTitles, ...titles.slice(0, 1)].map((title) => title.slice(0, MAX_TITLE));
  const names = new Set([...all, ...all.map((title) => title.split(SEPARATOR)[0])].map(lettersOf));
  names.delete('');
  names.delete(lettersOf(siteName));
  return names;
}

/** A lower-level heading that is a title in the head. The first-level heading may name the shop or a product group. */
function smallerHeading({ lines }: PageBoxes, names: ReadonlySet<string>): Box | undefined {
  const line = lines
    .slice(0, MAX_LINES)
    .find(({ text, box }) => (box.element.bits & HEADING) !== 0 && names.has(lettersOf(text)) && !isApart(box));
  return line?.box;
}

/**
 * The first line that is a title in the head, else the first that a title starts with: `Tea kettle` for `Tea kettle on
 * Shop`.
 */
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

/** The heading above the buy button, for a page whose head names something else. */
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

/** Whether a heading is the shop's name, with a link to its home page. */
function isLogo({ element }: Box): boolean {
  const inner = element.children.filter((child) => child.kind === 'element');
  const [link] = inner;
  return inner.length === 1 && link?.name === 'a' && HOME.test(link.attributes.href ?? '');
}

const APART = Name.Breadcrumbs | Name.Navigation | Name.Cart | Name.Overlay | Name.Related | Name.Sticky;
const TAGS_APART = new Set(['nav', 'footer', 'button', 'aside']);

function isApart(box: Box): boolean {
  for (const { names, element } of outward(box))
    if ((names & APART) !== 0 || TAGS_APART.has(element.name))
      return element.name !== 'body' && element.name !== 'html';
  return false;
}
