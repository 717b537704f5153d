import { type OutlineNode, walkOutline } from './outline.ts';

const MAX_TITLE = 300;

/**
 * The heading of the content: the first `<h1>` in the container, else the last one above it. An `<h1>` that is a
 * link as a whole is the name of the site.
 */
export function findTitle(outline: OutlineNode, container: OutlineNode): OutlineNode | undefined {
  let above: OutlineNode | undefined;
  let inside: OutlineNode | undefined;
  let isPast = false;
  const visit = (node: OutlineNode, isWithin: boolean): void => {
    if (isTitle(node)) {
      if (isWithin) inside ??= node;
      else above = node;
    }
    for (const child of node.children) if (!isPast) visit(child, isWithin || child === container);
    if (node === container) isPast = true;
  };
  visit(outline, outline === container);
  return inside ?? above;
}

/** The first heading of the page that is not dropped. */
export function firstTitle(outline: OutlineNode): OutlineNode | undefined {
  let title: OutlineNode | undefined;
  walkOutline(outline, (node) => {
    if (title === undefined && isTitle(node)) title = node;
    return title === undefined;
  });
  return title;
}

function isTitle({ name, text, link }: OutlineNode): boolean {
  return name === 'h1' && text > 0 && text <= MAX_TITLE && link < 0.9 * text;
}

/** Takes the title, and it alone, out of the header that it was dropped with. */
export function keepTitle(title: OutlineNode): void {
  let header: OutlineNode | undefined;
  for (let node: OutlineNode | null = title; node; node = node.parent) if (node.dropped) header = node;
  if (header === undefined) return;
  header.dropped = false;
  for (let node = title; node !== header && node.parent; node = node.parent) {
    for (const sibling of node.parent.children) sibling.dropped = sibling !== node;
  }
}
