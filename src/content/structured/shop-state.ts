import type { PageTree } from '../tree.ts';
import { walkElements } from '../walk.ts';
import { isRecord, parseJson } from './json.ts';
import { readLiteral } from './literal.ts';
import type { Scripts } from './scripts.ts';

/** The variants of a page's product in the state of the shop system. */
export interface ShopState {
  system: 'Shopify' | 'WooCommerce';
  variants: Record<string, unknown>[];
  /** Names of the options that distinguish the variants, if the system keeps them separately. */
  options: string[];
  /** ISO 4217 currency code. */
  currency: string | undefined;
}

/** Shopify puts this on every product page for its own analytics. */
const SHOPIFY_META = /\bvar meta\s*=\s*(?=\{\s*"product")/g;
const SHOPIFY_CURRENCY = /ShopifyAnalytics\.meta\.currency\s*=\s*["']([A-Z]{3})["']/;
/** Only Shopify products have all of these fields. */
const SHOPIFY_FIELDS = ['price_min', 'compare_at_price', 'variants'];

/** Undefined if the page is not about a product with variants, or is from another shop system. */
export function readShopState(tree: PageTree, { json, javaScript }: Scripts): ShopState | undefined {
  const currency = javaScript.map((script) => SHOPIFY_CURRENCY.exec(script)?.[1]).find((code) => code !== undefined);
  for (const text of json) {
    // Most blocks are something else, and some are large, so parse only likely ones.
    if (!text.includes('"price_min"')) continue;
    const product = shopifyProduct(parseJson(text));
    if (product) return { system: 'Shopify', ...product, currency };
  }
  for (const script of javaScript) {
    SHOPIFY_META.lastIndex = 0;
    if (!SHOPIFY_META.test(script)) continue;
    const { value } = readLiteral(script, SHOPIFY_META.lastIndex, 'script');
    const product = isRecord(value) && isRecord(value.product) ? value.product : {};
    const variants = recordsOf(product.variants);
    if (variants.length > 0) return { system: 'Shopify', variants, options: [], currency };
  }
  return wooCommerce(tree);
}

/** Accepts the product itself or an object that wraps it. */
function shopifyProduct(value: unknown): { variants: Record<string, unknown>[]; options: string[] } | undefined {
  if (!isRecord(value)) return undefined;
  const product = isRecord(value.product) ? value.product : value;
  if (SHOPIFY_FIELDS.some((field) => !(field in product))) return undefined;
  const options = Array.isArray(product.options) ? product.options : [];
  return {
    variants: recordsOf(product.variants),
    options: options.map((option) => String(isRecord(option) ? option.name : option)),
  };
}

function wooCommerce(tree: PageTree): ShopState | undefined {
  let variations: string | undefined;
  walkElements(tree.root.children, ({ name, attributes }) => {
    if (name === 'form') variations ??= attributes.get('data-product_variations');
    return variations === undefined;
  });
  const variants = recordsOf(variations === undefined ? undefined : parseJson(variations));
  return variants.length > 0 ? { system: 'WooCommerce', variants, options: [], currency: undefined } : undefined;
}

function recordsOf(list: unknown): Record<string, unknown>[] {
  return Array.isArray(list) ? list.filter(isRecord) : [];
}
