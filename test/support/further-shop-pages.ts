import { FOOTER, MENU, related, type Shop } from './shop-pages.ts';

/** Pages as marketplaces and further shop systems generate them, without any structured data. */

const page = (lang: string, title: string, main: string) =>
  `<html lang="${lang}"><head><title>${title}</title></head><body>${MENU}<main>${main}</main>${related('$19.00', '$21.00', '$12.00')}${FOOTER}</body></html>`;
const spoken = (price: string, whole: string, cents: string) =>
  `<span class="a-offscreen">${price}</span><span aria-hidden="true"><span class="a-price-whole">${whole}</span><span class="a-price-fraction">${cents}</span></span>`;

export const FURTHER_SHOPS: Shop[] = [
  {
    name: 'a marketplace with prices for screen readers',
    url: 'https://mall.example/Steel-Kettle/dp/B0ABCDEFGH',
    html: page(
      'en',
      'Mall: Steel Kettle : Home',
      `<div id="centerCol"><h1 id="title"><span id="productTitle" class="a-size-large product-title-word-break">Steel Kettle</span></h1><a id="bylineInfo" href="/stores/Acme">Visit the Acme Store</a>
      <div id="corePriceDisplay"><span>-27%</span><span class="a-price priceToPay">${spoken('$29.99', '29.', '99')}</span><span class="basisPrice">List Price: <span class="a-price a-text-price">${spoken('$40.00', '40.', '00')}</span></span></div></div>
      <div id="buybox"><div id="availability"><span class="a-size-medium a-color-success">Only 3 left in stock - order soon.</span></div><input id="add-to-cart-button" type="button" value="Add to Cart"><input type="submit" value="Buy Now"></div>
      <div id="usedRow"><span>Save with Used - Very Good</span><span class="a-price">${spoken('$24.50', '24.', '50')}</span></div>
      <table><tr><th>ASIN</th><td>B0ABCDEFGH</td></tr></table>`,
    ),
    expected: {
      title: 'Steel Kettle',
      price: 29.99,
      currency: 'USD',
      original: 40,
      sku: 'B0ABCDEFGH',
      brand: 'Acme',
      inStock: true,
    },
  },
  {
    name: 'the same marketplace, out of stock and without a price',
    url: 'https://mall.example/Steel-Kettle/dp/B0ABCDEFGH',
    html: page(
      'en',
      'Stainless Steel Kettle: Acme: 9780735211292: Mall: Home',
      `<h1>Follow the maker</h1><h1 id="title"><span id="productTitle">Stainless Steel Kettle: Acme, boxed – October 2018</span></h1><div id="availability"><span class="a-size-medium a-color-success">Currently unavailable.</span><br>We don't know when or if this item will be back in stock.</div><table><tr><th>ASIN</th><td>B0ABCDEFGH</td></tr></table>`,
    ),
    expected: { title: 'Stainless Steel Kettle: Acme, boxed – October 2018', sku: 'B0ABCDEFGH', inStock: false },
  },
  {
    name: 'an auction that has ended, with many similar items',
    url: 'https://auctions.example/itm/404928375058',
    html: `<html lang="en"><head><title>Steel Kettle | Auctions</title></head><body>${MENU}<div class="carousel">${Array.from({ length: 25 }, (_, n) => `<div class="x1"><a href="/itm/${n}1"><img src="/${n}.jpg">Kettle ${n}</a><div>$${n + 10}.50</div></div>`).join('')}</div>
      <div class="item-card"><span>Ended</span><div>Steel Kettle</div><div>EUR 35.50 EUR 35.50</div></div><div class="image-carousel"><span>ENDED</span></div><h1 class="x-item-title">Steel Kettle</h1><p>Condition: not specified</p><p>Item number: 404928375058</p>${FOOTER}</body></html>`,
    expected: { title: 'Steel Kettle', price: 35.5, currency: 'EUR', sku: '404928375058', inStock: false },
  },
  {
    name: 'a shop that shows its price only to the eye, beside one in another condition',
    url: 'https://music.example/store/detail/KET1--steel-kettle',
    html: page(
      'en',
      'Steel Kettle | Music',
      `<div class="product-summary"><h1 class="product__name">Steel Kettle</h1><p>Item ID: KET1</p><section class="product-options"><div class="product-price--final" role="text" aria-label="$299.99"><span aria-hidden="true"><price><price-pre>$</price-pre><dollars>299</dollars><price-post><cents>.99</cents></price-post></price></span></div>
      <a href="/store/detail/KET1?cond=demo">Or we have a Certified Open Box model for just <price>$<dollars>249</dollars><price-post><cents>.10</cents></price-post></price>!</a><button>Add to Cart</button></section></div>`,
    ),
    expected: { title: 'Steel Kettle', price: 299.99, currency: 'USD', sku: 'KET1', inStock: true },
  },
  {
    name: 'an electronics shop, sold out',
    url: 'https://electronics.example/site/kettle/6543210.p',
    html: page(
      'en',
      'Steel Kettle - Electronics',
      `<h1>Steel Kettle</h1><div>Model: KP-1</div><div>SKU: 6543210</div><div class="hero-price"><span aria-hidden="true">$29.99</span><span class="sr-only">Your price for this item is $29.99</span></div><div>Save $10</div><div class="regular-price">Was $39.99</div><div>$2.50/mo. for 12 months</div><div>Open-Box: from $21.99</div><button class="add-to-cart-button" disabled>Sold Out</button><div class="sticky-bar"><span>Steel Kettle</span><button>Add to Cart</button></div>`,
    ),
    expected: {
      title: 'Steel Kettle',
      price: 29.99,
      currency: 'USD',
      original: 39.99,
      sku: '6543210',
      inStock: false,
    },
  },
  {
    name: 'WooCommerce, sold out by a class alone',
    url: 'https://laden.example/produkt/wasserkocher/',
    html: page(
      'de',
      'Wasserkocher – Laden',
      `<div id="product-1" class="product type-product outofstock sale"><h1 class="product_title entry-title">Wasserkocher</h1><p class="price"><del aria-hidden="true"><bdi>39,90 €</bdi></del> <span class="screen-reader-text">Ursprünglicher Preis war: 39,90 €</span><ins aria-hidden="true"><bdi>29,90 €</bdi></ins><span class="screen-reader-text">Aktueller Preis ist: 29,90 €.</span></p><form class="cart"><button>In den Warenkorb</button></form></div>`,
    ),
    expected: { title: 'Wasserkocher', price: 29.9, currency: 'EUR', original: 39.9, inStock: false },
  },
  {
    name: 'Shopware 5, with an offer to be notified',
    url: 'https://laden.example/kueche/12/wasserkocher',
    html: page(
      'de',
      'Wasserkocher | Laden',
      `<h1 class="product--title">Wasserkocher</h1><div class="product--price price--discount"><span class="price--content content--default">29,90&nbsp;&euro; *</span><span class="content--discount"><span class="price--line-through">39,90&nbsp;&euro; *</span><span class="price--discount-percentage">(25,06% gespart)</span></span></div><div class="alert"><div class="alert--content">Dieser Artikel steht derzeit nicht zur Verfügung!</div></div><div class="product--notification"><p>Benachrichtigen Sie mich, sobald der Artikel lieferbar ist.</p><button>Eintragen</button></div><ul class="product--base-info"><li><strong class="entry--label">Artikel-Nr.:</strong><span class="entry--content">SW10101</span></li></ul>`,
    ),
    expected: {
      title: 'Wasserkocher',
      price: 29.9,
      currency: 'EUR',
      original: 39.9,
      sku: 'SW10101',
      inStock: false,
    },
  },
  {
    name: 'OXID, with a recommended price',
    url: 'https://laden.example/Kueche/Wasserkocher.html',
    html: page(
      'de',
      'Wasserkocher | Laden',
      `<div class="detailsInfo"><h1 id="productTitle">Wasserkocher</h1><div id="productArtnum">Art.Nr.: 2103</div><div class="tprice"><span class="oldPrice">UVP <del>39,90 €</del></span></div><label id="productPrice" class="price h2">29,90 €<sup>*</sup></label><div class="stockFlag lowStock">Wenige Exemplare auf Lager - schnell bestellen!</div><button id="toBasket">in den Warenkorb</button></div>`,
    ),
    expected: { title: 'Wasserkocher', price: 29.9, currency: 'EUR', original: 39.9, sku: '2103', inStock: true },
  },
  {
    name: 'Magento, with and without tax',
    url: 'https://laden.example/wasserkocher.html',
    html: page(
      'de',
      'Wasserkocher',
      `<h1 class="page-title">Wasserkocher</h1><div class="product-info-main"><div class="price-box"><span class="price-including-tax"><span class="price">11,90 €</span></span><span class="price-excluding-tax" data-label="Zzgl. Steuern"><span class="price">10,00 €</span></span></div><div class="stock available"><span>Auf Lager</span></div><button>In den Warenkorb</button></div>`,
    ),
    expected: { title: 'Wasserkocher', price: 11.9, currency: 'EUR', inStock: true },
  },
  {
    name: 'Ecwid, sold out',
    url: 'https://kettles.example/Kettle-p1234567',
    html: page(
      'en',
      'Steel Kettle',
      `<div class="product-details"><h1 class="product-details__product-title">Steel Kettle</h1><div class="product-details__product-sku">SKU 00007</div><div class="details-product-price"><span class="details-product-price__value">$29.00</span><span>Was <s>$40.00</s></span></div><div class="product-details__product-soldout"><div class="ec-text-error">Sold out</div></div></div>`,
    ),
    expected: { title: 'Steel Kettle', price: 29, currency: 'USD', original: 40, sku: '00007', inStock: false },
  },
  {
    name: 'Squarespace, where a class hides the button',
    url: 'https://kettles.example/shop/kettle',
    html: page(
      'en',
      'Steel Kettle — Kettles',
      `<article class="ProductItem hentry sold-out"><h1 class="ProductItem-details-title">Steel Kettle</h1><div class="product-price">$29.00</div><p>Get notified by email when this product is in stock.</p><div class="sqs-add-to-cart-button" role="button">Add To Cart</div></article>`,
    ),
    expected: { title: 'Steel Kettle', price: 29, currency: 'USD', inStock: false },
  },
  {
    name: 'a configurator without a buy button',
    url: 'https://desks.example/standing-desk/',
    html: page(
      'en',
      'Standing Desk | Desks',
      `<h1>Standing Desk</h1><p>$599</p><p>Ships the same day, order by 3pm</p><div><button>Walnut top +$110</button><button>Oak top +$90</button></div><button>Next: Accessories</button>`,
    ),
    expected: { title: 'Standing Desk', price: 599, currency: 'USD', inStock: true },
  },
  {
    name: 'a shop whose classes alone tell that it sells a product',
    url: 'https://kettles.example/steel-kettle',
    html: page(
      'en',
      'Steel Kettle',
      `<div class="product-detail"><div class="pdp-title"><h1>Steel Kettle</h1></div><p>$29.00</p><p>Boils water.</p></div>`,
    ),
    expected: { title: 'Steel Kettle', price: 29, currency: 'USD', inStock: true },
  },
];
