import { Attributes, AttributeTable, hashOf } from '../tree/attributes.ts';
import { addToOuter } from '../tree/count-text.ts';
import { tagOf } from '../tree/tags.ts';
import { ElementNode, NO_ATTRIBUTES, TextNode } from '../tree.ts';
import { textOf, walkElements } from '../walk.ts';
import type { TabPanel } from './tabs.ts';

/** Elements that can hold a paragraph. For any other element, the label goes before it. */
const HOLDERS = new Set(
  'div section article aside main li td dd dl blockquote form fieldset figure details'.split(' '),
);
/** A panel that begins with a heading of the same words needs no label. */
const HEADING = /^h[1-6]$/;
const MAX_LOOKED_AT = 12;

const CLASS = 'class=tab-label ';
const TAB_LABEL = labelAttributes();

/** Puts the label of each panel above it as a bold line, and removes it from the row of tabs. */
export function placeTabLabels(pairs: readonly TabPanel[]): void {
  const removed = new Set<ElementNode>();
  const labels = new Map<ElementNode, ElementNode>();
  for (const { tabs, label, panel } of pairs) {
    for (const tab of tabs) removed.add(tab);
    if (!isHeadedBy(panel, label)) labels.set(panel, labelLine(label));
  }
  for (const tab of removed) if (!tab.hidden) addToOuter(tab, -1);
  const parents = new Set([...removed].map((tab) => tab.parent));
  for (const parent of parents) if (parent) withoutThese(parent, removed);
  for (const [panel, label] of labels) putAbove(panel, label);
}

/** Whether an element is the label of a panel, placed in it or before it. */
export function isTabLabel({ attributes }: ElementNode): boolean {
  return attributes === TAB_LABEL;
}

/** Puts the label or title of an element into it as its first line, or before it if it cannot hold one. */
export function putAbove(element: ElementNode, title: ElementNode): void {
  const around = isHolder(element) ? element : (element.parent ?? element);
  const at = around === element ? 0 : around.children.indexOf(element);
  around.children = [...around.children.slice(0, at), title, ...around.children.slice(at)];
  title.parent = around;
  addToOuter(title, 1);
}

/** Whether an element can hold a line of text above its content. */
export function isHolder({ name }: ElementNode): boolean {
  return HOLDERS.has(name) || name.includes('-');
}

function withoutThese(parent: ElementNode, removed: ReadonlySet<ElementNode>): void {
  parent.children = parent.children.filter((child) => child.kind === 'text' || !removed.has(child));
}

function isHeadedBy(panel: ElementNode, label: string): boolean {
  let looked = 0;
  let isHeaded = false;
  walkElements(panel.children, (element) => {
    if (++looked > MAX_LOOKED_AT) return false;
    if (HEADING.test(element.name))
      isHeaded ||= textOf(element, label.length + 1).toLowerCase() === label.toLowerCase();
    return !isHeaded;
  });
  return isHeaded;
}

function labelLine(text: string): ElementNode {
  const strong = new ElementNode(tagOf('strong'), NO_ATTRIBUTES, [new TextNode(text)]);
  const line = new ElementNode(tagOf('p'), TAB_LABEL, [strong]);
  strong.parent = line;
  for (const child of strong.children) child.parent = strong;
  for (const element of [strong, line]) element.textLength = text.length;
  return line;
}

function labelAttributes(): Attributes {
  const table = new AttributeTable(CLASS);
  table.add(hashOf('class'), 0, CLASS.indexOf('=') + 1, CLASS.length - 1);
  return new Attributes(table, 0, 1);
}
