import { lettersOf } from '../letters.ts';
import { HEADING } from '../tree/tags.ts';
import type { ElementNode } from '../tree.ts';
import { textOf } from '../walk.ts';
import { Part } from './vocabulary.ts';

/**
 * Parts that are not content on any kind of page, each with the largest share of the page's text at which its name is
 * believed. Layouts are named after one of their parts (`content-with-sidebar`), and product lists appear inside
 * `filter` forms.
 */
const STRIPPED: readonly (readonly [parts: number, maxShare: number])[] = [
  [Part.Consent, 0.9],
  [Part.Sidebar, 0.4],
  [Part.Navigation | Part.Footer | Part.Overlay | Part.Form | Part.Button, 0.5],
  [Part.Header | Part.Related, 0.4],
  [Part.Advert | Part.Share | Part.ScreenReader, 0.2],
  [Part.Subscribe | Part.Pagination, 0.15],
  [Part.Control, 0.06],
];
const ANY_STRIPPED = STRIPPED.reduce((all, [parts]) => all | parts, 0);
const ADVERTS = Part.Advert | Part.Consent;
/** Parts that are also topics of sections in documentation: `copyright`, `navigation`, `registering`, `sorting`. */
const TOPICS =
  ADVERTS |
  Part.Navigation |
  Part.Footer |
  Part.Header |
  Part.Control |
  Part.Overlay |
  Part.ScreenReader |
  Part.Pagination;

/** An element of a few words is believed to match its name at up to half of the page, which is then a short one. */
const FEW_WORDS = 150;
const MAX_SHARE_OF_FEW_WORDS = 0.5;

/** These tags and roles have no other use. A manual's table of contents can be nearly the whole page. */
const CERTAIN_TAGS = new Set(['nav', 'footer']);
const CERTAIN_ROLES = new Set(['navigation', 'contentinfo']);
const MAX_CERTAIN_SHARE = 0.95;

/** Filters and search boxes are short. */
const MAX_CONTROL_TEXT = 300;
const NO_FIELDS = new Set(['hidden', 'submit', 'button', 'image', 'reset']);

/** The shortest id, in letters, that can be matched with a heading: `cookies` alone could be a banner. */
const MIN_ANCHOR = 8;
const MAX_ANCHOR = 300;

/** Share of text in links, for elements named navigation. */
const MAX_LINKS_SHARE = 0.95;

/** A navigation with this much text outside its links is a text named after something in it. */
const MAX_TEXT_WITHOUT_LINKS = 300;
const MIN_NAVIGATION_LINKS = 0.15;

/** Of 33,500 lines in boilerplate of these parts, on 300 labelled pages, 36 were content, most of them text without links. */
const SKIPPED =
  Part.Navigation |
  Part.Footer |
  Part.Header |
  Part.Consent |
  Part.Overlay |
  Part.Form |
  Part.Subscribe |
  Part.Share |
  Part.ScreenReader |
  Part.Pagination |
  Part.Control;

/** Share of the text of skipped elements. */
const MIN_SKIPPED_LINKS = 0.5;
/** Shorter ones are buttons and labels. */
const MAX_SKIPPED_LABEL = 40;

/**
 * Remarks and footnotes belong to the text, not to the page: `<aside class="starlight-aside">`, `<aside
 * class="footnote">`.
 */
const OF_TEXT = /(?:^|\s)(?:admonition|starlight-aside|footnote)/i;

/** Whether boilerplate of these parts can be dropped without reading it. */
export function isSkipped({ name, textLength, linkLength }: ElementNode, parts: number): boolean {
  if ((parts & SKIPPED) === 0) return false;
  return CERTAIN_TAGS.has(name) || textLength <= MAX_SKIPPED_LABEL || linkLength >= MIN_SKIPPED_LINKS * textLength;
}

/**
 * Whether an element is boilerplate by its name alone.
 * @param parts bits of `Part`
 * @param pageLength characters of visible text of the page
 */
export function isBoilerplate(element: ElementNode, parts: number, pageLength: number): boolean {
  if ((parts & ANY_STRIPPED) === 0) return false;
  const { textLength, linkLength } = element;
  if (CERTAIN_TAGS.has(element.name) || CERTAIN_ROLES.has(element.attributes.role ?? '')) {
    return textLength < MAX_CERTAIN_SHARE * pageLength;
  }
  let believed = (parts & TOPICS) !== 0 && isNamedAfterHeading(element) ? parts & ~TOPICS : parts;
  if ((parts & Part.Sidebar) !== 0 && OF_TEXT.test(element.attributes.class ?? '')) believed &= ~Part.Sidebar;
  if ((parts & Part.Navigation) !== 0) {
    if (linkLength > 0.7 * textLength) return textLength < MAX_LINKS_SHARE * pageLength;
    const isText = textLength > MAX_TEXT_WITHOUT_LINKS && linkLength < MIN_NAVIGATION_LINKS * textLength;
    if (isText) believed &= ~Part.Navigation;
  }
  if ((parts & Part.Control) !== 0 && textLength > MAX_CONTROL_TEXT) believed &= ~Part.Control;
  if ((parts & Part.Form) !== 0 && !hasField(element)) believed &= ~Part.Form;
  return (believed & ANY_STRIPPED) !== 0 && isBelieved(believed, textLength, pageLength);
}

/** Whether an element of these parts, with that much text, is an advertisement or a cookie banner. */
export function isAdvert(element: ElementNode, parts: number, pageLength: number): boolean {
  if ((parts & ADVERTS) === 0 || isNamedAfterHeading(element)) return false;
  return isBelieved(parts & ADVERTS, element.textLength, pageLength);
}

/**
 * Whether the id of an element is derived from its own heading or term, as in documentation: `csrf-cookie-age` is a section
 * about a setting, not a cookie banner.
 */
function isNamedAfterHeading(element: ElementNode): boolean {
  const id = lettersOf(element.attributes.id ?? '');
  if (id.length < MIN_ANCHOR) return false;
  const first = isHead(element)
    ? element
    : element.children.find((child) => child.kind === 'element' && child.textLength > 0);
  if (first?.kind !== 'element' || !isHead(first)) return false;
  const heading = lettersOf(textOf(first, MAX_ANCHOR));
  return heading.length >= MIN_ANCHOR && (heading.includes(id) || id.endsWith(heading));
}

/** Whether an element is a heading or a term, which its text explains. */
export function isHead({ name, bits }: ElementNode): boolean {
  return name === 'dt' || (bits & HEADING) !== 0;
}

function isBelieved(parts: number, textLength: number, pageLength: number): boolean {
  if (textLength <= FEW_WORDS) return textLength < MAX_SHARE_OF_FEW_WORDS * pageLength;
  return STRIPPED.some(([stripped, maxShare]) => (parts & stripped) !== 0 && textLength < maxShare * pageLength);
}

/** Whether the element has an input field. Forums put each post into a form with a button. */
function hasField({ children }: ElementNode): boolean {
  return children.some((child) => child.kind === 'element' && (isField(child) || hasField(child)));
}

function isField({ name, attributes }: ElementNode): boolean {
  return name === 'select' || name === 'textarea' || (name === 'input' && !NO_FIELDS.has(attributes.type ?? ''));
}
