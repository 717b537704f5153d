import { addToOuter } from '../tree/count-text.ts';
import type { ElementNode, PageTree } from '../tree.ts';
import { walkElements } from '../walk.ts';
import { placeStreamed } from './streamed.ts';
import { placeTabLabels } from './tab-labels.ts';
import { Tabs } from './tabs.ts';

/** Roles of panels that a page folds. Each has a tab or a heading that opens it. */
const FOLDED_ROLES = new Set(['tabpanel', 'region']);
const FOLDED_NAMES = /accordion|collaps|tab-?(?:pane|panel|content)|faq|expand/i;

/** Elements that head a folded panel. */
const HEADINGS = new Set(['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'summary', 'dt']);

/** Less hidden text is a label or a message for later, not a page that waits for its script. In characters. */
const MIN_WAITING_TEXT = 400;

/**
 * Shows content that readers see although the source hides it, and keeps the text counts of the tree right. This is:
 * content streamed after the page that belongs into it; the panels of tabs, each below its label; the panels of
 * accordions, with headings that are buttons; a page that is hidden until its script has run; and `<noscript>` if there
 * is little else to read.
 */
export function showContent({ root }: PageTree): void {
  const hidden: ElementNode[] = [];
  const headingButtons = new Set<ElementNode>();
  const noscripts: ElementNode[] = [];
  const places = new Map<string, ElementNode>();
  const tabs = new Tabs();
  walkElements(root.children, (element) => {
    switch (element.name) {
      case 'head':
      case 'script':
      case 'style':
        return false;
      case 'template':
        if (element.attributes.id !== undefined) places.set(element.attributes.id, element);
        return false;
      case 'noscript':
        if (element.textLength > 0) noscripts.push(element);
        return false;
      case 'button':
        if (!element.hidden && isHeading(element)) headingButtons.add(element);
    }
    if (element.hidden) hidden.push(element);
    tabs.meet(element);
    return true;
  });
  if (headingButtons.size > 0) unwrap(headingButtons);
  if (places.size > 0) for (const element of placeStreamed(hidden, places)) show(element);
  for (const element of hidden) if (isFolded(element) || isWaiting(element, root)) show(element);
  const panels = tabs.pair(root);
  for (const { panel } of panels) show(panel);
  placeTabLabels(panels);
  const unscripted = noscripts.reduce((sum, { textLength }) => sum + textLength, 0);
  if (unscripted >= MIN_WAITING_TEXT && unscripted > root.textLength) for (const element of noscripts) show(element);
}

function isHeading({ parent, children }: ElementNode): boolean {
  if (parent && HEADINGS.has(parent.name)) return true;
  return children.some((child) => child.kind === 'element' && HEADINGS.has(child.name));
}

/** Replaces these elements with their content. */
function unwrap(elements: ReadonlySet<ElementNode>): void {
  const parents = new Set<ElementNode>();
  for (const { parent } of elements) if (parent) parents.add(parent);
  for (const parent of parents) {
    const { children } = parent;
    const unwrapped = children.flatMap((child) =>
      child.kind === 'element' && elements.has(child) ? child.children : [child],
    );
    children.length = 0;
    for (const child of unwrapped) {
      child.parent = parent;
      children.push(child);
    }
  }
}

function isFolded({ attributes: { role, class: classes = '' } }: ElementNode): boolean {
  return role === undefined ? FOLDED_NAMES.test(classes) : FOLDED_ROLES.has(role);
}

function isWaiting({ textLength }: ElementNode, root: ElementNode): boolean {
  return textLength >= MIN_WAITING_TEXT && textLength > root.textLength;
}

function show(element: ElementNode): void {
  if (!element.hidden) return;
  element.hidden = false;
  addToOuter(element, 1);
}
