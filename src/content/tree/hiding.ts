import { type Attributes, hashOf } from './attributes.ts';

/** Inline styles that take an element off the page. `opacity: 0` is not among them: scripts fade content in. */
export const HIDING_STYLE = /(?:^|[\s;])(?:display\s*:\s*none|visibility\s*:\s*hidden)/i;

const HASHES = ['hidden', 'aria-hidden', 'style', 'popover'].map(hashOf);
const [HIDDEN, ARIA_HIDDEN, STYLE, POPOVER] = HASHES;

/** Whether an attribute whose name has that hash may say that the element is not shown. */
export function mayHide(hash: number): boolean {
  return hash === HIDDEN || hash === ARIA_HIDDEN || hash === STYLE || hash === POPOVER;
}

/** Whether its attributes say that an element is not shown. */
export function hides({ hidden, 'aria-hidden': ariaHidden, style, popover }: Attributes): boolean {
  // `until-found` content is folded, not absent: browsers search it and open it.
  if (hidden !== undefined && hidden.toLowerCase() !== 'until-found') return true;
  return ariaHidden === 'true' || popover !== undefined || (style !== undefined && HIDING_STYLE.test(style));
}
