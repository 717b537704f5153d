import { isBlock } from '../tree/tags.ts';
import type { ElementNode, TreeNode } from '../tree.ts';
import { wroteAdmonition } from './admonitions.ts';
import { isHeading } from './blocks.ts';
import { strong } from './inline.ts';
import type { Renderer } from './renderer.ts';

/** Elements that hold paragraphs, and the paragraph itself. */
const BOXES = new Set(['p', 'div', 'section']);

/** Terms that share their definitions. */
interface Entry {
  terms: ElementNode[];
  definitions: ElementNode[];
}

/**
 * Terms in bold, each definition after `: ` on the next line. These are the definition lists of Pandoc and PHP Markdown
 * Extra; GitHub shows them as a paragraph that still makes sense. Only indentation can keep more than one paragraph under
 * a term, and outside a list a second level of indentation would be code. Such terms are therefore written as list items.
 */
export function renderDefinitionList(list: ElementNode, page: Renderer): void {
  if (wroteAdmonition(list, page)) return;
  const parts = partsOf(list, page);
  const isNested = page.out.flow === 'block' && !parts.some(isHeaded) && page.indentedLists.has(list);
  page.out.block();
  let isBare = false;
  for (const part of parts) {
    // Terms without definitions, as in a table of contents, follow each other without a blank line.
    if (isBare && isEntry(part)) page.out.blockExactly(1);
    if (!isEntry(part)) page.visit(part);
    else if (isNested && part.terms.length > 0) page.out.nested('- ', '  ', () => renderItem(part, page));
    else renderEntry(part, page);
    page.out.block();
    isBare = isEntry(part) && part.definitions.length === 0;
  }
}

/** Writes an entry as a list item. A list right below the term needs no blank line. */
function renderItem(entry: Entry, page: Renderer): void {
  const { item, out } = page;
  page.item = { start: -1, blankLines: out.blankLines, hasText: true };
  renderEntry(entry, page);
  page.item = item;
}

/** The entries of a list, including those in boxes, and anything else between them. */
function partsOf(list: ElementNode, page: Renderer): (Entry | TreeNode)[] {
  const parts: (Entry | TreeNode)[] = [];
  addParts(list, page, parts);
  return parts.flatMap((part): (Entry | TreeNode)[] => (isEntry(part) ? entriesOf(part) : [part]));
}

/** Several terms above a nested list alone, or above nothing, are separate entries, as in a table of contents. */
function entriesOf(entry: Entry): Entry[] {
  const { terms, definitions } = entry;
  if (terms.length < 2 || !definitions.every(isListAlone)) return [entry];
  return terms.map((term, index) => ({ terms: [term], definitions: index === terms.length - 1 ? definitions : [] }));
}

function isListAlone({ children }: ElementNode): boolean {
  const [only, ...others] = children.filter((child) => child.kind === 'element' || child.text.trim() !== '');
  return only?.kind === 'element' && only.name === 'dl' && others.length === 0;
}

function addParts(parent: ElementNode, page: Renderer, parts: (Entry | TreeNode)[]): void {
  for (const child of parent.children) {
    if (child.kind === 'element' && child.hidden && !page.showHidden) continue;
    const { name } = child.kind === 'element' ? child : { name: '' };
    if (child.kind === 'element' && isNote(child, page)) parts.push(child);
    else if (child.kind === 'element' && name === 'dt') entryFor(child, parts).terms.push(child);
    else if (child.kind === 'element' && name === 'dd') entryFor(child, parts).definitions.push(child);
    else if (child.kind === 'element' && name === 'div' && holdsParts(child)) addParts(child, page, parts);
    else if (child.kind === 'element' || child.text.trim() !== '') parts.push(child);
  }
}

/** Whether a box holds terms or definitions. Such a box is not a part of its own. */
function holdsParts({ children }: ElementNode): boolean {
  return children.some((child) => {
    return child.kind === 'element' && (isPart(child) || (child.name === 'div' && holdsParts(child)));
  });
}

function isPart({ name }: ElementNode): boolean {
  return name === 'dt' || name === 'dd';
}

