import { resolveAddress } from './address.ts';
import { withoutFragment } from './links.ts';
import { PartReader } from './main/element-parts.ts';
import { Part } from './main/vocabulary.ts';
import type { PageMetadata } from './page-content.ts';
import { tagOf } from './tree/tags.ts';
import { ElementNode, NO_ATTRIBUTES, type TreeNode } from './tree.ts';
import { textOf, walkElements } from './walk.ts';

/** A longer heading is not a title. In characters. */
const MAX_TITLE = 300;
/** Between the title of a page and the name of its site. */
const SEPARATOR = /\s[-–—|·•:»]\s|\s?[|»]\s/u;
const TITLE_NAME = /(?:^|[\s_-])title(?:$|\s)/i;
/** The text of a menu bar, with what it leads to. In characters. */
const MAX_MENU = 150;
/** A heading that shares at least this part of its words with the metadata's title adds nothing new. */
const MIN_SHARED = 2 / 3;

/** The heading that is the title of a page. It should appear in the content once. */
export class PageTitle {
  /** The titles of the page in its metadata. */
  readonly #names: readonly string[];
  /** What stands in them before the name of the site. */
  readonly #firstParts: ReadonlySet<string>;
  readonly #baseUrl: string;
  readonly #url: string;
  #heading: ElementNode | undefined;
  /** A heading in a menu bar. It may be the name of a book whose chapters begin with second-level headings. */
  #menuHeading: ElementNode | undefined;
  #secondLevelHeading: ElementNode | undefined;
  /** An element that is named a title but is not a heading. */
  #namedTitle: ElementNode | undefined;
  #hasOther = false;

  /** @param url the address of the page */
  constructor({ title, ogTitle }: PageMetadata, baseUrl: string, url: string) {
    const titles = [title, ogTitle].flat().map((name) => name ?? '');
    this.#names = titles.map(wordsOf);
    this.#firstParts = new Set(titles.map((name) => wordsOf(name.split(SEPARATOR, 1)[0] ?? '')));
    this.#baseUrl = baseUrl;
    this.#url = url;
  }

