import { cellsOf, partsOf } from './markdown/table-grid.ts';
import { isBlock } from './tree/tags.ts';
import type { ElementNode, TreeNode } from './tree.ts';
import { textOf } from './walk.ts';

/** The kinds of GitHub's Markdown. */
export type AdmonitionKind = 'note' | 'tip' | 'important' | 'warning' | 'caution';

/** A box with a remark next to the text, as in documentation. */
export interface Admonition {
  kind: AdmonitionKind | null;
  /** The element that heads the box, if it says more than the kind. */
  title: ElementNode | null;
  /** The elements that name the kind or the title. They are not part of the text. */
  heads: readonly ElementNode[];
  /** The elements that hold the text: the box itself, definitions, or a table cell if the generator uses a table. */
  bodies: readonly ElementNode[];
}

const KINDS: ReadonlySet<string> = new Set<AdmonitionKind>(['note', 'tip', 'important', 'warning', 'caution']);
const BOXES = new Set(['div', 'aside', 'section', 'article', 'blockquote', 'details', 'dl']);

/** Most classes contain none of these words and are skipped. */
const WORDS =
  /admoni|alert|-aside|callout|caution|custom-(?:block|container)|hint|important|-macro|not[ei]|quote-tag|tip|warning/i;
const MAX_NAMES = 20;
/**
 * The class that generators give the box, followed by its kind or style: Docusaurus, MkDocs, Sphinx and AsciiDoc; MDN;
 * Starlight; mdBook; GitHub and its imitators; Confluence.
 */
const BOX =
  /^(?:[a-z]{1,12}-)?(?:admonition(?:block)?|admonish|notecard|starlight-aside|blockquote-tag|(?:markdown|ghd|docs)-alert|confluence-information-macro)(?:[-_]{1,2}([a-z]+))?$/;
/**
 * Other things have these names too. They are admonitions only with a kind or a title: VitePress, VuePress, Bootstrap,
 * Obsidian, Quarto, ReadMe, Hugo.
 */
const LOOSE_BOX =
  /^(?:[a-z]{1,12}-)?(?:custom-(?:block|container)|hint-container|alert|callout|hint|notices?)(?:[-_]{1,2}([a-z]+))?$/;
/** Parts of boxes are named after them: `admonition-title`. */
const PARTS = new Set(
  'anchor body button close container content contents footer group head header heading icon inner item label link list message text title wrapper'.split(
    ' ',
  ),
);
/** Kinds of MkDocs. Its `<details>` have no other class. */
const FOLDED = new Set(
  'note abstract info tip important warning caution danger bug example success failure'.split(' '),
);
/** Sections of Doxygen; the others (`return`, `since`, `see`) are definitions. */
const SECTIONS = new Set('note warning attention important remark deprecated todo bug'.split(' '));

const TITLE_CLASS = /(?:^|[\s_-])(?:title|heading|header)(?:$|[\s_-])|admonitionheading/i;
const TITLE_ELEMENTS = new Set(['summary', 'th', 'h3', 'h4', 'h5', 'h6']);
const ICON_CLASS = /(?:^|[\s_-])icon(?:$|[\s_-])/i;
const TABLE_PARTS = new Set(['table', 'tbody', 'tr', 'td']);
/** Section headings. A box with one is a section, whatever its name. */
const SECTION_HEADINGS = new Set(['h1', 'h2', 'h3']);
const MAX_TITLE = 300;
/** The maximum length of a kind's name with the signs around it, and the maximum number of nodes in its element. */
const MAX_KIND = 40;
/** A longer text with the class `note` is a note that somebody took, not an admonition. In characters. */
const MAX_NOTE = 5_000;
/** The maximum number of elements around a title, such as a table with its rows and cells. */
const MAX_DEPTH = 5;

/** Reads an element as an admonition by the classes that documentation generators use; null if it is not one. */
export function readAdmonition(element: ElementNode): Admonition | null {
  const { name, attributes } = element;
  if (!BOXES.has(name) || attributes.class === undefined) return null;
  const isFolded = name === 'details';
  if (!isFolded && name !== 'dl' && !WORDS.test(attributes.class)) return null;
  const names = attributes.class.toLowerCase().split(/\s+/, MAX_NAMES);
  return name === 'dl' ? readSection(element, names) : readBox(element, names, isFolded);
}

/** `<dl class="section note"><dt>Note</dt><dd>…` */
function readSection(list: ElementNode, names: readonly string[]): Admonition | null {
  if (!names.some((name) => SECTIONS.has(name))) return null;
  const [head, ...bodies] = list.children.filter((child) => child.kind === 'element');
  if (head?.name !== 'dt' || bodies.length === 0 || bodies.some(({ name }) => name !== 'dd')) return null;
  return { ...headed(names.find(isKind) ?? null, [head]), bodies };
}

function readBox(box: ElementNode, names: readonly string[], isFolded: boolean): Admonition | null {
  const sure = variantsOf(names, BOX);
  const loose = isFolded ? [] : variantsOf(names, LOOSE_BOX);
  const isKindAlone = names.length === 1 && isKind(names[0]) && isRemark(box);
  const isSure = sure.length > 0 || isKindAlone || (isFolded && names.some((name) => FOLDED.has(name)));
  if (!isSure && loose.length === 0) return null;
  const kind = [...sure, ...loose, ...names, box.attributes.get('data-callout')?.toLowerCase()].find(isKind) ?? null;
  const head = headOf(box, MAX_DEPTH);
  if (!isSure && head !== null && box.name !== 'blockquote' && SECTION_HEADINGS.has(head.name)) return null;
  const cell = cellOf(box, head);
  const inner = cell === null ? null : headOf(cell, 0);
  const heads = [...new Set([head, inner])].filter((each) => each !== null);
  if (heads.length === 0) heads.push(...leadsOf(box).filter((lead) => kind === null || kindIn(lead) === kind));
  const read = headed(kind, heads);
  if (!isSure && read.kind === null && !heads.some(isNamedTitle)) return null;
  return { ...read, bodies: [cell ?? box] };
}

