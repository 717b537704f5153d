/** Inline styles that take an element off the page. `opacity: 0` is not among them: scripts fade content in. */
const HIDING_STYLE = /(?:^|[\s;])(?:display\s*:\s*none|visibility\s*:\s*hidden)/i;

/** Whether an attribute, with its name in lower case, says that the element is not shown. */
export function hides(name: string, value: string): boolean {
  switch (name) {
    case 'hidden':
      // `until-found` content is folded, not absent: browsers search it and open it.
      return value.toLowerCase() !== 'until-found';
    case 'aria-hidden':
      return value === 'true';
    case 'style':
      return HIDING_STYLE.test(value);
    case 'popover':
      return true;
    default:
      return false;
  }
}
