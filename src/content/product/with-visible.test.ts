import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ProductVariant } from '../page-content.ts';
import { parseHtml } from '../parse-html.ts';
import { readStructuredData } from '../structured/read-structured-data.ts';
import { readProduct } from './read-product.ts';

const PAGE = 'https://shop.example/products/kettle';

function variantsOf(html: string, url = PAGE): ProductVariant[] {
  const tree = parseHtml(html, url);
  const { product, warning } = readProduct(tree, readStructuredData(tree), { html, url });
  assert.ok(product, warning);
  return product.variants;
}

const marked = (data: object) =>
  `<script type="application/ld+json">${JSON.stringify({ '@type': 'Product', name: 'Kettle', ...data })}</script>`;
const offer = (data: object) => ({ offers: { '@type': 'Offer', priceCurrency: 'EUR', ...data } });
const BUY = '<form action="/cart/add"><button>In den Warenkorb</button></form>';
const shown = (html: string) => `<html lang="de"><body><main><h1>Kettle</h1>${html}</main></body></html>`;

describe('what visitors see, combined with the data,', () => {
  const cases: [name: string, data: object, html: string, expected: Partial<ProductVariant>][] = [
    [
      'fills gaps in the data',
      { sku: 'K-1' },
      `<p class="price">34,00 €</p><p>Nicht auf Lager</p>`,
      {
        sku: 'K-1',
        price: { amount: 34, currency: 'EUR', formatted: '34,00 €' },
        availability: { inStock: false, text: 'OutOfStock' },
      },
    ],
    [
      'adds the former price and the formatted price to the data',
      offer({ price: '34.00' }),
      `<del>45,00 €</del> <b>34,00 €</b>${BUY}`,
      {
        price: { amount: 34, currency: 'EUR', formatted: '34,00 €' },
        sale: { originalPrice: { amount: 45, currency: 'EUR', formatted: '45,00 €' } },
        availability: { inStock: true, text: 'InStock' },
      },
    ],
    [
      'replaces a price that has since been reduced',
      offer({ price: '45.00' }),
      `<del>45,00 €</del> <b class="price">34,00 €</b>${BUY}`,
      {
        price: { amount: 34, currency: 'EUR', formatted: '34,00 €' },
        sale: { originalPrice: { amount: 45, currency: 'EUR', formatted: '45,00 €' } },
        availability: { inStock: true, text: 'InStock' },
      },
    ],
    [
      'replaces a price that is nowhere on the page',
      offer({ price: '34.000' }),
      `<p class="price">34,00 €</p>${BUY}`,
      {
        price: { amount: 34, currency: 'EUR', formatted: '34,00 €' },
        availability: { inStock: true, text: 'InStock' },
      },
    ],
    [
      'keeps a price in another currency',
      offer({ price: '40', priceCurrency: 'USD' }),
      `<p class="price">34,00 €</p>${BUY}`,
      { price: { amount: 40, currency: 'USD' }, availability: { inStock: true, text: 'InStock' } },
    ],
    [
      'keeps a price that is also elsewhere on the page',
      offer({ price: '40' }),
      `<p class="price">34,00 €</p><p>Im Set: 40,00 €</p>${BUY}`,
      { price: { amount: 40, currency: 'EUR' }, availability: { inStock: true, text: 'InStock' } },
    ],
    [
      'replaces a number that is nowhere on the page',
      { sku: '8839201', ...offer({ price: 34 }) },
      `<p class="price">34,00 €</p><p>Art.-Nr.: K-100</p>${BUY}`,
      {
        sku: 'K-100',
        price: { amount: 34, currency: 'EUR', formatted: '34,00 €' },
        availability: { inStock: true, text: 'InStock' },
      },
    ],
    [
      'keeps a number that is on the page',
      { sku: 'K-100', ...offer({ price: 34 }) },
      `<p class="price">34,00 €</p><p>K-100</p><p>Modell: 77-A</p>${BUY}`,
      {
        sku: 'K-100',
        price: { amount: 34, currency: 'EUR', formatted: '34,00 €' },
        availability: { inStock: true, text: 'InStock' },
      },
    ],
    [
      'prefers the shop’s number to the manufacturer’s in the data',
      { mpn: 'MX-5', ...offer({ price: 34 }) },
      `<p class="price">34,00 €</p><p>Art.-Nr.: K-100, Hersteller-Nr.: MX-5</p>${BUY}`,
      {
        sku: 'K-100',
        price: { amount: 34, currency: 'EUR', formatted: '34,00 €' },
        availability: { inStock: true, text: 'InStock' },
      },
    ],
    [
      'says sold out where the data promises stock',
      offer({ price: 34, availability: 'InStock' }),
      '<p class="price">34,00 €</p><button disabled>Ausverkauft</button>',
      {
        price: { amount: 34, currency: 'EUR', formatted: '34,00 €' },
        availability: { inStock: false, text: 'OutOfStock' },
      },
    ],
    [
      'does not promise stock for a button alone',
      offer({ price: 34, availability: 'OutOfStock' }),
      `<p class="price">34,00 €</p>${BUY}`,
      {
        price: { amount: 34, currency: 'EUR', formatted: '34,00 €' },
        availability: { inStock: false, text: 'OutOfStock' },
      },
    ],
  ];
  for (const [name, data, html, expected] of cases) {
    it(name, () => assert.deepEqual(variantsOf(marked(data) + shown(html)), [expected]));
  }

  it('is ignored where it is about another product', () => {
    const [variant] = variantsOf(marked({ name: 'Teapot', sku: 'T' }) + shown('<p class="price">34,00 €</p>'));
    assert.equal(variant?.price, undefined);
  });

  it('decides which of several products is meant where the data does not', () => {
    const html = marked({ name: 'Teapot' }) + marked({ name: 'Cup' }) + shown(`<p class="price">34,00 €</p>${BUY}`);
    assert.equal(variantsOf(html)[0]?.price?.amount, 34);
  });
});

