import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FOOTER, MENU, related } from '../../../../test/support/shop-pages.ts';
import type { Product } from '../../page-content.ts';
import { parseHtml } from '../../parse-html.ts';
import { readStructuredData } from '../../structured/read-structured-data.ts';
import { readProduct } from '../read-product.ts';

const URL_OF_PRODUCT = 'https://shop.example/products/kettle';

function read(html: string, url: string): Product | undefined {
  const tree = parseHtml(html, url);
  return readProduct(tree, readStructuredData(tree), { html, url }).product;
}

const alone = (main: string, lang = 'en', body = '', behind = '') =>
  `<html lang="${lang}"><head><title>Kettle | Shop</title></head><body class="${body}">${MENU}<main>${main}</main>${behind}${FOOTER}</body></html>`;
const page = (main: string, lang = 'en', body = '') => alone(main, lang, body, related('$1.00', '$2.00', '$3.00'));

const BUY = '<form action="/cart/add"><button>Add to cart</button></form>';

describe('the price that visitors see', () => {
  const cases: [name: string, main: string, expected: unknown, lang?: string][] = [
    [
      'has thousands where the language writes them with a full stop',
      '<p class="price">34.000 €</p>',
      [34000, 'EUR'],
      'de',
    ],
    ['has decimals where the language writes them with a full stop', '<p class="price">$34.000</p>', [34, 'USD'], 'en'],
    ['follows the other prices of the page', '<p class="price">$34.000</p><p>Lid $1.500,00</p>', [34000, 'USD'], 'en'],
    ['has three decimals where the currency does', '<p class="price">KWD 34.500</p>', [34.5, 'KWD'], 'ar'],
    [
      'has no currency where the dollar could be of two kinds',
      '<p class="price">$34.000</p>',
      [34000, undefined],
      'es',
    ],
    ['is in the currency written after it', '<p class="price">$34.00 CAD</p>', [34, 'CAD']],
    ['is in the kroner of the country', '<p class="price">1 299 kr</p>', [1299, 'NOK'], 'nb'],
    ['is assembled from parts', '<p class="price"><span>$</span><span>34</span><sup>99</sup></p>', [34.99, 'USD']],
    [
      'is assembled from blocks',
      '<div class="price"><div>$</div><div>34</div><div class="cents">99</div></div>',
      [34.99, 'USD'],
    ],
    ['may use the digits of another script', '<p class="price">٣٤٫٥٠ ر.س</p>', [34.5, 'SAR'], 'ar'],
    ['may use full-width digits', '<p class="price">３，４００円</p>', [3400, 'JPY'], 'ja'],
    [
      'is not the shipping cost',
      '<p>Shipping: $5.99</p><p class="price">$34.00</p><p>Free shipping over $50</p>',
      [34, 'USD'],
    ],
    ['is not an instalment', '<p>4 payments of $8.50</p><p>$34.00</p><p>or from $3/month</p>', [34, 'USD']],
    ['is not the price per litre', '<p><span>$34.00</span></p><p>$45.33 / l</p><p>($4.53 per 100 ml)</p>', [34, 'USD']],
    ['is not what is saved', '<p>Save $11.00</p><p>$34.00</p><p>$10 off your first order</p>', [34, 'USD']],
    [
      'is not the price of an option',
      '<p>$34.00</p><ul><li>Gift box + $4.00</li><li>Lid +$2.00</li></ul>',
      [34, 'USD'],
    ],
    ['includes tax where both amounts are shown', '<p>£10.00 ex VAT</p><p>£12.00 inc VAT</p>', [12, 'GBP']],
    ['may be on the button only', '<button>Add to cart – $34.00</button>', [34, 'USD']],
    ['may have its cents after the sign', '<p class="price">1 299€99</p>', [1299.99, 'EUR'], 'fr'],
    ['may have a code in lower case', '<p>140,00 pln</p>', [140, 'PLN'], 'pl'],
    ['is not a measure that looks like one', '<p>$34.00</p><p>Strings: 250L and 12R</p>', [34, 'USD']],
    ['may have its cents in an element without a name', '<p>$<b>1,034</b><i>98</i></p>', [1034.98, 'USD']],
    ['is not the price of several', '<p>$34.00</p><p>2 for $60.00</p>', [34, 'USD']],
    ['is not the price of a used one', '<p>Used from $20.00</p><p>$34.00</p>', [34, 'USD']],
    [
      'may be followed by a note on shipping',
      '<p>$34.00 <small>Shipping calculated at checkout.</small></p>',
      [34, 'USD'],
    ],
    ['may follow a note on tax', '<p>Price incl. VAT: £34.00</p>', [34, 'GBP']],
    ['may follow the name', '<p>Kettle Pro $34.00</p>', [34, 'USD']],
    ['has its own sign', '<p class="price"><span>1</span> <span>$34.00</span></p>', [34, 'USD']],
    ['takes the sign after it', '<p><del>45,00 €</del><ins>34,00 €</ins></p>', [34, 'EUR'], 'de'],
    ['does not lose its sign to a word', '<p>K100 $34.00</p>', [34, 'USD']],
    ['has thousands where a dash stands for the cents', '<p>1.299,– €</p>', [1299, 'EUR'], 'en'],
    ['has thousands in a currency without cents', '<p>12.990 Ft</p><p>Lid $1.50</p>', [12990, 'HUF'], 'hu'],
    ['has its cents in an element of their own', '<price>$<i>34</i><p><b>.50</b></p></price>', [34.5, 'USD']],
    [
      'is shown in parts to the eye and spelled out for screen readers',
      '<p aria-label="Price: 3400 pesos"><span aria-hidden="true">$</span><span aria-hidden="true">3,400</span></p>',
      [3400, 'USD'],
    ],
    ['includes tax where the notes follow the amounts', '<p>£10.00 ex VAT £12.00 inc VAT</p>', [12, 'GBP']],
    [
      'is not that of an opened one',
      '<p>An open-box model from $20.00</p><p><a>Used from $22.00</a></p><p>$34.00</p>',
      [34, 'USD'],
    ],
    ['is not that of a subscription', '<p>Subscription $25.00</p><p>One time $34.00</p>', [34, 'USD']],
    ['is not that for members', '<p>Member price $25.00</p><p>$34.00</p>', [34, 'USD']],
    ['may have its currency in words', '<p>Our price: 34 euros</p>', [34, 'EUR']],
  ];
  for (const [name, main, expected, lang] of cases) {
    it(name, () => {
      const product = read(alone(`<h1>Kettle</h1>${main}${BUY}`, lang), URL_OF_PRODUCT);
      const price = product?.variants[0]?.price;
      assert.deepEqual([price?.amount, price?.currency], expected);
    });
  }

  const reduced: [name: string, main: string, expected: unknown][] = [
    ['is struck through', '<del>$45.00</del> <b>$34.00</b>', [34, 45]],
    [
      'is struck through by its style',
      '<span style="text-decoration:line-through">$45.00</span><span>$34.00</span>',
      [34, 45],
    ],
    [
      'has a class that says so',
      '<span class="was-price">$45.00</span><span class="sale-price">$34.00</span>',
      [34, 45],
    ],
    ['has a label that says so', '<p>RRP: $45.00</p><p>Now $34.00</p>', [34, 45]],
    [
      'has its label above',
      '<div class="price"><div>List price</div><div>$45.00</div><div>Our price</div><div>$34.00</div></div>',
      [34, 45],
    ],
    ['comes after the new one', '<span class="price">$34.00</span><s>$45.00</s>', [34, 45]],
    [
      'is struck through by a style sheet',
      '<div class="x1"><span class="x2">$45.00</span><span class="x3">$34.00</span></div>',
      [34, 45],
    ],
    ['comes second and is struck through by a style sheet', '<div><div>$34.00</div><div>$45.00</div></div>', [34, 45]],
    ['touches it', '<s>45,00 €</s><b>34,00 €</b>', [34, 45]],
    [
      'is labelled for screen readers',
      '<p><span aria-label="Original price $45.00">$45.00</span> to <span>$34.00</span></p>',
      [34, 45],
    ],
    ['comes before it and what is saved', '<p>$45.00 $34.00 Save $11.00 (24% off)</p>', [34, 45]],
    ['comes before it and the share that is saved', '<div><p>$45.00*</p><p>$34.00*</p><p>-24%</p></div>', [34, 45]],
    ['is lower, so that there was no reduction', '<span class="price">$34.00</span><s>$30.00</s>', [34, undefined]],
  ];
  for (const [name, main, expected] of reduced) {
    it(`is distinguished from the former one, which ${name}`, () => {
      const [variant] = read(page(`<h1>Kettle</h1><div>${main}</div>${BUY}`), URL_OF_PRODUCT)?.variants ?? [];
      assert.deepEqual([variant?.price?.amount, variant?.sale?.originalPrice.amount], expected);
    });
  }

  it('of a range is the lowest, and the text has both ends', () => {
    const html = page(`<h1>Kettle</h1><p class="price">$34.00 – $59.00</p>${BUY}`);
    assert.deepEqual(read(html, URL_OF_PRODUCT)?.variants[0]?.price, {
      amount: 34,
      currency: 'USD',
      formatted: '$34.00 – $59.00',
    });
  });

  it('of a range has its sign even if it is written only once', () => {
    const html = page(`<h1>Kettle</h1><p class="price">34–59 €</p>${BUY}`, 'de');
    assert.equal(read(html, URL_OF_PRODUCT)?.variants[0]?.price?.amount, 34);
  });

  it('says that it starts there', () => {
    const html = page(`<h1>Kessel</h1><p class="price">ab 34,00 €</p>${BUY}`, 'de');
    assert.equal(read(html, URL_OF_PRODUCT)?.variants[0]?.price?.formatted, 'ab 34,00 €');
  });

  it('may be below a title that is not a first-level heading', () => {
    const html = page(`<h1>Kitchen</h1><div><h2>Kettle</h2><p class="price">$34.00</p>${BUY}</div>`);
    assert.deepEqual(
      [read(html, URL_OF_PRODUCT)?.title, read(html, URL_OF_PRODUCT)?.variants[0]?.price?.amount],
      ['Kettle', 34],
    );
  });

  it('may be above the title', () => {
    assert.equal(
      read(page(`<p class="price">$34.00</p><h1>Kettle</h1>${BUY}`), URL_OF_PRODUCT)?.variants[0]?.price?.amount,
      34,
    );
  });

  it('is missing where all visible amounts are for something else', () => {
    const html = page(
      `<h1>Kettle</h1><p>SKU: K-100</p><p>4 payments of $8.50</p><p>In stock</p>${BUY}`,
      'en',
      'single-product',
    );
    const product = read(html, URL_OF_PRODUCT);
    assert.equal(product?.variants[0]?.sku, 'K-100');
    assert.equal(product?.variants[0]?.price, undefined);
  });
});

