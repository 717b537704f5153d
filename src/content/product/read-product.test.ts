import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Product } from '../page-content.ts';
import { parseHtml } from '../parse-html.ts';
import { readStructuredData } from '../structured/read-structured-data.ts';
import { type ProductReading, readProduct } from './read-product.ts';

const PAGE = 'https://shop.example/p/shirt';

function read(html: string, url = PAGE): ProductReading {
  const tree = parseHtml(html, url);
  return readProduct(tree, readStructuredData(tree), { html, url });
}

function productOf(html: string, url = PAGE): Product {
  const { product, warning } = read(html, url);
  assert.ok(product, warning);
  return product;
}

function jsonLd(...values: unknown[]): string {
  return values.map((value) => `<script type="application/ld+json">${JSON.stringify(value)}</script>`).join('');
}

const SHIRT = { '@type': 'Product', name: 'Shirt', offers: { '@type': 'Offer', price: 20, priceCurrency: 'EUR' } };
const SOCKS = { '@type': 'Product', name: 'Socks', offers: { '@type': 'Offer', price: 5, priceCurrency: 'EUR' } };

describe('a product in JSON-LD', () => {
  it('is read whole', () => {
    const html = jsonLd({
      '@type': 'Product',
      name: 'Shirt &amp; tie',
      brand: { '@type': 'Brand', name: 'Acme' },
      category: 'Clothing',
      description: '<p>Soft.</p><p>Warm.</p>',
      url: '/p/shirt',
      sku: 'S-1',
      productID: '77',
      color: 'red',
      image: ['/1.jpg', { '@type': 'ImageObject', contentUrl: '/2.jpg', caption: 'Back' }, 'data:image/png;base64,AA'],
      offers: {
        '@type': 'Offer',
        priceCurrency: 'EUR',
        price: '1.299,00',
        availability: 'https://schema.org/InStock',
        priceSpecification: { priceType: 'https://schema.org/StrikethroughPrice', price: 1500, priceCurrency: 'EUR' },
      },
    });
    assert.deepEqual(productOf(html), {
      title: 'Shirt & tie',
      brand: 'Acme',
      category: 'Clothing',
      url: PAGE,
      description: 'Soft. Warm.',
      variants: [
        {
          id: '77',
          sku: 'S-1',
          values: { color: 'red' },
          price: { amount: 1299, currency: 'EUR' },
          sale: { originalPrice: { amount: 1500, currency: 'EUR' } },
          images: [{ url: 'https://shop.example/1.jpg' }, { url: 'https://shop.example/2.jpg', alt: 'Back' }],
          availability: { inStock: true, text: 'InStock' },
        },
      ],
    });
  });

  it('has the variants that its group lists', () => {
    const variant = (size: string, price: number, availability: string) => ({
      '@type': 'Product',
      name: `Shirt ${size}`,
      sku: `S-${size}`,
      size,
      additionalProperty: { '@type': 'PropertyValue', name: 'Fit', value: 'slim' },
      offers: { '@type': 'Offer', price, priceCurrency: 'EUR', availability },
    });
    const group = {
      '@type': 'ProductGroup',
      name: 'Shirt',
      image: '/s.jpg',
      variesBy: 'https://schema.org/size',
      hasVariant: [variant('S', 20, 'InStock'), variant('M', 21, 'http://schema.org/OutOfStock')],
    };
    const images = [{ url: 'https://shop.example/s.jpg' }];
    assert.deepEqual(productOf(jsonLd(group)).variants, [
      {
        sku: 'S-S',
        title: 'Shirt S',
        values: { size: 'S', Fit: 'slim' },
        price: { amount: 20, currency: 'EUR' },
        images,
        availability: { inStock: true, text: 'InStock' },
      },
      {
        sku: 'S-M',
        title: 'Shirt M',
        values: { size: 'M', Fit: 'slim' },
        price: { amount: 21, currency: 'EUR' },
        images,
        availability: { inStock: false, text: 'OutOfStock' },
      },
    ]);
  });

  it('has a variant for each offer of a different item', () => {
    const offers = [
      { '@type': 'Offer', sku: 'a', price: 1, itemOffered: { '@type': 'Product', name: 'Shirt red', color: 'red' } },
      { '@type': 'Offer', sku: 'b', price: 2 },
    ];
    const { variants } = productOf(jsonLd({ ...SHIRT, sku: 'S', offers }));
    assert.deepEqual(
      variants.map(({ sku, title, values, price }) => [sku, title, values?.color, price?.amount]),
      [
        ['a', 'Shirt red', 'red', 1],
        ['b', undefined, undefined, 2],
      ],
    );
  });

  it('has one variant, the cheapest in stock, for offers of several sellers', () => {
    const offer = (name: string, price: number, availability: string) => ({
      '@type': 'Offer',
      price,
      availability,
      url: `/buy/${name}`,
      seller: { name },
    });
    const offers = {
      '@type': 'AggregateOffer',
      priceCurrency: 'EUR',
      offers: [offer('a', 8, 'OutOfStock'), offer('b', 10, 'InStock'), offer('c', 9, 'InStock')],
    };
    const { variants } = productOf(jsonLd({ ...SHIRT, offers }));
    assert.deepEqual(
      variants.map(({ price }) => price?.amount),
      [9],
    );
  });

  it('has the lowest price of a range, and both ends in words', () => {
    const offers = { '@type': 'AggregateOffer', lowPrice: '10', highPrice: '15.50', priceCurrency: 'EUR' };
    assert.deepEqual(productOf(jsonLd({ ...SHIRT, offers })).variants[0]?.price, {
      amount: 10,
      currency: 'EUR',
      formatted: '10–15.5 EUR',
    });
  });

  it('has the price of a price specification, but not one for members or quantities', () => {
    const priceSpecification = [
      { price: 1, priceCurrency: 'EUR', validForMemberTier: { name: 'gold' } },
      { price: 2, priceCurrency: 'EUR', eligibleQuantity: { minValue: 10 } },
      { price: 3, priceCurrency: 'EUR' },
      { price: 4, priceCurrency: 'EUR', priceType: 'ListPrice' },
    ];
    const [variant] = productOf(jsonLd({ ...SHIRT, offers: { '@type': 'Offer', priceSpecification } })).variants;
    assert.deepEqual([variant?.price?.amount, variant?.sale?.originalPrice.amount], [3, 4]);
  });

  it('is found as the main entity of its page', () => {
    assert.equal(productOf(jsonLd({ '@type': 'ItemPage', mainEntity: SHIRT })).title, 'Shirt');
  });

  it('is merged from two nodes that describe it', () => {
    const { variants } = productOf(jsonLd({ ...SHIRT, offers: undefined }, { ...SHIRT, sku: 'S-1' }));
    assert.deepEqual(
      variants.map(({ sku, price }) => [sku, price?.amount]),
      [['S-1', 20]],
    );
  });

  it('is merged from variants listed side by side', () => {
    const nodes = ['S', 'M'].map((size) => ({ ...SHIRT, name: `Shirt ${size}`, sku: size, inProductGroupWithID: 'g' }));
    assert.deepEqual(
      productOf(jsonLd(nodes)).variants.map(({ sku }) => sku),
      ['S', 'M'],
    );
  });
});

