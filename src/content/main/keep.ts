import { isShown, type OutlineNode } from './outline.ts';

/**
 * Takes out of the tree what the outline left out or dropped below `node`. Elements that are not shown stay, because
 * writers know what to do with them: formulas are in scripts and videos hold no text.
 */
export function keepContent(node: OutlineNode): void {
  const { children } = node.element;
  let next = 0;
  let kept = 0;
  for (const child of children) {
    const outlined = node.children[next];
    if (outlined?.element === child) {
      next++;
      if (outlined.dropped) continue;
      keepContent(outlined);
    } else if (child.kind === 'element' && isShown(child)) {
      continue;
    }
    children[kept++] = child;
  }
  children.length = kept;
}