it('a product in a list of variants has the price shown in the list', () => {
  const card = (name: string, price: string) =>
    `<div class="set"><a href="/products/${name.length}"><img src="/k.jpg">${name}</a><p>${price}</p></div>`;
  const html = `<h1>Kettle</h1><p>SKU: K-100</p><div>${card('Kettle XL', '$59.00')}${card('Kettle', '$34.00')}${card('Kettle S', '$19.00')}</div>`;
  assert.equal(read(page(html, 'en', 'single-product'), URL_OF_PRODUCT)?.variants[0]?.price?.amount, 34);
});

it('the title is the heading above the button where the head names something else', () => {
  const html = `<html><head><title>My shop demo</title></head><body>${MENU}<main><h4>Acme</h4><h2>Copper kettle</h2><p>$34.00</p>${BUY}</main><h2>Newsletter</h2></body></html>`;
  assert.equal(read(html, URL_OF_PRODUCT)?.title, 'Copper kettle');
});

it('a page that is hidden until its script runs is still read', () => {
  const html = `<h1><a href="/"><img src="/logo.svg"></a></h1><div aria-hidden="true"><h1>Kettle</h1><p class="price">$34.00</p>${BUY}</div>`;
  assert.equal(read(page(html), URL_OF_PRODUCT)?.variants[0]?.price?.amount, 34);
});

