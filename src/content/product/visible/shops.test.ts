import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FURTHER_SHOPS } from '../../../../test/support/further-shop-pages.ts';
import { type Expected, SHOPS } from '../../../../test/support/shop-pages.ts';
import type { Product } from '../../page-content.ts';
import { parseHtml } from '../../parse-html.ts';
import { readStructuredData } from '../../structured/read-structured-data.ts';
import { readProduct } from '../read-product.ts';

function read(html: string, url: string): { product?: Product; warning?: string } {
  const tree = parseHtml(html, url);
  return readProduct(tree, readStructuredData(tree), { html, url });
}

function seen(product: Product | undefined): Expected {
  assert.ok(product, 'no product');
  const [variant] = product.variants;
  const all = {
    title: product.title,
    price: variant?.price?.amount,
    currency: variant?.price?.currency,
    original: variant?.sale?.originalPrice.amount,
    sku: variant?.sku,
    brand: product.brand,
    category: product.category,
    inStock: variant?.availability.inStock,
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

describe('what visitors see of a product is read on a page from', () => {
  for (const { name, url, html, expected } of [...SHOPS, ...FURTHER_SHOPS]) {
    it(name, () => assert.deepEqual(seen(read(html, url).product), expected));
  }
});
