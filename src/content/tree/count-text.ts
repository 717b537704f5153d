import type { ElementNode } from '../tree.ts';
import { HIDDEN, MUTED, TAGS } from './tags.ts';

const COMMA = 0x2c;
/** The commas of other scripts: Greek ano teleia to full-width; with `,` what Readability-like scores count. */
const OTHER_COMMAS = new Set([
  0x55d, 0x60c, 0x7f8, 0x1363, 0x1802, 0x1808, 0x2e41, 0x3001, 0xfe10, 0xfe11, 0xfe50, 0xff0c,
]);

export function isComma(code: number): boolean {
  return code === COMMA || (code > 0x500 && OTHER_COMMAS.has(code));
}

/** Characters of a piece of text, white space at its ends counted for nothing, runs of it as one; and its commas. */
export function countOf(text: string): { length: number; commas: number } {
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
    if (isComma(code)) commas++;
  }
  return { length, commas };
}

/**
 * When an element is closed: its counts go into those of its parent, unless nobody sees them.
 * @param bits of its tag
 */
export function carryUp(element: ElementNode, bits: number): void {
  if (element.name === 'a' && element.attributes.href !== undefined) element.linkLength = element.textLength;
  const parent = element.parent;
  if (parent === null || element.hidden || (bits & MUTED) !== 0) return;
  parent.textLength += element.textLength;
  parent.linkLength += element.linkLength;
  parent.commas += element.commas;
}

/** Makes the counts of an element and all below again, after nodes were taken out. */
export function recount(element: ElementNode): void {
  const bits = TAGS.get(element.name)?.bits ?? 0;
  element.textLength = 0;
  element.linkLength = 0;
  element.commas = 0;
  for (const child of element.children) {
    if (child.kind === 'element') recount(child);
    else if ((bits & HIDDEN) === 0) {
      const { length, commas } = countOf(child.text);
      element.textLength += length;
      element.commas += commas;
    }
  }
  carryUp(element, bits);
}