describe('the first of several variants is', () => {
  const variant = (size: string, price: number, availability: string) => ({
    '@type': 'Product',
    name: `Kettle ${size}`,
    sku: `K-${size}`,
    size,
    offers: {
      '@type': 'Offer',
      url: `/products/kettle?variant=${price}`,
      price,
      priceCurrency: 'EUR',
      availability,
    },
  });
  const group = (...variants: object[]) =>
    marked({ '@type': 'ProductGroup', variesBy: 'size', hasVariant: variants }).replace(
      '"Product","name"',
      '"ProductGroup","name"',
    );
  const data = group(variant('S', 30, 'OutOfStock'), variant('M', 34, 'InStock'), variant('L', 38, 'InStock'));
  const cases: [name: string, url: string, html: string, expected: string][] = [
    ['the one whose address is the page’s', '?variant=38', '', 'K-L'],
    ['the one whose address is the page’s, among other parameters', '?utm_source=x&variant=38', '', 'K-L'],
    ['the one whose number is in the address', '?sku=K-L', '', 'K-L'],
    ['the one whose number is in the fragment', '#K-L', '', 'K-L'],
    ['the one whose number ends the path', '/K-L', '', 'K-L'],
    ['the one whose values are in the address', '?attribute_pa_size=l', '', 'K-L'],
    ['the one whose values are in the fragment', '#/2-size-l', '', 'K-L'],
    ['the one whose number is shown', '', '<p>Art.-Nr.: K-L</p>', 'K-L'],
    ['the one whose price is shown', '', `<p class="price">38,00 €</p>${BUY}`, 'K-L'],
    ['else the first that is in stock', '', '', 'K-M'],
  ];
  for (const [name, url, html, expected] of cases) {
    it(name, () => {
      const variants = variantsOf(data + shown(html), PAGE + url);
      assert.equal(variants[0]?.sku, expected);
      assert.deepEqual(variants.map(({ sku }) => sku).toSorted(), ['K-L', 'K-M', 'K-S']);
    });
  }
});

