import type { ElementNode, PageTree } from '../tree.ts';
import { walkElements } from '../walk.ts';

/** Panels that a page folds: each has a tab or a heading that opens it. */
const FOLDED_ROLES = new Set(['tabpanel', 'region']);
const FOLDED_NAMES = /accordion|collaps|tab-?(?:pane|panel|content)|faq|expand/i;

/** Less hidden text than this is a label or a message for later, not a page that waits for its script. */
const MIN_WAITING_TEXT = 400;

/**
 * Shows what readers get to see although the source hides it, and keeps the text counts of the tree right:
 * content that was streamed behind the page and is to be put in its place, the panels of tabs and accordions, a page
 * that is hidden until its script has run, and `<noscript>` where nothing much else is there to read.
 */
export function showContent({ root }: PageTree): void {
  const hidden: ElementNode[] = [];
  const noscripts: ElementNode[] = [];
  const places = new Map<string, ElementNode>();
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
      default:
        if (element.hidden) hidden.push(element);
        return true;
    }
  });
  if (places.size > 0) for (const element of hidden) placeStreamed(element, places);
  for (const element of hidden) if (isFolded(element)) show(element);
  for (const element of hidden) if (waits(element, root)) show(element);
  const unscripted = noscripts.reduce((sum, { textLength }) => sum + textLength, 0);
  if (unscripted >= MIN_WAITING_TEXT && unscripted > root.textLength) for (const element of noscripts) show(element);
}

function isFolded({ attributes: { role, class: classes = '' } }: ElementNode): boolean {
  return role === undefined ? FOLDED_NAMES.test(classes) : FOLDED_ROLES.has(role);
}

function waits(element: ElementNode, root: ElementNode): boolean {
  return element.hidden && element.textLength >= MIN_WAITING_TEXT && element.textLength > root.textLength;
}

function show(element: ElementNode): void {
  if (!element.hidden) return;
  element.hidden = false;
  count(element, 1);
}

/** Adds the text of an element to what is around it, as far as that is shown, or takes it off. */
function count(element: ElementNode, sign: 1 | -1): void {
  for (let outer = element.parent; outer; outer = outer.parent) {
    outer.textLength += sign * element.textLength;
    outer.linkLength += sign * element.linkLength;
    outer.commas += sign * element.commas;
    if (outer.hidden) return;
  }
}

/**
 * React streams late content as `<div hidden id="S:1">` to the end of the page, where a script moves it to
 * `<template id="B:1">` (a boundary) or `<template id="P:1">` (a part of one).
 */
function placeStreamed(element: ElementNode, places: Map<string, ElementNode>): void {
  const id = element.attributes.id ?? '';
  const colon = id.lastIndexOf('S:');
  if (colon < 0) return;
  const [prefix, number] = [id.slice(0, colon), id.slice(colon + 2)];
  const place = places.get(`${prefix}B:${number}`) ?? places.get(`${prefix}P:${number}`);
  const parent = place?.parent;
  if (!place || !parent || isWithin(parent, element)) return;
  const source = element.parent?.children;
  source?.splice(source.indexOf(element), 1);
  parent.children[parent.children.indexOf(place)] = element;
  element.parent = parent;
  show(element);
}

function isWithin(inner: ElementNode, outer: ElementNode): boolean {
  for (let element: ElementNode | null = inner; element; element = element.parent) if (element === outer) return true;
  return false;
}