describe('text of a product', () => {
  it('contains no markup, even escaped twice, no control characters and no lone surrogates', () => {
    const { title, description, variants } = productOf(
      jsonLd({
        ...SHIRT,
        name: 'L&amp;#8217;a\0b <b>c</b>',
        description: '&lt;p&gt;Soft &lt; warm&lt;/p&gt;',
        sku: '\ud83d1',
      }),
    );
    assert.deepEqual([title, description, variants[0]?.sku], ['L’a b c', 'Soft < warm', '\ufffd1']);
  });
});

describe('availability', () => {
  const cases: [stated: string | undefined, price: number | undefined, expected: unknown][] = [
    ['http://schema.org/SoldOut', 5, { inStock: false, text: 'SoldOut' }],
    ['https://schema.org/LimitedAvailability', 5, { inStock: true, text: 'LimitedAvailability' }],
    ['BackOrder', 5, { inStock: false, text: 'BackOrder' }],
    ['in stock', 5, { inStock: true, text: 'InStock' }],
    [undefined, 5, { inStock: true }],
    ['whatever', 5, { inStock: true }],
    [undefined, undefined, { inStock: false, text: 'Unknown' }],
  ];
  for (const [availability, price, expected] of cases) {
    it(`is ${JSON.stringify(expected)} for “${availability}” at ${price}`, () => {
      const html = jsonLd({
        '@type': 'Product',
        name: 'Shirt',
        sku: '1',
        offers: { '@type': 'Offer', price, availability },
      });
      assert.deepEqual(productOf(html).variants[0]?.availability, expected);
    });
  }
});