describe('variants of the shop system', () => {
  const meta = (variants: object[]) =>
    `<script>window.ShopifyAnalytics = window.ShopifyAnalytics || {}; window.ShopifyAnalytics.meta = window.ShopifyAnalytics.meta || {};
    window.ShopifyAnalytics.meta.currency = 'EUR'; var meta = {"product":{"id":7,"gid":"gid:\\/\\/shopify\\/Product\\/7","vendor":"Acme","type":"","variants":${JSON.stringify(variants)},"remote":false},"page":{"pageType":"product"}};</script>`;
  const sizes = [
    { id: 1, price: 3400, name: 'Kettle - S', public_title: 'S', sku: 'K-S' },
    { id: 2, price: 3800, name: 'Kettle - L', public_title: 'L', sku: 'K-L' },
  ];

  it('of Shopify are read from its analytics', () => {
    const html = meta(sizes) + shown(`<p class="price">34,00 €</p>${BUY}`);
    assert.deepEqual(variantsOf(html, `${PAGE}?variant=2`), [
      {
        id: '2',
        sku: 'K-L',
        title: 'L',
        price: { amount: 38, currency: 'EUR' },
        availability: { inStock: true, text: 'InStock' },
      },
      {
        id: '1',
        sku: 'K-S',
        title: 'S',
        price: { amount: 34, currency: 'EUR', formatted: '34,00 €' },
        availability: { inStock: true, text: 'InStock' },
      },
    ]);
  });

  it('of Shopify are read from its product', () => {
    const product = {
      price_min: 3400,
      compare_at_price: null,
      options: ['Size'],
      variants: [
        { id: 1, sku: 'K-S', option1: 'S', public_title: 'S', available: false, price: 3400, compare_at_price: 4500 },
        { id: 2, sku: 'K-L', option1: 'L', public_title: 'L', available: true, price: 3800, compare_at_price: null },
      ],
    };
    const html = `<script type="application/json">${JSON.stringify(product)}</script>${shown(`<p class="price">34,00 €</p>${BUY}`)}`;
    assert.deepEqual(
      variantsOf(html).map(({ sku, values, price, sale, availability }) => [
        sku,
        values,
        price?.amount,
        sale?.originalPrice.amount,
        availability.inStock,
      ]),
      [
        ['K-S', { Size: 'S' }, 34, 45, false],
        ['K-L', { Size: 'L' }, 38, undefined, true],
      ],
    );
  });

  it('of WooCommerce are read from its form', () => {
    const variations = sizes.map(({ id, price, sku, public_title: size }) => ({
      variation_id: id,
      sku,
      attributes: { attribute_pa_size: size },
      display_price: price / 100,
      display_regular_price: 45,
      is_in_stock: id === 1,
      image: { url: '/k.jpg' },
    }));
    const form = `<form class="variations_form" data-product_variations="${JSON.stringify(variations).replaceAll('"', '&quot;')}"><button>In den Warenkorb</button></form>`;
    assert.deepEqual(
      variantsOf(shown(`<p class="price">ab 34,00 €</p>${form}`), `${PAGE}?attribute_pa_size=L`).map(
        ({ id, values, price, availability, images }) => [
          id,
          values,
          price?.amount,
          availability.inStock,
          images?.[0]?.url,
        ],
      ),
      [
        ['2', { size: 'L' }, 38, false, 'https://shop.example/k.jpg'],
        ['1', { size: 'S' }, 34, true, 'https://shop.example/k.jpg'],
      ],
    );
  });

  it('are ignored where the page shows a number that none of them has', () => {
    const html = meta(sizes) + shown(`<p class="price">34,00 €</p><p>Art.-Nr.: K-100</p>${BUY}`);
    assert.deepEqual(
      variantsOf(html).map(({ sku }) => sku),
      ['K-100'],
    );
  });

  it('are ignored where their prices differ from the page’s', () => {
    const html = meta(sizes) + shown(`<p class="price">40,46 €</p>${BUY}`);
    assert.equal(variantsOf(html).length, 1);
  });
});