/** Whether the element is the number or the text of a footnote. Docutils puts them in definition lists. */
function isNote(element: ElementNode, page: Renderer): boolean {
  return page.written.has(element) || page.footnotes.definition(element) !== null;
}

/** The entry that a term or definition belongs to. A term after a definition begins a new one. */
function entryFor({ name }: ElementNode, parts: (Entry | TreeNode)[]): Entry {
  const last = parts.at(-1);
  if (last !== undefined && isEntry(last) && (name === 'dd' || last.definitions.length === 0)) return last;
  const entry: Entry = { terms: [], definitions: [] };
  parts.push(entry);
  return entry;
}

function isEntry(part: Entry | TreeNode): part is Entry {
  return 'terms' in part;
}

/** Whether a term is a heading. What follows a heading is under it without indentation. */
function isHeaded(part: Entry | TreeNode): boolean {
  return isEntry(part) && part.terms.some(hasHeading);
}

/** Definition lists that need indentation, or are beside one that does: Sphinx makes a list for each function. */
export class IndentedLists {
  readonly #parents = new Map<ElementNode | null, boolean>();

  has(list: ElementNode): boolean {
    const { parent } = list;
    const known = this.#parents.get(parent);
    if (known !== undefined) return known;
    const isIndented = (parent?.children ?? [list]).some((child) => isList(child) && holdsMore(child));
    this.#parents.set(parent, isIndented);
    return isIndented;
  }
}

function isList(node: TreeNode): node is ElementNode {
  return node.kind === 'element' && node.name === 'dl' && !node.hidden;
}

/** Whether a definition below a term is more than one paragraph. */
function holdsMore({ children }: ElementNode): boolean {
  let hasTerm = false;
  return children.some((child) => {
    if (child.kind === 'text') return false;
    if (child.name === 'dt') hasTerm = true;
    return child.name === 'dd' ? hasTerm && !isParagraph(child) : child.name === 'div' && holdsMore(child);
  });
}

function renderEntry({ terms, definitions }: Entry, page: Renderer): void {
  for (const [index, term] of terms.entries()) {
    if (index > 0) page.out.blockExactly(1);
    renderTerm(term, page);
  }
  // Without a term, old pages use the definition for its indent. Below a heading it is a section.
  const isPlain = terms.every(hasHeading);
  for (const definition of definitions) {
    if (isPlain) page.block(definition);
    else renderDefinition(definition, page);
  }
}

function hasHeading(term: ElementNode): boolean {
  return term.children.some(isHeading);
}

function renderTerm(term: ElementNode, page: Renderer): void {
  if (hasHeading(term)) page.children(term);
  else page.inFlow('line', () => strong(page, () => page.children(term)));
  page.out.block();
}

function renderDefinition(definition: ElementNode, page: Renderer): void {
  const { out } = page;
  // A list or a code block cannot follow the colon.
  if (!startsWithText(definition)) {
    page.block(definition);
    return;
  }
  out.blockExactly(1);
  out.nested(': ', '', () => page.children(definition));
  out.block();
}

function startsWithText(element: ElementNode): boolean {
  const first = element.children.find((child) => child.kind === 'element' || child.text.trim() !== '');
  if (first === undefined) return false;
  if (first.kind === 'text' || first.name === 'p') return true;
  return first.name === 'div' ? startsWithText(first) : !isBlock(first.name);
}

/** Whether the element holds no more than one paragraph. */
function isParagraph(element: ElementNode): boolean {
  return countParagraphs(element) < 2;
}

/** Counts up to 2. An element with anything but paragraphs counts as 2. */
function countParagraphs(element: ElementNode): number {
  let count = 0;
  let inText = false;
  let breaks = 0;
  for (const child of element.children) {
    if (child.kind === 'text' ? child.text.trim() === '' : child.hidden) continue;
    const name = child.kind === 'element' ? child.name : '';
    breaks = name === 'br' ? breaks + 1 : 0;
    if (name === 'br') {
      if (breaks > 1) inText = false;
    } else if (child.kind === 'element' && BOXES.has(name)) {
      count += countParagraphs(child);
      inText = false;
    } else if (isBlock(name)) {
      return 2;
    } else if (!inText) {
      count++;
      inText = true;
    }
    if (count > 1) return count;
  }
  return count;
}
