import type { ElementNode, TreeNode } from '../tree.ts';
import { renderFootnoteText } from './footnote-text.ts';
import type { Renderer } from './renderer.ts';

/** CommonMark allows at most nine digits. */
const MAX_NUMBER = 999_999_999;
/** Elements that may surround lists without adding any meaning. */
const BOXES = new Set(['div', 'nav', 'section', 'span']);
/** How many elements are searched for content without text. */
const MAX_LOOKED_AT = 200;
/** Elements that are content without any text. */
const TEXTLESS = new Set('img amp-img video audio amp-video iframe amp-iframe object embed math input'.split(' '));

export function renderList(list: ElementNode, page: Renderer): void {
  const { out } = page;
  const ordered = list.name === 'ol';
  let number = ordered ? firstNumber(list) : 0;
  const step = ordered && list.attributes.reversed !== undefined ? -1 : 1;
  // Right below the first line of an item, a list needs no blank line, unless its number keeps it from being a list.
  if (page.item?.blankLines === out.blankLines && (!ordered || number === 1)) out.blockExactly(1);
  else out.block();
  // An ordered list directly after another would continue its numbers.
  const delimiter = page.orderedListEnd === out.length && page.orderedListDelimiter === '.' ? ')' : '.';
  let marker = '- ';
  let separation: 0 | 1 | 2 = 0;
  let stray = false;
  for (const child of ordered || page.showHidden ? list.children : itemsOf(list)) {
    if (isItem(child) && (!child.hidden || page.showHidden)) {
      number = numberOf(child) ?? number;
      if (ordered) marker = `${Math.min(Math.max(number, 0), MAX_NUMBER)}${delimiter} `;
      number += step;
      if (stray) {
        out.block();
        separation = 0;
        stray = false;
      }
      separation = renderItem(child, marker, separation, page) ?? separation;
    } else if (child.kind === 'element' && (child.name === 'ul' || child.name === 'ol')) {
      renderNestedList(child, marker, separation, page);
    } else {
      // Text between items goes on a line of its own.
      if (!stray && hasText(child)) {
        out.block();
        stray = true;
      }
      page.visit(child);
    }
  }
  if (ordered) {
    page.orderedListEnd = out.length;
    page.orderedListDelimiter = delimiter;
  }
  out.block();
}

function isItem(node: TreeNode): node is ElementNode {
  return node.kind === 'element' && node.name === 'li';
}

function hasText(node: TreeNode): boolean {
  return node.kind === 'element' ? node.textLength > 0 : node.text.trim() !== '';
}

/**
 * The children of a list. An item that holds nothing but lists is replaced by them: they belong to the item above. If
 * there is no item above, their items take its place, because `- - - a` would be three bullets for one item.
 */
function itemsOf(list: ElementNode, items: TreeNode[] = []): readonly TreeNode[] {
  let isBelowItem = false;
  for (const child of list.children) {
    const lists = isItem(child) && !child.hidden ? listsAlone(child) : null;
    if (lists === null || lists.length === 0) {
      items.push(child);
      if (isItem(child) && !child.hidden) isBelowItem = hasContent(child);
    } else if (isBelowItem) {
      items.push(...lists);
    } else {
      for (const inner of lists) itemsOf(inner, items);
    }
  }
  return items;
}

/** The bulleted lists in an element; null if it holds anything else. */
function listsAlone(element: ElementNode): ElementNode[] | null {
  const lists: ElementNode[] = [];
  for (const child of element.children) {
    if (child.kind === 'text') {
      if (child.text.trim() !== '') return null;
    } else if (child.name === 'ul' && !child.hidden) {
      lists.push(child);
    } else if (BOXES.has(child.name) && !child.hidden) {
      const inner = listsAlone(child);
      if (inner === null) return null;
      lists.push(...inner);
    } else if (!child.hidden && hasContent(child)) {
      return null;
    }
  }
  return lists;
}

/** @param left how many elements may still be checked; an item with more is not empty */
function hasContent(element: ElementNode, left = { count: MAX_LOOKED_AT }): boolean {
  const { name, textLength, attributes } = element;
  if (textLength > 0 || TEXTLESS.has(name) || --left.count < 0) return true;
  if (name === 'a' && (attributes['aria-label'] || attributes.title)) return true;
  return element.children.some((child) => child.kind === 'element' && !child.hidden && hasContent(child, left));
}

/** Writes a list directly inside a list. It belongs to the item above. */
function renderNestedList(list: ElementNode, marker: string, separation: 0 | 1 | 2, page: Renderer): void {
  const { out, item } = page;
  const indent = ' '.repeat(marker.length);
  if (separation === 1) page.item = { start: -1, blankLines: out.blankLines, hasText: true };
  out.nested(indent, indent, () => renderList(list, page));
  page.item = item;
}

/** @returns the lines to the next item: 1, or 2 if this item has paragraphs; null if the item is empty */
function renderItem(item: ElementNode, marker: string, separation: 0 | 1 | 2, page: Renderer): 1 | 2 | null {
  const { out } = page;
  const start = out.length;
  const blankLines = out.blankLines;
  const outer = { item: page.item, footnote: page.footnote };
  const footnote = page.footnotes.definition(item);
  const lead = footnote === null ? marker : `[^${footnote}]: `;
  if (separation > 0) out.blockExactly(separation === 2 ? 2 : 1);
  else if (out.flow !== 'block') out.block();
  page.item = { start, blankLines, hasText: item.textLength > 0 };
  page.footnote = footnote ?? outer.footnote;
  out.nested(lead, ' '.repeat(footnote === null ? marker.length : 4), () => {
    if (footnote === null) page.children(item);
    else renderFootnoteText(item, footnote, page);
  });
  page.item = outer.item;
  page.footnote = outer.footnote;
  if (out.length === start) return null;
  return out.blankLines > blankLines ? 2 : 1;
}

/** Writes an item outside any list. */
export function renderStrayItem(item: ElementNode, page: Renderer): void {
  const { out } = page;
  if (page.strayItemEnd === out.length) out.blockExactly(1);
  else out.block();
  renderItem(item, '- ', 0, page);
  page.strayItemEnd = out.length;
  out.block();
}

/** GitHub's task lists: a box at the start of an item. Other controls are left out. */
export function renderCheckbox({ attributes }: ElementNode, page: Renderer): void {
  if (attributes.type?.toLowerCase() !== 'checkbox' || page.item?.start !== page.out.length) return;
  if (!page.item.hasText) return;
  page.out.verbatim(attributes.checked === undefined ? '[ ]' : '[x]');
  page.out.space();
}

function firstNumber(list: ElementNode): number {
  const start = Number.parseInt(list.attributes.start ?? '', 10);
  if (!Number.isNaN(start)) return start;
  if (list.attributes.reversed === undefined) return 1;
  return list.children.filter((child) => child.kind === 'element' && child.name === 'li').length;
}

function numberOf(item: ElementNode): number | undefined {
  const value = Number.parseInt(item.attributes.value ?? '', 10);
  return Number.isNaN(value) ? undefined : value;
}