describe('the article number that visitors see', () => {
  const cases: [name: string, html: string, expected: string | undefined][] = [
    ['follows its label', '<p>SKU: AB-1234</p>', 'AB-1234'],
    ['is in the next cell', '<table><tr><th>Item number</th><td>0815-4711</td></tr></table>', '0815-4711'],
    ['is in the next line', '<dl><dt>Art.-Nr.</dt><dd>K 100 20</dd></dl>', 'K 100 20'],
    ['is in an element of its own', '<p><b>Réf.</b><span>7700A</span></p>', '7700A'],
    ['follows a hash', '<p>Item #227955</p>', '227955'],
    ['follows the shop’s initials', '<p>BH #KET100 • MFR #1549</p>', 'KET100'],
    ['is the shop’s rather than the manufacturer’s', '<p>Model: XK-9</p><p>SKU: 778899</p>', '778899'],
    ['is not a variant to choose', '<p>Model: Small 21 cm</p>', undefined],
    ['is the manufacturer’s where there is no other', '<p>Model: XK-9</p>', 'XK-9'],
    ['may have only letters in an element with a fitting class', '<p>SKU: <span class="sku">zero</span></p>', 'zero'],
    ['ends where the next label begins', '<p>SKU: 4711 | Weight: 2 kg</p>', '4711'],
    ['is not “N/A”', '<p>SKU: N/A</p>', undefined],
    ['is not a barcode', '<p>EAN: 4012345678901</p>', undefined],
    ['is not a word in a sentence', '<p>The model that 34 testers liked, item 3 of our list.</p>', undefined],
    ['is not that of another product', '<div class="related-products"><p>SKU: X-1</p></div>', undefined],
  ];
  for (const [name, html, expected] of cases) {
    it(name, () => {
      const product = read(page(`<h1>Kettle</h1><p class="price">$34.00</p>${BUY}${html}`), URL_OF_PRODUCT);
      assert.equal(product?.variants[0]?.sku, expected);
    });
  }
});

