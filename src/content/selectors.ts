import { compile } from 'css-select';
import { TrawlError } from '../errors.ts';
import { recount } from './tree/count-text.ts';
import type { ElementNode, PageTree, TreeNode } from './tree.ts';
import { textOf, walkElements } from './walk.ts';

/** Longer ones are generated or mistakes. */
const MAX_LENGTH = 1_000;
/** Levels of parentheses, as in `:not(:has(a))`. Each level makes compiling slower. */
const MAX_NESTING = 5;
/** Limits of one list. Three lists of the slowest selectors found within them take 60 ms to compile. */
export const MAX_SELECTORS = 100;
const MAX_TOTAL_LENGTH = 5_000;
/**
 * The maximum number of tree lookups for one selector: 0.2 s of work. A plain selector takes about one per element
 * (5,000 on a page of 1 MB), `li:nth-child(2)` on a list of 4,000 items takes 16 million, and `x ~ * ~ * ~ *` never
 * finishes.
 */
const MAX_STEPS = 20_000_000;

/** css-what accepts these, as selectors that match nothing or anything. */
const INCOMPLETE = /^\s*$|[>+~]\s*$/;

/** Strings and escaped characters: their parentheses do not count. */
const QUOTED = /\\.|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/gs;

export type Matcher = (element: ElementNode) => boolean;

/**
 * Checks the size of a list of selectors. Call it before any is compiled.
 * @throws TrawlError BAD_REQUEST when there are too many, or they are too long together
 */
export function requireSelectorBounds(selectors: readonly string[]): void {
  if (selectors.length > MAX_SELECTORS) {
    throw refusal(`There are ${selectors.length} selectors. Give at most ${MAX_SELECTORS}.`);
  }
  const length = selectors.reduce((sum, selector) => sum + selector.length, 0);
  if (length > MAX_TOTAL_LENGTH) {
    throw refusal(`The selectors have ${length} characters together. Keep them below ${MAX_TOTAL_LENGTH}.`);
  }
}

/**
 * A CSS selector (Selectors Level 4, as far as css-select supports it) as a predicate. It caches results for a tree, so
 * compile it again when the tree has changed.
 * @throws TrawlError BAD_REQUEST when the selector is invalid, and from the predicate when it takes too much work
 */
export function compileSelector(selector: string): Matcher {
  if (selector.length > MAX_LENGTH) {
    const start = selector.slice(0, 40);
    throw refusal(`The selector "${start}…" has ${selector.length} characters. Keep it below ${MAX_LENGTH}.`);
  }
  if (nestingOf(selector) > MAX_NESTING) {
    throw refusal(`The selector "${selector}" has more than ${MAX_NESTING} levels of parentheses.`);
  }
  let steps = 0;
  const step = (count: number) => {
    steps += count;
    if (steps > MAX_STEPS) {
      throw refusal(`The selector "${selector}" takes too much work on this page. Name a class or an id instead.`);
    }
  };
  if (INCOMPLETE.test(selector)) throw invalid(selector, 'there is nothing after the last combinator');
  try {
    return compile<TreeNode, ElementNode>(selector, { adapter: adapterCounting(step), relativeSelector: false });
  } catch (error) {
    throw invalid(selector, error instanceof Error ? error.message : String(error));
  }
}

/**
 * The elements below `root` that match, in document order.
 * @throws TrawlError BAD_REQUEST as compileSelector
 */
export function selectAll(root: ElementNode, selector: string): ElementNode[] {
  const matches = compileSelector(selector);
  const found: ElementNode[] = [];
  walkElements(root.children, (element) => {
    if (matches(element)) found.push(element);
  });
  return found;
}

/**
 * Changes the tree. With `includeTags`, only the elements that match one of them are left, in document order, each
 * once. Elements that match one of `excludeTags` are removed from that. Updates the counts. Read the metadata first.
 * @throws TrawlError BAD_REQUEST as compileSelector
 */
export function applyTags(tree: PageTree, includeTags: readonly string[], excludeTags: readonly string[]): void {
  if (includeTags.length === 0 && excludeTags.length === 0) return;
  const { root } = tree;
  const excluded = matching(root, excludeTags);
  if (includeTags.length > 0) keep(root, matching(root, includeTags));
  if (excluded.size > 0) drop(root, excluded);
  recount(root);
}

function nestingOf(selector: string): number {
  let level = 0;
  let deepest = 0;
  for (const [mark] of selector.replace(QUOTED, '').matchAll(/[()]/g)) {
    level += mark === '(' ? 1 : -1;
    deepest = Math.max(deepest, level);
  }
  return deepest;
}

function matching(root: ElementNode, selectors: readonly string[]): Set<ElementNode> {
  return new Set(selectors.flatMap((selector) => selectAll(root, selector)));
}

function keep(root: ElementNode, included: ReadonlySet<ElementNode>): void {
  const kept: ElementNode[] = [];
  walkElements(root.children, (element) => {
    if (!included.has(element)) return true;
    kept.push(element);
    return false;
  });
  root.children.length = 0;
  for (const element of kept) {
    element.parent = root;
    root.children.push(element);
  }
}

function drop(root: ElementNode, excluded: ReadonlySet<ElementNode>): void {
  const parents = new Set<ElementNode>();
  for (const { parent } of excluded) if (parent !== null) parents.add(parent);
  for (const { children } of [root, ...parents]) {
    const left = children.filter((child) => child.kind === 'text' || !excluded.has(child));
    children.splice(0, children.length, ...left);
  }
}

function invalid(selector: string, reason: string): TrawlError {
  return refusal(`"${selector}" is not a CSS selector: ${reason}. Examples: "article", "#main", ".post > p".`);
}

function refusal(message: string): TrawlError {
  return new TrawlError('BAD_REQUEST', message);
}

/** The tree as css-select sees it. The nameless root is not an element there, so `:root` is `<html>`. */
function adapterCounting(step: (count: number) => void) {
  const isTag = (node: TreeNode): node is ElementNode => {
    step(1);
    return node.kind === 'element' && node.name !== '';
  };
  return {
    isTag,
    getName: (element: ElementNode) => element.name,
    getAttributeValue: (element: ElementNode, name: string) => element.attributes.get(name),
    hasAttrib: (element: ElementNode, name: string) => element.attributes.has(name),
    getChildren: (node: TreeNode): TreeNode[] => (node.kind === 'element' ? node.children : []),
    getParent: (element: ElementNode) => element.parent,
    getSiblings: (node: TreeNode): TreeNode[] => node.parent?.children ?? [node],
    getText: (node: TreeNode) => {
      const text = node.kind === 'text' ? node.text : textOf(node);
      step(text.length);
      return text;
    },
    removeSubsets: (nodes: TreeNode[]) => nodes,
    equals: (one: TreeNode, other: TreeNode) => {
      step(1);
      return one === other;
    },
  };
}