describe('of several products', () => {
  it('none is chosen when the page identifies none as its own', () => {
    const { product, warning } = read(jsonLd(SHIRT, SOCKS));
    assert.equal(product, undefined);
    assert.match(warning ?? '', /several \(Shirt, Socks\)/);
  });

  it('the one with the address of the page is chosen', () => {
    assert.equal(
      productOf(jsonLd({ ...SOCKS, url: '/p/socks' }, { ...SHIRT, url: 'http://www.shop.example/p/shirt/#buy' })).title,
      'Shirt',
    );
  });

  it('the one with the canonical address is chosen, query and all', () => {
    const link = '<link rel="canonical" href="/p?id=2">';
    const html = link + jsonLd({ ...SHIRT, url: '/p?id=2' }, { ...SOCKS, url: '/p?id=3' });
    assert.equal(productOf(html, 'https://shop.example/p?id=2&from=mail').title, 'Shirt');
  });

  it('the one with the title of the page is chosen', () => {
    assert.equal(productOf(`<h1>SHIRT!</h1>${jsonLd(SOCKS, SHIRT)}`).title, 'Shirt');
  });

  it('the one whose name is part of the page title is chosen', () => {
    const [kettle, teapot] = ['Copper kettle', 'Teapot'].map((name) => ({ ...SHIRT, name }));
    assert.equal(productOf(`<title>Buy Copper Kettle | Shop</title>${jsonLd(teapot, kettle)}`).title, 'Copper kettle');
  });

  it('none is chosen when two match', () => {
    assert.ok(read(jsonLd({ ...SOCKS, url: PAGE }, { ...SHIRT, url: PAGE })).warning);
  });

  it('those in lists, recommendations and reviews do not count', () => {
    const list = { '@type': 'ItemList', itemListElement: [{ '@type': 'ListItem', item: SOCKS }] };
    assert.equal(
      productOf(jsonLd(list, { ...SHIRT, isRelatedTo: [SOCKS] }, { '@type': 'Review', itemReviewed: SOCKS })).title,
      'Shirt',
    );
    assert.match(read(jsonLd(list)).warning ?? '', /no data/);
  });
});

describe('sources', () => {
  const microdata = `<div itemscope itemtype="https://schema.org/Product"><h1 itemprop="name">Shirt</h1><b itemprop="brand">Acme</b>
    <div itemprop="offers" itemscope itemtype="https://schema.org/Offer"><b itemprop="price">$21.00</b><meta itemprop="priceCurrency" content="USD">
    <link itemprop="availability" href="https://schema.org/OutOfStock"></div></div>`;
  const openGraph = `<meta property="og:type" content="product"><meta property="og:title" content="Shirt | Shop"><meta property="og:image" content="/og.jpg">
    <meta property="product:price:amount" content="22.00"><meta property="product:price:currency" content="EUR"><meta property="product:availability" content="oos">`;
  const state = `<script type="application/json">${JSON.stringify({
    props: {
      product: {
        title: 'Shirt',
        handle: 'shirt',
        vendor: 'Acme',
        variants: {
          edges: [
            {
              node: {
                id: 'v1',
                sku: 'S-1',
                title: 'Red',
                price: { amount: '23.0', currencyCode: 'EUR' },
                compareAtPrice: { amount: '30.0', currencyCode: 'EUR' },
                availableForSale: false,
                selectedOptions: [{ name: 'Color', value: 'Red' }],
                image: { url: '/r.jpg', altText: 'red' },
              },
            },
          ],
        },
      },
      related: [{ title: 'Socks', handle: 'socks', price: '9.99' }],
    },
  })}</script>`;
  const dataLayer = `<script>dataLayer.push({event:'view_item',ecommerce:{currency:'EUR',items:[{item_id:'S-1',item_name:'Shirt',item_brand:'Acme',item_category:'Clothing',item_variant:'Red',price:24}]}})</script>`;

  it('microdata is read', () => {
    assert.deepEqual(productOf(microdata), {
      title: 'Shirt',
      brand: 'Acme',
      url: PAGE,
      variants: [
        {
          price: { amount: 21, currency: 'USD', formatted: '$21.00' },
          availability: { inStock: false, text: 'OutOfStock' },
        },
      ],
    });
  });

  it('RDFa is read', () => {
    const rdfa =
      '<div vocab="https://schema.org/" typeof="Product"><b property="name">Shirt</b><div property="offers" typeof="Offer"><b property="price">5</b></div></div>';
    assert.equal(productOf(rdfa).variants[0]?.price?.amount, 5);
  });

  it('embedded state is read', () => {
    assert.deepEqual(productOf(state).variants, [
      {
        id: 'v1',
        sku: 'S-1',
        title: 'Red',
        values: { Color: 'Red' },
        price: { amount: 23, currency: 'EUR' },
        sale: { originalPrice: { amount: 30, currency: 'EUR' } },
        images: [{ url: 'https://shop.example/r.jpg', alt: 'red' }],
        availability: { inStock: false, text: 'OutOfStock' },
      },
    ]);
  });

  it('embedded state is ignored when its price could be in cents or its product is not the page’s', () => {
    const cents =
      '<script type="application/json">{"title":"Shirt","handle":"shirt","price":2300,"currency":"EUR"}</script>';
    assert.equal(read(cents).product, undefined);
    assert.equal(read(state, 'https://shop.example/p/other').product, undefined);
  });

  it('the data layer is read', () => {
    assert.deepEqual(productOf(dataLayer), {
      title: 'Shirt',
      brand: 'Acme',
      category: 'Clothing',
      url: PAGE,
      variants: [{ id: 'S-1', title: 'Red', price: { amount: 24, currency: 'EUR' }, availability: { inStock: true } }],
    });
  });

  it('the older data layer format is read, but not its lists', () => {
    const detail =
      '<script>dataLayer.push({ecommerce:{currencyCode:"EUR",detail:{products:[{name:"Shirt",id:1,price:"7.00"}]}}})</script>';
    assert.deepEqual(productOf(detail).variants[0]?.price, { amount: 7, currency: 'EUR' });
    const list =
      '<script>dataLayer.push({event:"view_item_list",ecommerce:{items:[{item_name:"Shirt",price:7}]}})</script>';
    assert.equal(read(list).product, undefined);
  });

  it('Open Graph is read', () => {
    assert.deepEqual(productOf(openGraph), {
      title: 'Shirt | Shop',
      url: PAGE,
      variants: [
        {
          price: { amount: 22, currency: 'EUR' },
          images: [{ url: 'https://shop.example/og.jpg' }],
          availability: { inStock: false, text: 'OutOfStock' },
        },
      ],
    });
  });

  it('take precedence in the order JSON-LD, microdata, embedded state, data layer, Open Graph', () => {
    const sources = [jsonLd(SHIRT), microdata, state, dataLayer, openGraph];
    const prices = sources.map(
      (_, index) => productOf(sources.slice(index).toReversed().join('')).variants[0]?.price?.amount,
    );
    assert.deepEqual(prices, [20, 21, 23, 24, 22]);
  });

  it('fill in what a higher one omits about the same product', () => {
    const product = productOf(jsonLd(SHIRT) + microdata + openGraph);
    assert.equal(product.brand, 'Acme');
    assert.deepEqual(product.variants[0]?.images, [{ url: 'https://shop.example/og.jpg' }]);
    assert.equal(productOf(jsonLd(SOCKS) + microdata).brand, undefined);
  });

  it('are not consulted when a higher one is ambiguous', () => {
    assert.equal(read(jsonLd(SHIRT, SOCKS) + openGraph).product, undefined);
  });
});

