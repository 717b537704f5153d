import type { ElementNode, TreeNode } from './tree.ts';

/**
 * Calls `visit` for every element of `nodes` and below, in document order. A visit that returns `false` skips
 * what is below that element. Keeps its own stack, so that no nesting depth can overflow the call stack.
 */
export function walkElements(nodes: readonly TreeNode[], visit: (element: ElementNode) => unknown): void {
  const stack: TreeNode[] = [];
  pushReversed(stack, nodes);
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (node.kind === 'text' || visit(node) === false) continue;
    pushReversed(stack, node.children);
  }
}

/** The text of an element: what is in its text nodes, runs of white space as one space, at most `limit` characters. */
export function textOf(element: ElementNode, limit = 10_000): string {
  const parts: string[] = [];
  let length = 0;
  const stack: TreeNode[] = [element];
  for (let node = stack.pop(); node !== undefined && length < limit; node = stack.pop()) {
    if (node.kind === 'element') {
      pushReversed(stack, node.children);
    } else {
      parts.push(node.text);
      length += node.text.length;
    }
  }
  return collapse(parts.join('').slice(0, limit));
}

/** Runs of white space (line breaks and no-break spaces too) as one space, none at the ends. */
export function collapse(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

function pushReversed(stack: TreeNode[], nodes: readonly TreeNode[]): void {
  for (let index = nodes.length - 1; index >= 0; index--) {
    const node = nodes[index];
    if (node !== undefined) stack.push(node);
  }
}
