import { lettersOf } from '../letters.ts';
import type { ProductVariant } from '../page-content.ts';

/** What one source says about the page's product. Anything can be missing. */
export interface Draft {
  title?: string | undefined;
  brand?: string | undefined;
  category?: string | undefined;
  url?: string | undefined;
  description?: string | undefined;
  variants: DraftVariant[];
}

export type DraftVariant = { [Key in keyof ProductVariant]?: ProductVariant[Key] | undefined } & {
  /** The absolute address of the page with this variant selected. */
  address?: string | undefined;
  /** The manufacturer's number. It is used when the shop's own number is unknown. */
  mpn?: string | undefined;
};

/** A source gives the product, or the reason why it cannot. Most give neither. */
export type Finding = { draft: Draft } | { problem: string } | undefined;

export const MAX_TITLE = 500;
export const MAX_DESCRIPTION = 5_000;
/** Images of one variant. */
export const MAX_IMAGES = 20;
/** The largest shop systems allow 2,048 variants of a product. */
export const MAX_VARIANTS = 2_048;

/** Whether two titles name the same product: equal except for case, punctuation and what shops add before or after. */
export function isSameTitle(one: string | undefined, other: string | undefined): boolean {
  const [a, b] = [lettersOf(one), lettersOf(other)];
  if (a === '' || b === '') return false;
  return a === b || (Math.min(a.length, b.length) >= 4 && (a.includes(b) || b.includes(a)));
}

/** The discount, when the former price is higher and in the same currency. */
export function saleOf(price: DraftVariant['price'], original: DraftVariant['price']): DraftVariant['sale'] {
  if (!price || !original || original.amount <= price.amount) return undefined;
  return price.currency === original.currency ? { originalPrice: original } : undefined;
}