/** The suffixes of those classes that name a box; '' for a class without a suffix. */
function variantsOf(names: readonly string[], box: RegExp): string[] {
  const matches = names.map((name) => box.exec(name)).filter((match) => match !== null);
  return matches.map((match) => match[1] ?? '').filter((variant) => !PARTS.has(variant));
}

function headed(kind: AdmonitionKind | null, heads: readonly ElementNode[]): Omit<Admonition, 'bodies'> {
  const known = kind ?? heads.map(kindIn).find((each) => each !== null) ?? null;
  const saysMore = (head: ElementNode) => known === null || kindIn(head) !== known;
  const title = heads.find(saysMore) ?? null;
  return { kind: known, title, heads: heads.filter((head) => head === title || !saysMore(head)) };
}

function isKind(name: string | undefined): name is AdmonitionKind {
  return name !== undefined && KINDS.has(name);
}

/** The kind that an element names, with only signs next to it: `Note`, `WARNING:`. */
function kindIn(element: ElementNode): AdmonitionKind | null {
  if (element.textLength > MAX_KIND || isLarge(element)) return null;
  const word = textOf(element, MAX_KIND)
    .toLowerCase()
    .replace(/[^\p{L}]+/gu, '');
  return isKind(word) ? word : null;
}

/** Whether the element holds more than a word and an icon. Otherwise nested boxes would each read it again. */
function isLarge(element: ElementNode): boolean {
  let count = 0;
  const isOver = ({ children }: ElementNode): boolean => {
    return children.some((child) => ++count > MAX_KIND || (child.kind === 'element' && isOver(child)));
  };
  return isOver(element);
}

/** The element at the start of a box that heads it. */
function headOf(box: ElementNode, depth: number): ElementNode | null {
  for (const [index, child] of box.children.entries()) {
    if (child.kind === 'text') {
      if (child.text.trim() !== '') return null;
      continue;
    }
    if (isHead(child, box.children, index)) return child;
    if (child.hidden || child.textLength === 0) continue;
    const isAround = TABLE_PARTS.has(child.name) || ICON_CLASS.test(child.attributes.class ?? '');
    return isAround && depth > 0 ? headOf(child, depth - 1) : null;
  }
  return null;
}

/** Whether an element whose only class is a kind is a remark, rather than an article or somebody's notes. */
function isRemark({ name, textLength, children }: ElementNode): boolean {
  if (name === 'article' || textLength > MAX_NOTE) return false;
  return !children.some((child) => child.kind === 'element' && (child.name === 'h1' || child.name === 'h2'));
}

function isNamedTitle({ attributes }: ElementNode): boolean {
  return attributes.class !== undefined && TITLE_CLASS.test(attributes.class);
}

function isHead(element: ElementNode, siblings: readonly TreeNode[], index: number): boolean {
  const { name, attributes, hidden, textLength } = element;
  if (textLength === 0 || textLength > MAX_TITLE) return false;
  const isNamed = isNamedTitle(element);
  // Starlight hides the title from screen readers, because the box has a label for them.
  if (hidden) return isNamed && attributes['aria-hidden'] === 'true';
  if (isNamed || TITLE_ELEMENTS.has(name)) return true;
  return kindIn(element) !== null && (isBlock(name) || isBlockBehind(siblings, index));
}

function isBlockBehind(siblings: readonly TreeNode[], index: number): boolean {
  const next = siblings.slice(index + 1, index + 3).find((node) => node.kind === 'element' || node.text.trim() !== '');
  return next?.kind === 'element' && isBlock(next.name);
}

/** MDN begins the first paragraph with the kind in bold: `<p><strong>Note:</strong> …`. */
function leadsOf(box: ElementNode): ElementNode[] {
  const paragraph = firstSeen(box);
  const lead = paragraph?.kind === 'element' && paragraph.name === 'p' ? firstSeen(paragraph) : undefined;
  if (lead?.kind !== 'element' || (lead.name !== 'strong' && lead.name !== 'b')) return [];
  return kindIn(lead) !== null && textOf(lead, MAX_KIND).endsWith(':') ? [lead] : [];
}

function firstSeen({ children }: ElementNode): TreeNode | undefined {
  return children.find(isSeen);
}

/** The cell with the text, if the box is a table with a cell for the icon and perhaps one for the title. */
function cellOf(box: ElementNode, head: ElementNode | null): ElementNode | null {
  const [table, ...others] = box.children.filter((child) => child !== head && isSeen(child));
  if (table?.kind !== 'element' || table.name !== 'table' || others.length > 0) return null;
  const cells = partsOf(table, false).rows.flatMap((row) => cellsOf(row, false));
  const [cell, ...more] = cells.filter(({ name, textLength, attributes }) => {
    return name === 'td' && textLength > 0 && !ICON_CLASS.test(attributes.class ?? '');
  });
  return more.length === 0 ? (cell ?? null) : null;
}

function isSeen(node: TreeNode): boolean {
  return node.kind === 'text' ? node.text.trim() !== '' : !node.hidden && node.textLength > 0;
}