  /** Call this with each visible element of the page, before its main content is chosen. */
  meet(element: ElementNode): void {
    if (isHeading(element)) this.#meetHeading(element);
    else if (!this.#heading && !this.#hasOther) this.#meetOther(element);
  }

  /** The heading named by the metadata. If it is not a heading, an element named a title becomes one. */
  find(): ElementNode | undefined {
    this.#heading ??= this.#hasOther ? undefined : (this.#secondLevelHeading ?? this.#titleAsHeading());
    this.#heading ??= this.#menuHeading;
    return this.#heading;
  }

  #meetHeading(heading: ElementNode): void {
    if (heading.textLength <= (this.#heading?.textLength ?? 0) || this.#isElsewhere(heading)) return;
    const isMenu = isInMenu(heading);
    if (!this.#isNamed(heading)) this.#hasOther ||= !isMenu;
    else if (!isMenu) this.#heading = heading;
    else if (heading.textLength > (this.#menuHeading?.textLength ?? 0)) this.#menuHeading = heading;
  }

  #meetOther(element: ElementNode): void {
    if (isHeading(element, 'h2')) {
      if (this.#secondLevelHeading || !this.#firstParts.has(titleOf(element)) || this.#isElsewhere(element)) return;
      this.#secondLevelHeading = element;
    } else if (!this.#namedTitle && isCalledTitle(element)) {
      if (this.#isMostOfName(element) && !this.#isElsewhere(element)) this.#namedTitle = element;
    }
  }

  #titleAsHeading(): ElementNode | undefined {
    const title = this.#namedTitle;
    const siblings = title?.parent?.children;
    if (!title || !siblings || this.#menuHeading) return undefined;
    const heading = new ElementNode(tagOf('h1'), NO_ATTRIBUTES, title.children);
    heading.parent = title.parent;
    heading.textLength = title.textLength;
    heading.linkLength = title.linkLength;
    for (const child of heading.children) child.parent = heading;
    siblings[siblings.indexOf(title)] = heading;
    return heading;
  }

  /** The content with the title, added above if missing. A second copy, such as a layout's for phones, is removed. */
  once(content: readonly TreeNode[]): readonly TreeNode[] {
    const headings = headingsIn(content);
    const title = this.#heading ?? headings[0];
    if (title === undefined) return content;
    const copies = headings.filter((heading) => titleOf(heading) === titleOf(title));
    takeOut(copies.slice(1));
    if (copies.length > 0) return content;
    // Some themes repeat it above the text as a second-level heading.
    const below = headingsIn(content, 'h2').find((heading) => titleOf(heading) === titleOf(title));
    if (below === title) return content;
    if (below !== undefined) takeOut([below]);
    return [title, ...content];
  }

  /** The content without the title, if the metadata has it. Content that is nothing but the title stays. */
  without(content: readonly TreeNode[]): readonly TreeNode[] {
    const headings = headingsIn(content);
    const [title] = headings;
    if (title === undefined || !this.#isSaid(title) || !hasTextBeside(content, title)) return content;
    takeOut(headings.filter((heading) => titleOf(heading) === titleOf(title)));
    return content;
  }

  /** Whether the heading links to another page. It is then the name of the site. */
  #isElsewhere(heading: ElementNode): boolean {
    if (heading.linkLength < 0.9 * heading.textLength) return false;
    let isElsewhere = false;
    walkElements(heading.children, ({ name, attributes: { href } }) => {
      if (name !== 'a' || href === undefined) return;
      const address = resolveAddress(href, this.#baseUrl);
      isElsewhere ||= address === undefined || withoutFragment(address) !== withoutFragment(this.#url);
    });
    return isElsewhere;
  }

  #isNamed(heading: ElementNode): boolean {
    const words = titleOf(heading);
    return words !== '' && this.#names.some((name) => ` ${name} `.includes(` ${words} `));
  }

  #isMostOfName(element: ElementNode): boolean {
    const words = titleOf(element);
    return this.#names.some(
      (name) => 2 * words.length > name.length && (name.startsWith(words) || name.endsWith(words)),
    );
  }

  #isSaid(heading: ElementNode): boolean {
    const words = titleOf(heading).split(' ');
    return this.#names.some((name) => {
      const known = new Set(name.split(' '));
      return words.filter((word) => known.has(word)).length >= MIN_SHARED * words.length;
    });
  }
}

/** The visible headings of a level. */
function headingsIn(nodes: readonly TreeNode[], level = 'h1'): ElementNode[] {
  const headings: ElementNode[] = [];
  walkElements(nodes, (element) => {
    if (element.hidden) return false;
    if (isHeading(element, level)) headings.push(element);
    return true;
  });
  return headings;
}

function isCalledTitle({ name, textLength, attributes }: ElementNode): boolean {
  if (textLength === 0 || textLength > MAX_TITLE || (name !== 'div' && name !== 'p')) return false;
  return TITLE_NAME.test(attributes.class ?? '');
}

function isHeading({ name, textLength }: ElementNode, level = 'h1'): boolean {
  return name === level && textLength > 0 && textLength <= MAX_TITLE;
}

/** Whether the heading is in a menu bar. It is then the name of the site or of the book. */
function isInMenu(heading: ElementNode): boolean {
  const reader = new PartReader();
  for (let box = heading.parent; box && box.textLength <= MAX_MENU; box = box.parent) {
    if ((reader.read(box) & Part.Navigation) !== 0) return true;
  }
  return false;
}

function titleOf(heading: ElementNode): string {
  return wordsOf(textOf(heading, MAX_TITLE));
}

/** The words of a text, in letters and digits only: the title in the head may differ in quotes and dashes. */
function wordsOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

function takeOut(elements: readonly ElementNode[]): void {
  const gone = new Set<TreeNode>(elements);
  for (const parent of new Set(elements.map((element) => element.parent))) {
    if (parent !== null) parent.children = parent.children.filter((child) => !gone.has(child));
  }
}

function hasTextBeside(nodes: readonly TreeNode[], title: ElementNode): boolean {
  return nodes.some((node) => {
    if (node === title) return false;
    return node.kind === 'text' ? node.text.trim() !== '' : !node.hidden && hasTextBeside(node.children, title);
  });
}
