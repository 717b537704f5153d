import type { AttributeSelector } from './page-content.ts';
import { selectAll } from './selectors.ts';
import type { ElementNode } from './tree.ts';

/** The largest real lists have about 5,000 elements. */
const MAX_VALUES = 10_000;

export interface AttributeValues extends AttributeSelector {
  values: string[];
}

/**
 * For each selector, the values of its attribute on the matching elements below `root`, in document order and with
 * repetitions. Values are exactly as on the page: addresses are not resolved, so that values can be compared with the
 * source.
 * @throws TrawlError BAD_REQUEST when a selector is invalid or takes too much work on this page
 */
export function readAttributes(root: ElementNode, selectors: readonly AttributeSelector[]): AttributeValues[] {
  return selectors.map(({ selector, attribute }) => {
    const name = attribute.toLowerCase();
    const values = selectAll(root, selector).map((element) => element.attributes.get(name));
    return { selector, attribute, values: values.filter((value) => value !== undefined).slice(0, MAX_VALUES) };
  });
}