describe('whether visitors can buy it', () => {
  const sizes = '<fieldset class="swatches"><label>S</label><label>M <span>Sold out</span></label></fieldset>';
  const cases: [name: string, html: string, expected: unknown][] = [
    ['is shown by the button', BUY, true],
    ['is shown by a button that says sold out', '<button disabled>Sold out</button>', false],
    ['is not shown by a button that waits for a choice', `${sizes}<button disabled>Add to cart</button>`, true],
    ['is shown by a label, whatever the button does', `<p>Availability: Out of stock</p>${BUY}`, false],
    ['is shown by an element with a fitting class', `<p class="stock out-of-stock">Currently unavailable</p>`, false],
    ['is shown by a line of its own', '<p>Out of stock</p><button disabled>Add to cart</button>', false],
    ['is not shown by a size that is sold out', `${sizes}${BUY}`, true],
    [
      'is not shown by a branch that has none',
      `${BUY}<ul class="stores-modal popup"><li>Berlin: out of stock</li></ul>`,
      true,
    ],
    ['is shown by an offer to notify the visitor', '<p><button>Notify me when available</button></p>', false],
    [
      'is not shown by pickup availability',
      '<p class="pickup-availability">Pickup currently unavailable</p><button disabled>Add to cart</button>',
      true,
    ],
    ['is shown by a count', '<p>Stock: 12</p>', true],
    ['is shown by a count of zero', `<p>Qty available: 0</p>${BUY}`, false],
    ['is shown in another language', '<p>Nicht auf Lager</p>', false],
    [
      'is not shown by a badge that the theme has on every page',
      '<div class="price"><span>$34.00</span><span class="badge price__badge-sold-out">Sold out</span></div>',
      true,
    ],
    [
      'is shown by such a badge when it is visible',
      '<div class="price price--sold-out"><span>$34.00</span><span class="badge price__badge-sold-out">Sold out</span></div>',
      false,
    ],
    ['is shown by a pre-order button', '<button>Pre-order</button>', false],
    ['is shown by a class around the product', `<div class="product outofstock"><h1>Kettle</h1>${BUY}</div>`, false],
    [
      'is not shown by an offer to be notified that a style sheet hides',
      `${BUY}<div class="stock-alert"><p>Notify me when available</p><button>Notify me</button></div>`,
      true,
    ],
    [
      'is shown by a disabled button before another one',
      '<button disabled>Sold out</button><div class="sticky"><button>Add to cart</button></div>',
      false,
    ],
    ['is not shown by a size that cannot be chosen', `<button disabled>9 Sold out</button>${BUY}`, true],
    [
      'is not shown by sizes in a list',
      '<select><option>S – sold out</option><option>M</option></select><button disabled>Add to cart</button>',
      true,
    ],
    ['is shown by a button that asks for the size', '<p>Sold out</p><button>Select a size</button>', true],
    ['is shown by a short button', '<p>XS: sold out</p><button>Add – $34.00</button>', true],
    ['is shown by a sentence', '<p>This product is currently out of stock and unavailable.</p>', false],
    [
      'is shown by a line before a break',
      '<p>Currently unavailable.<br>We do not know when it will be back.</p>',
      false,
    ],
  ];
  for (const [name, html, expected] of cases) {
    it(name, () => {
      const product = read(
        page(`<h1>Kettle</h1><p class="price">$34.00</p>${html}`, 'en', 'single-product'),
        URL_OF_PRODUCT,
      );
      assert.equal(product?.variants[0]?.availability.inStock, expected);
    });
  }
});

