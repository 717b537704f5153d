import { type ElementNode, MAX_DEPTH, type TreeNode } from '../tree.ts';
import { recount } from './count-text.ts';

/**
 * HTML elements that can have a shadow root (DOM standard, "attach a shadow root"). Custom elements can have one too.
 */
const HOSTS = new Set(
  'article aside blockquote body div footer h1 h2 h3 h4 h5 h6 header main nav p section span'.split(' '),
);
/** How deep shadow roots may nest. Design systems nest about ten. */
const MAX_NESTING = 32;

/** One shadow tree. */
interface Scope {
  /** In document order. */
  slots: ElementNode[];
  nesting: number;
}

/**
 * Puts declarative shadow roots where browsers show them. The content of `<template shadowrootmode>` replaces the
 * children of its parent, and those children go into the slots (DOM standard, "assigning slottables"). A template that is
 * not a shadow root is hidden. No element gets deeper than MAX_DEPTH: one that would is placed after the shadow tree.
 */
export function composeShadowRoots(root: ElementNode): void {
  const slots = new Set<ElementNode>();
  compose(root, 0, { slots: [], nesting: 0 }, slots);
  if (slots.size > 0) unwrap(root, slots);
  recount(root);
}

/**
 * @param depth the depth of the element in the tree as it is now
 * @param composed receives the slots of all shadow trees
 * @returns how many levels there are below the element
 */
function compose(element: ElementNode, depth: number, scope: Scope, composed: Set<ElementNode>): number {
  if (element.name === 'slot') scope.slots.push(element);
  const shadow = scope.nesting < MAX_NESTING ? shadowRootOf(element) : undefined;
  const inner: Scope = { slots: [], nesting: scope.nesting + 1 };
  const heights = new Map<TreeNode, number>();
  let height = 0;
  for (const child of element.children) {
    if (child.kind === 'text') continue;
    let around = scope;
    if (child === shadow) {
      around = inner;
    } else if (child.name === 'template') {
      child.hidden = true;
      around = { slots: [], nesting: MAX_NESTING };
    }
    const below = compose(child, depth + 1, around, composed);
    heights.set(child, below);
    height = Math.max(height, below + 1);
  }
  if (shadow === undefined) return height;
  for (const slot of inner.slots) composed.add(slot);
  return Math.max(height, fill(element, shadow, inner.slots, depth, heights));
}

function shadowRootOf({ name, children }: ElementNode): ElementNode | undefined {
  if (!HOSTS.has(name) && !name.includes('-')) return undefined;
  for (const child of children) if (child.kind === 'element' && isShadowRoot(child)) return child;
  return undefined;
}

function isShadowRoot({ name, attributes }: ElementNode): boolean {
  if (name !== 'template') return false;
  const mode = attributes.shadowrootmode?.toLowerCase();
  return mode === 'open' || mode === 'closed';
}

/** @returns how many levels there are below the host now */
function fill(
  host: ElementNode,
  shadow: ElementNode,
  slots: readonly ElementNode[],
  depth: number,
  heights: ReadonlyMap<TreeNode, number>,
): number {
  const light = new Map<string, TreeNode[]>();
  for (const child of host.children) {
    if (child === shadow) continue;
    const name = (child.kind === 'element' && child.attributes.get('slot')) || '';
    const others = light.get(name);
    if (others) others.push(child);
    else light.set(name, [child]);
  }
  adopt(host, shadow.children);
  let deepest = 0;
  for (const slot of slots) {
    const name = slot.attributes.name ?? '';
    const nodes = light.get(name) ?? [];
    // White space alone does not replace the default content of a slot.
    if (nodes.every((node) => node.kind === 'text' && node.text.trim() === '')) continue;
    light.delete(name);
    const height = nodes.reduce((most, node) => Math.max(most, (heights.get(node) ?? 0) + 1), 0);
    const level = levelOf(slot);
    if (level + height > MAX_DEPTH) {
      adopt(host, [...host.children, ...nodes]);
      continue;
    }
    adopt(slot, nodes);
    deepest = Math.max(deepest, level + height - depth);
  }
  return deepest;
}

function adopt(parent: ElementNode, children: TreeNode[]): void {
  for (const child of children) child.parent = parent;
  parent.children = children;
}

function levelOf(element: ElementNode): number {
  let level = 0;
  for (let outer = element.parent; outer; outer = outer.parent) level++;
  return level;
}

/** Replaces slots with their content, because a slot has no box. A hidden slot stays, to hide its content. */
function unwrap(element: ElementNode, slots: ReadonlySet<ElementNode>): void {
  if (element.children.some((child) => isOpenSlot(child, slots))) adopt(element, withoutSlots(element, slots));
  for (const child of element.children) if (child.kind === 'element') unwrap(child, slots);
}

function withoutSlots({ children }: ElementNode, slots: ReadonlySet<ElementNode>): TreeNode[] {
  return children.flatMap((child) => {
    return child.kind === 'element' && isOpenSlot(child, slots) ? withoutSlots(child, slots) : [child];
  });
}

function isOpenSlot(node: TreeNode, slots: ReadonlySet<ElementNode>): boolean {
  return node.kind === 'element' && !node.hidden && slots.has(node);
}