describe('the category', () => {
  it('comes from the breadcrumbs between the home page and the product', () => {
    const crumb = (position: number, name: string, item?: string) => ({ '@type': 'ListItem', position, name, item });
    const breadcrumbs = {
      '@type': 'BreadcrumbList',
      itemListElement: [
        crumb(3, 'Shirts', '/c/shirts'),
        crumb(1, 'Our shop', '/'),
        crumb(2, 'Clothing', '/c'),
        crumb(4, 'Shirt', PAGE),
      ],
    };
    assert.equal(productOf(jsonLd(SHIRT, breadcrumbs)).category, 'Clothing > Shirts');
  });
});

describe('no product', () => {
  const cases: [title: string, html: string, warning: RegExp][] = [
    ['comes of a page without data', '<p>text', /no data/],
    [
      'comes of a listing',
      '<meta property="og:type" content="product.group"><meta property="og:title" content="Shirts"><meta property="product:price:amount" content="5">',
      /no data/,
    ],
    [
      'comes of a mark for stars in search results',
      jsonLd({ '@type': 'Product', name: 'Our service', aggregateRating: { ratingValue: 5 } }),
      /neither a price/,
    ],
    [
      'comes of a data layer that reports several',
      '<script>dataLayer.push({event:"view_item",ecommerce:{items:[{item_name:"a",price:1.5},{item_name:"b",price:1.5}]}})</script>',
      /data layer/,
    ],
  ];
  for (const [title, html, warning] of cases) {
    it(title, () => {
      const reading = read(html);
      assert.equal(reading.product, undefined);
      assert.match(reading.warning ?? '', warning);
    });
  }
});

it('an amount of money nested 100,000 deep is ignored', () => {
  const deep = `${'{"amount":'.repeat(100_000)}1.5${'}'.repeat(100_000)}`;
  const html = `<script type="application/json">{"title":"Shirt","handle":"shirt","price":${deep}}</script>`;
  assert.equal(read(html).product, undefined);
});

it('a hostile page takes linear time', () => {
  const offer = { '@type': 'Offer', price: 1 };
  const html = jsonLd(
    {
      ...SHIRT,
      image: Array(50_000).fill('/x'),
      offers: Array.from({ length: 15_000 }, (_, index) => ({ ...offer, sku: `${index}` })),
    },
    Array.from({ length: 4_000 }, () => ({ ...SHIRT, variesBy: Array(20).fill('x') })),
  );
  const started = performance.now();
  assert.ok(productOf(html).variants.length <= 2_048);
  assert.ok(performance.now() - started < 5_000);
});
