import { isBlock } from '../tree/tags.ts';
import type { ElementNode, TreeNode } from '../tree.ts';
import { wroteAdmonition } from './admonitions.ts';
import { isHeading } from './blocks.ts';
import { strong } from './inline.ts';
import type { Renderer } from './renderer.ts';

/** What holds paragraphs or is one. */
const BOXES = new Set(['p', 'div', 'section']);

/** Terms that are names of the same, and what is said of them. */
interface Entry {
  terms: ElementNode[];
  definitions: ElementNode[];
}

/**
 * Terms in bold, each definition behind `: ` on the next line: the definition lists of Pandoc and PHP Markdown Extra,
 * which GitHub shows as a paragraph that still makes sense. Only indentation can keep more than a paragraph under its
 * term, and without a list around it a second level of it would be code: so such terms are the items of a list.
 */
export function renderDefinitionList(list: ElementNode, page: Renderer): void {
  if (wroteAdmonition(list, page)) return;
  const parts = partsOf(list, page);
  const isNested = page.out.flow === 'block' && !parts.some(isHeaded) && page.indentedLists.has(list);
  page.out.block();
  let isBare = false;
  for (const part of parts) {
    // Terms alone, as in a table of contents, are no paragraphs apart.
    if (isBare && isEntry(part)) page.out.blockExactly(1);
    if (!isEntry(part)) page.visit(part);
    else if (isNested && part.terms.length > 0) page.out.nested('- ', '  ', () => renderItem(part, page));
    else renderEntry(part, page);
    page.out.block();
    isBare = isEntry(part) && part.definitions.length === 0;
  }
}

/** A list right below the term needs no blank line. */
function renderItem(entry: Entry, page: Renderer): void {
  const { item, out } = page;
  page.item = { start: -1, blankLines: out.blankLines, hasText: true };
  renderEntry(entry, page);
  page.item = item;
}

/** The entries of a list, those in boxes too, and what else stands between them. */
function partsOf(list: ElementNode, page: Renderer): (Entry | TreeNode)[] {
  const parts: (Entry | TreeNode)[] = [];
  addParts(list, page, parts);
  return parts.flatMap((part): (Entry | TreeNode)[] => (isEntry(part) ? entriesOf(part) : [part]));
}

/** Several terms above nothing but a list, or above nothing, are not the same: tables of contents are such. */
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

/** Boxes around terms and definitions are none of their own. */
function holdsParts({ children }: ElementNode): boolean {
  return children.some((child) => {
    return child.kind === 'element' && (isPart(child) || (child.name === 'div' && holdsParts(child)));
  });
}

function isPart({ name }: ElementNode): boolean {
  return name === 'dt' || name === 'dd';
}

/** The number or the text of a footnote: docutils has them in definition lists. */
function isNote(element: ElementNode, page: Renderer): boolean {
  return page.written.has(element) || page.footnotes.definition(element) !== null;
}

/** A term behind a definition begins another entry. */
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

/** What is under a heading needs no indentation to be under it. */
function isHeaded(part: Entry | TreeNode): boolean {
  return isEntry(part) && part.terms.some(hasHeading);
}

/** Definition lists that need indentation, or stand beside one that does: Sphinx makes a list of each function. */
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

/** Whether a definition is more than a paragraph, below a term. */
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
  // Without a term it is an indent, as old pages write it; below a heading it is a section.
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
  // A list or code cannot stand behind the colon.
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

/** Whether there is no more than a paragraph in it. */
function isParagraph(element: ElementNode): boolean {
  return countParagraphs(element) < 2;
}

/** Of an element with anything else than paragraphs it is 2. */
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
