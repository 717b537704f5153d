import { type Attributes, hashOf } from './attributes.ts';

/** Inline styles that hide an element. `opacity: 0` is not among them, because scripts fade content in. */
export const HIDING_STYLE = /(?:^|[\s;])(?:display\s*:\s*none|visibility\s*:\s*hidden)/i;

const HASHES = ['hidden', 'aria-hidden', 'style', 'popover'].map(hashOf);
const [HIDDEN, ARIA_HIDDEN, STYLE, POPOVER] = HASHES;

/** Whether an attribute whose name has that hash can hide the element. */
export function mayHide(hash: number): boolean {
  return hash === HIDDEN || hash === ARIA_HIDDEN || hash === STYLE || hash === POPOVER;
}

/** Whether its attributes hide an element. */
export function hides({ hidden, 'aria-hidden': ariaHidden, style, popover }: Attributes): boolean {
  // `until-found` content is folded, not absent: browsers search it and open it.
  if (hidden !== undefined && hidden.toLowerCase() !== 'until-found') return true;
  return ariaHidden === 'true' || popover !== undefined || (style !== undefined && HIDING_STYLE.test(style));
}
