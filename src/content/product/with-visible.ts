import type { Draft } from './draft.ts';
import type { VisibleProduct } from './visible/read-visible-product.ts';

export function withVisible(draft: Draft, _visible: VisibleProduct): Draft {
  return draft;
}
