import type { ElementNode } from '../tree.ts';
import { MUTED, type Tag } from './tags.ts';

const COMMA = 0x2c;
/** The commas of other scripts: Greek ano teleia to full-width; with `,` what Readability-like scores count. */
const OTHER_COMMAS = new Set([
  0x55d, 0x60c, 0x7f8, 0x1363, 0x1802, 0x1808, 0x2e41, 0x3001, 0xfe10, 0xfe11, 0xfe50, 0xff0c,
]);

/** Adds a piece of text to the counts of the element that it stands in. White space at its ends counts for nothing. */
export function countText(element: ElementNode, text: string): void {
  let length = 0;
  let commas = 0;
  let pendingSpace = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code <= 32 || code === 0xa0) {
      pendingSpace = length === 0 ? 0 : 1;
      continue;
    }
    length += 1 + pendingSpace;
    pendingSpace = 0;
    if (code === COMMA || (code > 0x500 && OTHER_COMMAS.has(code))) commas++;
  }
  element.textLength += length;
  element.commas += commas;
}

/** When an element is closed: its counts go into those of its parent, unless nobody sees them. */
export function carryUp(element: ElementNode, tag: Tag): void {
  if (tag.name === 'a' && element.attributes.href !== undefined) element.linkLength = element.textLength;
  const parent = element.parent;
  if (parent === null || element.hidden || (tag.bits & MUTED) !== 0) return;
  parent.textLength += element.textLength;
  parent.linkLength += element.linkLength;
  parent.commas += element.commas;
}
