import type { ElementNode } from '../tree.ts';
import { NO_BREAK_SPACE, SPACE } from './characters.ts';
import { HIDDEN, MUTED } from './tags.ts';

const COMMA = 0x2c;
/**
 * The commas of other scripts, from Greek ano teleia to full-width. Together with `,`, Readability-like scores count
 * them.
 */
const OTHER_COMMAS = new Set([
  0x55d, 0x60c, 0x7f8, 0x1363, 0x1802, 0x1808, 0x2e41, 0x3001, 0xfe10, 0xfe11, 0xfe50, 0xff0c,
]);

/**
 * Adds the text from `start` to `end` of the source to the counts of its element. White space at the ends does not
 * count, and elsewhere a run of it counts as one character.
 */
export function countText(element: ElementNode, source: string, start: number, end: number): void {
  let length = end - start;
  let commas = 0;
  for (let index = start; index < end; index++) {
    const code = source.charCodeAt(index);
    // Nearly all characters are letters and digits.
    if (code > COMMA && code < NO_BREAK_SPACE) continue;
    if (code === COMMA || (code > 0x500 && OTHER_COMMAS.has(code))) commas++;
    if (!isBlank(code)) continue;
    const run = index;
    while (index + 1 < end && isBlank(source.charCodeAt(index + 1))) index++;
    length -= run === start || index + 1 === end ? index + 1 - run : index - run;
  }
  element.textLength += length;
  element.commas += commas;
}

function isBlank(code: number): boolean {
  return code <= SPACE || code === NO_BREAK_SPACE;
}

/** Adds the counts of a closed element to those of its parent, unless it is hidden. */
export function carryUp(element: ElementNode): void {
  if (element.name === 'a' && element.attributes.href !== undefined) element.linkLength = element.textLength;
  const parent = element.parent;
  if (parent !== null && (element.hasCode || element.name === 'pre')) parent.hasCode = true;
  if (parent === null || element.hidden || (element.bits & MUTED) !== 0) return;
  parent.textLength += element.textLength;
  parent.linkLength += element.linkLength;
  parent.commas += element.commas;
}

/**
 * Adds the counts of an inserted or newly shown element to its ancestors, up to a hidden one.
 * @param times -1 when it is removed
 */
export function addToOuter(element: ElementNode, times: 1 | -1): void {
  for (let outer = element.parent; outer; outer = outer.parent) {
    outer.textLength += times * element.textLength;
    outer.linkLength += times * element.linkLength;
    outer.commas += times * element.commas;
    if (outer.hidden) return;
  }
}

/** Recomputes the counts of an element and everything below, after nodes were removed. */
export function recount(element: ElementNode): void {
  element.textLength = 0;
  element.linkLength = 0;
  element.commas = 0;
  for (const child of element.children) {
    if (child.kind === 'element') recount(child);
    else if ((element.bits & HIDDEN) === 0) countText(element, child.text, 0, child.text.length);
  }
  carryUp(element);
}
