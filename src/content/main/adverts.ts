import type { ElementNode } from '../tree.ts';
import { isAdvert } from './boilerplate.ts';
import { PartReader } from './element-parts.ts';

/** Removes advertisements and cookie banners from the tree, by the names of their elements. */
export function dropAdverts(root: ElementNode): void {
  const reader = new PartReader();
  const drop = (element: ElementNode): void => {
    const { children } = element;
    let kept = 0;
    for (const child of children) {
      if (child.kind === 'element') {
        if (isAdvert(child, reader.read(child), root.textLength)) continue;
        drop(child);
      }
      children[kept++] = child;
    }
    children.length = kept;
  };
  drop(root);
}