describe('no product is read from', () => {
  const tile = (name: string, price: string) =>
    `<div class="tile"><a href="/products/${name}"><img src="/${name}.jpg"><b>${name}</b></a><p>${price}</p><button>Add to cart</button></div>`;
  const tiles = (count: number) =>
    Array.from({ length: count }, (_, n) => tile(`kettle-${n}`, `$${n + 20}.00`)).join('');
  const cases: [name: string, url: string, html: string][] = [
    [
      'a list of products',
      '/kettles',
      page(`<h1>Kettles</h1><p>12 products</p><div class="filter">Price: $20 – $40</div>${tiles(12)}`),
    ],
    ['a list of two products', '/collections/kettles', page(`<h1>Kettles</h1>${tiles(2)}`)],
    [
      'a home page that shows one product',
      '/',
      page(`<h1>The best kettles</h1><section><h2>Kettle</h2><p class="price">$34.00</p>${BUY}</section>`),
    ],
    ['search results', '/search?q=kettle', page(`<h1>Results for kettle</h1>${tiles(5)}`)],
    [
      'an article that mentions prices and links to shops',
      '/reviews/best-kettles',
      page(
        `<article><h1>The best kettles</h1><p>By Ann, 3 May 2025</p><p>We boiled water in twelve kettles, from $20 to $200.</p>${['Acme', 'Bolt'].map((name) => `<h2>${name} One</h2><p>It costs $34.00 and boils fast.</p><p><a href="https://other.example/${name}">$34.00 at Other</a> <a href="https://third.example/${name}">Buy now</a></p>`).join('')}</article>`,
      ),
    ],
    [
      'an article about what something costs',
      '/cost/kettle',
      page(
        '<article><h1>How much does a kettle cost?</h1><p>Average price: $34.00</p><p>Most pay between $20 and $60.</p></article>',
      ),
    ],
    [
      'the prices of a service',
      '/pricing',
      page(
        `<h1>Pricing</h1>${['Basic', 'Team', 'Firm'].map((name, n) => `<div class="plan"><h2>${name}</h2><p>$${n}9 / month</p><a href="/sign-up?plan=${n}">Buy now</a></div>`).join('')}`,
      ),
    ],
    [
      'a cart',
      '/cart',
      page(
        '<h1>Your cart</h1><div class="line"><a href="/products/kettle">Kettle</a><span>$34.00</span></div><p>Subtotal: $34.00</p><button>Check out</button>',
      ),
    ],
    [
      'a recipe with its cost',
      '/tea-with-milk',
      page(
        '<article><h1>Tea with milk</h1><p>$5.97 recipe / $1.49 serving</p><ul><li>1 bag of tea ($0.10)</li><li>milk ($0.05)</li></ul></article>',
      ),
    ],
    [
      'a job with its pay',
      '/jobs/tea-taster',
      page('<h1>Tea taster</h1><p>$80,000 – $95,000 a year</p><button>Apply now</button>'),
    ],
    ['a market price', '/markets/tea', page('<h1>Tea price today</h1><p>$2.73</p><p>24 h: +1.2 %</p>')],
    [
      'a help page',
      '/help/sold-out',
      page(
        '<h1>What does “out of stock” mean?</h1><p>Out of stock</p><p>We notify you. Orders below $50 cost $5 for shipping.</p>',
      ),
    ],
  ];
  for (const [name, path, html] of cases) {
    it(name, () => assert.equal(read(html, `https://shop.example${path}`), undefined));
  }
});

describe('a hostile page takes linear time', () => {
  const repeat = (html: string) => html.repeat(Math.ceil(500_000 / html.length));
  const cases: [name: string, html: string][] = [
    ['of prices', repeat('<p class="price">$34.00</p>')],
    ['of prices in one line', `<p>${repeat('<span>$34</span><sup>99</sup>')}</p>`],
    ['of nested prices', repeat(`${'<div class="price">'.repeat(400)}$3${'</div>'.repeat(400)}`)],
    ['of titles', repeat('<h1>Kettle</h1>')],
    ['of cards', repeat('<li class="card"><a href="/x"><img src="a"><b>$3</b></a><button>Add to cart</button></li>')],
    ['of nested cards', `${'<div class="a"><a href="/q">'.repeat(200)}${repeat('<p>$3</p>')}`],
    ['of labels', repeat('<p>SKU Item no Model Art.-Nr. SKU Brand</p>')],
    ['of breadcrumbs', `<nav class="breadcrumb">${repeat('<a href="/x"></a>')}</nav>`],
    ['of digits', `<p class="price">$${repeat('1 111')}</p>`],
    [
      'of names',
      Array.from({ length: 8_000 }, (_, n) => `<div class="price-${n} was-${n} add-to-cart-${n}">$${n}</div>`).join(''),
    ],
  ];
  for (const [name, html] of cases) {
    it(name, () => {
      const started = performance.now();
      read(`<h1>Kettle</h1>${html}`, URL_OF_PRODUCT);
      // Linear code takes 0.1 to 0.6 s on an idle machine. Anything slower than linear takes minutes.
      assert.ok(performance.now() - started < 15_000);
    });
  }
});
