/** Pages as well-known shop systems generate them, without any structured data. */

export interface Expected {
  title?: string;
  price?: number;
  currency?: string;
  original?: number;
  sku?: string;
  brand?: string;
  category?: string;
  inStock?: boolean;
}

export interface Shop {
  name: string;
  url: string;
  html: string;
  expected: Expected;
}

export const MENU = `<header class="site-header"><a href="/">Shop</a><nav><ul>${Array.from({ length: 8 }, (_, n) => `<li><a href="/c/${n}">Group ${n}</a></li>`).join('')}</ul></nav>
  <div class="announcement-bar">Free shipping on orders over $50</div></header>`;
const card = (name: string, price: string) =>
  `<li class="grid__item product-card"><a href="/other/${name}"><img src="/${name}.jpg" alt="${name}"><h3>${name}</h3></a><span class="price">${price}</span><button>Add to cart</button></li>`;
export const related = (...prices: string[]) =>
  `<section class="related-products"><h2>You may also like</h2><ul>${prices.map((price, n) => card(`thing-${n}`, price)).join('')}</ul></section>`;
export const FOOTER = '<footer><p>Free delivery over $99. Gift cards from $25.</p></footer>';

export const SHOPS: Shop[] = [
  {
    name: 'Shopify, theme Dawn, on sale',
    url: 'https://kettles.example/products/kettle',
    html: `<html lang="en"><head><title>Steel Kettle – Kettles</title><meta property="og:title" content="Steel Kettle"></head><body class="gradient">${MENU}
      <cart-drawer class="drawer is-empty"><p>Your cart is empty</p><p class="totals__total-value">$0.00 USD</p></cart-drawer>
      <main><section class="product-section"><div class="product product--large">
      <media-gallery class="product__media-gallery"><ul class="product__media-list"><li class="product__media-item"><img src="/cdn/kettle.jpg?v=1" alt="Steel Kettle"></li></ul></media-gallery>
      <div class="product__info-wrapper"><product-info class="product__info-container">
      <p class="product__text caption-with-letter-spacing">Acme</p><div class="product__title"><h1>Steel Kettle</h1></div>
      <p class="product__sku"><span class="visually-hidden">SKU:</span>KET-01-S</p>
      <div id="price-template" role="status"><div class="price price--large price--on-sale price--show-badge"><div class="price__container">
        <div class="price__regular"><span class="visually-hidden visually-hidden--inline">Regular price</span><span class="price-item price-item--regular">$34.00 USD</span></div>
        <div class="price__sale"><span class="visually-hidden">Regular price</span><span><s class="price-item price-item--regular">$45.00 USD</s></span>
        <span class="visually-hidden">Sale price</span><span class="price-item price-item--sale price-item--last">$34.00 USD</span></div>
        <small class="unit-price caption hidden"><span class="visually-hidden">Unit price</span><span class="price-item price-item--last"><span></span><span aria-hidden="true">/</span><span>per</span></span></small></div>
        <span class="badge price__badge-sale">Sale</span><span class="badge price__badge-sold-out">Sold out</span></div></div>
      <div class="product__tax caption rte">Taxes included. <a href="/policies/shipping-policy">Shipping</a> calculated at checkout.</div>
      <shopify-payment-terms>Pay in 4 interest-free payments of $8.50 with Shop Pay</shopify-payment-terms>
      <variant-selects><fieldset class="product-form__input"><legend>Size</legend><input type="radio" name="Size" value="S" checked><label>S <span class="visually-hidden">Variant sold out or unavailable</span></label><input type="radio" name="Size" value="L"><label>L <span class="visually-hidden">Variant sold out or unavailable</span></label></fieldset></variant-selects>
      <product-form class="product-form"><form action="/cart/add" method="post"><input name="id" type="hidden" value="1"><button type="submit" name="add" class="product-form__submit button"><span>Add to cart</span></button></form></product-form>
      <div class="product__description rte"><p>Boils water for 3 cups. Was voted best below $100.</p></div></product-info></div></div></section>
      ${related('$19.00', '$21.00', '$12.00')}</main>${FOOTER}</body></html>`,
    expected: { title: 'Steel Kettle', price: 34, currency: 'USD', original: 45, sku: 'KET-01-S', inStock: true },
  },
  {
    name: 'Shopify, sold out, in Australia',
    url: 'https://www.kettles.com.au/products/kettle',
    html: `<html lang="en"><head><title>Steel Kettle</title></head><body class="template-product">${MENU}<main>
      <h1 class="ProductMeta__Title Heading u-h2">Steel Kettle</h1><h2 class="ProductMeta__Vendor"><a href="/collections/vendors?q=Acme">Acme</a></h2>
      <div class="ProductMeta__PriceList Heading"><span class="ProductMeta__Price Price Text--subdued u-h4" data-money-convertible>$34.00</span></div>
      <form class="ProductForm" action="/cart/add"><button type="submit" class="ProductForm__AddToCart Button Button--secondary Button--full" disabled="disabled">Sold Out</button></form>
      ${related('$19.00', '$21.00')}</main>${FOOTER}</body></html>`,
    expected: { title: 'Steel Kettle', price: 34, currency: 'AUD', brand: 'Acme', inStock: false },
  },
  {
    name: 'WooCommerce, a price with tax in Germany, on sale',
    url: 'https://kessel.example/produkt/kessel/',
    html: `<html lang="de-DE"><head><title>Kessel aus Stahl – Kessel</title></head><body class="product-template-default single single-product woocommerce">${MENU}
      <nav class="woocommerce-breadcrumb"><a href="/">Startseite</a> / <a href="/k/kueche">Küche</a> / <a href="/k/kessel">Wasserkessel</a> / Kessel aus Stahl</nav>
      <div id="product-7" class="product type-product post-7 instock sale"><span class="onsale">Angebot!</span>
      <div class="woocommerce-product-gallery"><figure><div class="woocommerce-product-gallery__image"><a href="/k.jpg"><img src="/k-600.jpg" alt="Kessel"></a></div></figure></div>
      <div class="summary entry-summary"><h1 class="product_title entry-title">Kessel aus Stahl</h1>
      <p class="price"><del aria-hidden="true"><span class="woocommerce-Price-amount amount"><bdi>1.249,00&nbsp;<span class="woocommerce-Price-currencySymbol">&euro;</span></bdi></span></del> <span class="screen-reader-text">Ursprünglicher Preis war: 1.249,00&nbsp;&euro;</span><ins aria-hidden="true"><span class="woocommerce-Price-amount amount"><bdi>1.099,00&nbsp;<span class="woocommerce-Price-currencySymbol">&euro;</span></bdi></span></ins><span class="screen-reader-text">Aktueller Preis ist: 1.099,00&nbsp;&euro;.</span></p>
      <p class="wc-gzd-additional-info tax-info">inkl. 19 % MwSt.</p><p class="wc-gzd-additional-info shipping-costs-info">zzgl. <a href="/versand">Versandkosten</a></p><p class="price-unit smaller">54,95 € / 100 g</p>
      <p class="stock in-stock">Vorrätig</p>
      <form class="cart" method="post"><div class="quantity"><input type="number" name="quantity" value="1"></div><button type="submit" name="add-to-cart" value="7" class="single_add_to_cart_button button alt">In den Warenkorb</button></form>
      <div class="product_meta"><span class="sku_wrapper">Artikelnummer: <span class="sku">K-100/3</span></span> <span class="posted_in">Kategorie: <a href="/k/kessel">Wasserkessel</a></span></div></div>
      <div class="woocommerce-tabs"><table class="shop_attributes"><tr><th>Marke</th><td>Acme</td></tr><tr><th>Gewicht</th><td>2 kg</td></tr></table></div>
      <section class="related products"><h2>Ähnliche Produkte</h2><ul class="products"><li class="product type-product"><a href="/produkt/a/"><img src="/a.jpg"><h2>A</h2><span class="price">12,00 €</span></a><a href="?add-to-cart=8" class="button add_to_cart_button">In den Warenkorb</a></li><li class="product type-product"><a href="/produkt/b/"><img src="/b.jpg"><h2>B</h2><span class="price">13,00 €</span></a></li></ul></section></div>${FOOTER}</body></html>`,
    expected: {
      title: 'Kessel aus Stahl',
      price: 1099,
      currency: 'EUR',
      original: 1249,
      sku: 'K-100/3',
      brand: 'Acme',
      category: 'Küche > Wasserkessel',
      inStock: true,
    },
  },
  {
    name: 'WooCommerce, out of stock, without a button',
    url: 'https://shop.example/product/mug/',
    html: `<html lang="en-GB"><head><title>Mug - Shop</title></head><body class="single-product woocommerce">${MENU}<div class="product outofstock"><div class="summary entry-summary"><h1 class="product_title">Mug</h1>
      <p class="price"><span class="woocommerce-Price-amount amount"><bdi><span class="woocommerce-Price-currencySymbol">&pound;</span>12.50</bdi></span> <small class="woocommerce-price-suffix">(<span class="amount">&pound;10.42</span> ex VAT)</small></p>
      <p class="stock out-of-stock">Out of stock</p><div class="product_meta"><span class="sku_wrapper">SKU: <span class="sku">mug</span></span></div></div></div>${related('£3.00', '£4.00')}${FOOTER}</body></html>`,
    expected: { title: 'Mug', price: 12.5, currency: 'GBP', sku: 'mug', inStock: false },
  },
  {
    name: 'Magento, theme Luma',
    url: 'https://shop.example/joust-bag.html',
    html: `<html lang="en"><head><title>Joust Bag</title></head><body class="catalog-product-view product-joust-bag page-layout-1column">${MENU}
      <div class="minicart-wrapper"><div class="block-minicart"><span class="subtotal"><span class="price">$0.00</span></span></div></div>
      <main id="maincontent" class="page-main"><div class="product-info-main"><div class="page-title-wrapper product"><h1 class="page-title"><span class="base" data-ui-id="page-title-wrapper">Joust Bag</span></h1></div>
      <div class="product-reviews-summary"><a href="#reviews">3 Reviews</a></div>
      <div class="product-info-price"><div class="price-box price-final_price"><span class="special-price"><span class="price-container price-final_price"><span class="price-label">Special Price</span><span class="price-wrapper"><span class="price">$34.00</span></span></span></span>
      <span class="old-price"><span class="price-container"><span class="price-label">Regular Price</span><span class="price-wrapper"><span class="price">$40.00</span></span></span></span></div>
      <div class="product-info-stock-sku"><div class="stock available" title="Availability"><span>In stock</span></div><div class="product attribute sku"><strong class="type">SKU</strong> <div class="value">24-MB01</div></div></div></div>
      <div class="product-add-form"><form id="product_addtocart_form"><button type="submit" title="Add to Cart" class="action primary tocart" id="product-addtocart-button"><span>Add to Cart</span></button></form></div></div>
      <div class="block upsell"><strong>We found other products you might like!</strong><ol class="products list items product-items">${['$45.00', '$50.00'].map((price, n) => `<li class="item product product-item"><div class="product-item-info"><a href="/bag-${n}.html"><img src="/b${n}.jpg"></a><strong class="product name product-item-name"><a href="/bag-${n}.html">Bag ${n}</a></strong><div class="price-box"><span class="price">${price}</span></div><button class="action tocart primary"><span>Add to Cart</span></button></div></li>`).join('')}</ol></div></main>${FOOTER}</body></html>`,
    expected: { title: 'Joust Bag', price: 34, currency: 'USD', original: 40, sku: '24-MB01', inStock: true },
  },
  {
    name: 'BigCommerce, theme Cornerstone',
    url: 'https://shop.example/chemex-coffeemaker/',
    html: `<html lang="en"><head><title>Chemex Coffeemaker - Shop</title></head><body>${MENU}<nav aria-label="Breadcrumb"><ol class="breadcrumbs"><li class="breadcrumb"><a class="breadcrumb-label" href="/">Home</a></li><li class="breadcrumb"><a class="breadcrumb-label" href="/kitchen/">Kitchen</a></li><li class="breadcrumb is-active"><a href="/chemex-coffeemaker/">Chemex Coffeemaker</a></li></ol></nav>
      <div class="productView"><section class="productView-details product-data"><div class="productView-product"><h1 class="productView-title">Chemex Coffeemaker</h1><h2 class="productView-brand"><a href="/brands/acme"><span>Acme</span></a></h2>
      <div class="productView-price"><div class="price-section price-section--withoutTax rrp-price--withoutTax" style="display: none;">MSRP: <span class="price price--rrp"></span></div><div class="price-section price-section--withoutTax non-sale-price--withoutTax">Was: <span data-product-non-sale-price-without-tax class="price price--non-sale">$60.00</span></div>
      <div class="price-section price-section--withoutTax"><span class="price-label"></span><span class="price-now-label">Now: </span><span data-product-price-without-tax class="price price--withoutTax">$49.50</span></div><div class="price-section price-section--saving price">(You save <span class="price price--saving">$10.50</span>)</div></div>
      <dl class="productView-info"><dt class="productView-info-name sku-label">SKU:</dt><dd class="productView-info-value" data-product-sku>SKU-0122AB</dd><dt class="productView-info-name upc-label">UPC:</dt><dd class="productView-info-value">012345678905</dd><dt class="productView-info-name">Weight:</dt><dd>2.00 LBS</dd></dl></div></section>
      <section class="productView-options"><form action="/cart.php"><div class="form-field form-field--stock u-hiddenVisually"><label>Current Stock: <span data-product-stock></span></label></div><div class="add-to-cart-buttons"><input id="form-action-addToCart" class="button button--primary" type="submit" value="Add to Cart"></div></form></section></div>${related('$8.00', '$9.00')}${FOOTER}</body></html>`,
    expected: {
      title: 'Chemex Coffeemaker',
      price: 49.5,
      currency: 'USD',
      original: 60,
      sku: 'SKU-0122AB',
      brand: 'Acme',
      category: 'Kitchen',
      inStock: true,
    },
  },
  {
    name: 'PrestaShop, in France, out of stock with a disabled button',
    url: 'https://boutique.example/tasses/7-tasse.html',
    html: `<html lang="fr"><head><title>Tasse bleue</title></head><body id="product" class="lang-fr country-fr currency-eur product-id-7">${MENU}
      <nav data-depth="3" class="breadcrumb"><ol><li><a href="/"><span>Accueil</span></a></li><li><a href="/6-art"><span>Art de la table</span></a></li><li><span>Tasse bleue</span></li></ol></nav>
      <section id="main"><div class="row product-container js-product-container"><div class="col-md-6"><h1 class="h1">Tasse bleue</h1>
      <div class="product-prices js-product-prices"><div class="product-discount"><span class="regular-price">14,90 €</span></div><div class="product-price h5 has-discount"><div class="current-price"><span class='current-price-value' content="11.92">11,92 €</span><span class="discount discount-percentage">Économisez 20%</span></div></div><div class="tax-shipping-delivery-label">TTC</div></div>
      <div class="product-information"><form action="/panier"><div class="product-add-to-cart js-product-add-to-cart"><span class="control-label">Quantité</span><button class="btn btn-primary add-to-cart" data-button-action="add-to-cart" type="submit" disabled>Ajouter au panier</button><span id="product-availability" class="js-product-availability"><i class="material-icons product-unavailable">&#xE14B;</i> Rupture de stock</span></div></form></div>
      <div class="tabs"><div class="product-reference"><label class="label">Référence </label><span>demo_11</span></div><div class="product-manufacturer"><label class="label">Marque</label><span><a href="/marque/1-studio">Studio Design</a></span></div></div></div></div></section>${related('3,00 €', '4,00 €')}${FOOTER}</body></html>`,
    expected: {
      title: 'Tasse bleue',
      price: 11.92,
      currency: 'EUR',
      original: 14.9,
      sku: 'demo_11',
      brand: 'Studio Design',
      category: 'Art de la table',
      inStock: false,
    },
  },
  {
    name: 'Shopware 6',
    url: 'https://laden.example/Hauptartikel/SWDEMO10006',
    html: `<html lang="de-DE"><head><title>Hauptartikel mit Preisen | SWDEMO10006</title></head><body class="is-ctl-product is-act-index">${MENU}<main class="content-main"><div class="product-detail"><div class="row product-detail-headline"><div class="col product-detail-name-container"><h1 class="product-detail-name">Hauptartikel mit Preisen</h1></div></div>
      <div class="product-detail-content"><div class="col-lg-5 product-detail-buy"><div class="product-detail-price-container"><p class="product-detail-price with-list-price">495,95&nbsp;€*<span class="list-price-badge">%</span><span class="product-detail-list-price-wrapper"><span class="list-price-price">500,00&nbsp;€*</span><span class="list-price-percentage">(0.81% gespart)</span></span></p></div>
      <div class="product-detail-tax-container"><p class="product-detail-tax">Preise inkl. MwSt. zzgl. Versandkosten</p></div><div class="product-detail-delivery-information"><p class="delivery-information delivery-available"><span class="delivery-status-indicator bg-success"></span> Sofort verfügbar, Lieferzeit: 1-3 Tage</p></div>
      <div class="product-detail-form-container"><form action="/checkout/line-item/add"><button class="btn btn-primary btn-buy" title="In den Warenkorb">In den Warenkorb</button></form></div>
      <div class="product-detail-ordernumber-container"><span class="product-detail-ordernumber-label">Produktnummer:</span> <span class="product-detail-ordernumber">SWDEMO10006</span></div></div></div></div></main>${FOOTER}</body></html>`,
    expected: {
      title: 'Hauptartikel mit Preisen',
      price: 495.95,
      currency: 'EUR',
      original: 500,
      sku: 'SWDEMO10006',
      inStock: true,
    },
  },
  {
    name: 'Salesforce Commerce Cloud, reference architecture',
    url: 'https://shop.example/s/RefArch/25564782M.html',
    html: `<html lang="en"><head><title>Charcoal Suit</title></head><body>${MENU}<div class="page" data-action="Product-Show"><div class="container product-detail product-wrapper" data-pid="25564782M"><div class="row"><div class="col-12"><h1 class="product-name">Charcoal Suit</h1></div></div>
      <div class="row"><div class="primary-images"><div class="carousel"><img src="/suit.jpg" alt="Charcoal Suit"></div></div><div class="col-12"><div class="product-number-rating clearfix"><div class="product-number pull-left">Item No. <span class="product-id">25564782M</span></div></div>
      <div class="attributes"><div class="availability product-availability"><span class="availability non-input-label">Availability:</span><ul class="list-unstyled availability-msg"><li><div>In Stock</div></li></ul></div>
      <div class="prices-add-to-cart-actions"><div class="prices"><div class="price"><span><del><span class="strike-through list"><span class="value" content="500.00"><span class="sr-only">Price reduced from</span> $500.00 <span class="sr-only">to</span></span></span></del><span class="sales"><span class="value" content="299.99">$299.99</span></span></span></div></div>
      <div class="cart-and-ipay"><button class="add-to-cart btn btn-primary" disabled><i class="fa fa-shopping-bag"></i>Add to Cart</button></div></div></div></div></div></div></div>${related('$8.00', '$9.00')}${FOOTER}</body></html>`,
    expected: {
      title: 'Charcoal Suit',
      price: 299.99,
      currency: 'USD',
      original: 500,
      sku: '25564782M',
      inStock: true,
    },
  },
  {
    name: 'OpenCart, out of stock with a working button',
    url: 'https://shop.example/index.php?route=product/product&product_id=40',
    html: `<html lang="en"><head><title>iPhone</title></head><body>${MENU}<div id="product-product" class="container"><ul class="breadcrumb"><li><a href="/">Home</a></li><li><a href="/phones">Phones</a></li><li><a href="/index.php?route=product/product&product_id=40">iPhone</a></li></ul>
      <div class="row"><div class="col-sm-8"><ul class="thumbnails"><li><a class="thumbnail" href="/big.jpg"><img src="/iphone.jpg" alt="iPhone"></a></li></ul></div><div class="col-sm-4"><div class="btn-group"><button type="button" title="Add to Wish List"><i></i></button></div><h1>iPhone</h1>
      <ul class="list-unstyled"><li>Brand: <a href="/apple">Apple</a></li><li>Product Code: product 11</li><li>Availability: Out Of Stock</li></ul>
      <ul class="list-unstyled"><li><span style="text-decoration: line-through;">$140.00</span></li><li><h2>$123.20</h2></li><li>Ex Tax: $101.00</li><li>Price in reward points: 400</li></ul>
      <div id="product"><div class="form-group"><input type="text" name="quantity" value="1"><button type="button" id="button-cart" class="btn btn-primary">Add to Cart</button></div></div></div></div>${related('$8.00', '$9.00')}</div>${FOOTER}</body></html>`,
    expected: {
      title: 'iPhone',
      price: 123.2,
      currency: 'USD',
      original: 140,
      sku: 'product 11',
      brand: 'Apple',
      category: 'Phones',
      inStock: false,
    },
  },
  {
    name: 'Squarespace',
    url: 'https://pots.example/shop/p/speckled-mug',
    html: `<html lang="en-CA"><head><title>Speckled Mug — Pots</title></head><body class="collection-type-products view-item">${MENU}<section class="ProductItem"><nav class="ProductItem-nav-breadcrumb"><a href="/shop">Shop</a> <span>Speckled Mug</span></nav><div class="ProductItem-gallery"><div class="ProductItem-gallery-slides"><img data-src="/mug.jpg" alt="mug"></div></div>
      <section class="ProductItem-details"><h1 class="ProductItem-details-title">Speckled Mug</h1><div class="ProductItem-product-price"><div class="product-price"><span class="sqs-money-native">30.00</span> CAD</div></div><div class="ProductItem-details-excerpt"><p>Made by hand, 8 cm.</p></div><div class="sqs-add-to-cart-button-wrapper"><div class="sqs-add-to-cart-button sqs-suppress-edit-mode" role="button" tabindex="0"><div class="sqs-add-to-cart-button-inner">Add To Cart</div></div></div></section></section>${FOOTER}</body></html>`,
    expected: { title: 'Speckled Mug', price: 30, currency: 'CAD', category: 'Shop', inStock: true },
  },
  {
    name: 'Wix',
    url: 'https://www.soaps.example/product-page/lavender-soap',
    html: `<html lang="en"><head><title>Lavender Soap | Soaps</title><meta property="og:site_name" content="Soaps"></head><body>${MENU}<main><article data-hook="product-page"><h1 data-hook="product-title" class="_2qrJF">Lavender Soap</h1><div data-hook="sku" class="_1rwRc">SKU: 366615376135191</div><div class="_26qxh"><span data-hook="formatted-secondary-price" class="cfpn1d">$10.00</span><span class="_2Zs">Regular Price</span><span data-hook="formatted-primary-price" class="C_PMm">$8.50</span><span>Sale Price</span></div>
      <div data-hook="product-options-inputs"><div data-hook="dropdown-base-text">Select</div></div><button data-hook="add-to-cart" class="Ju3"><span>Add to Cart</span></button></article></main>${FOOTER}</body></html>`,
    expected: {
      title: 'Lavender Soap',
      price: 8.5,
      currency: 'USD',
      original: 10,
      sku: '366615376135191',
      inStock: true,
    },
  },
  {
    name: 'a React shop with machine-made classes',
    url: 'https://www.outlet.example/us/men/trail-shoe/_/A-1234567',
    html: `<html lang="en-US"><head><title>Trail Shoe | Outlet</title></head><body><div id="__next"><div class="css-1x"><header class="css-2y"><nav class="css-n"><a href="/us/men">Men</a></nav></header><main class="css-3z"><div class="css-a1"><div class="css-a2"><h1 class="css-t" data-testid="product-title">Trail Shoe</h1><div class="css-p1"><div data-testid="pdp-price" class="css-p2"><span class="css-p3">$</span><span class="css-p4">89</span><sup class="css-p5">99</sup></div></div><p class="css-q">or 4 interest-free payments of $22.50</p>
      <div class="css-s"><button class="css-s1">8</button><button class="css-s1" disabled>9 <span>Sold out</span></button><button class="css-s1">10</button></div><button class="css-b" data-testid="add-to-bag">Add to bag</button><p class="css-m">Style #: 1234567-090</p></div></div>
      <div class="css-r"><h2>Customers also viewed</h2><div class="css-r1">${[1, 2, 3, 4].map((n) => `<div class="css-c"><a href="/us/men/shoe-${n}"><img src="/s${n}.jpg"><span class="css-c1">Shoe ${n}</span></a><span class="css-c2">$${n}9.99</span></div>`).join('')}</div></div></main></div></div></body></html>`,
    expected: { title: 'Trail Shoe', price: 89.99, currency: 'USD', sku: '1234567-090', inStock: true },
  },
  {
    name: 'VTEX, in Brazil, with an amount in parts and instalments',
    url: 'https://www.loja.example.com.br/chaleira-aco/p',
    html: `<html lang="pt-BR"><head><title>Chaleira de Aço</title></head><body class="container">${MENU}<div class="vtex-breadcrumb-1-x-container" data-testid="breadcrumb"><a class="vtex-breadcrumb-1-x-link" href="/"><svg></svg></a><span><a class="vtex-breadcrumb-1-x-link" href="/casa">Casa</a></span><span>Chaleira de Aço</span></div>
      <div class="vtex-flex-layout-0-x-flexRow"><div class="vtex-store-components-3-x-productImagesContainer"><img src="/c.jpg" alt="Chaleira"></div><div class="vtex-flex-layout-0-x-flexCol"><h1 class="vtex-store-components-3-x-productNameContainer"><span class="vtex-store-components-3-x-productBrand">Chaleira de Aço</span></h1><span class="vtex-product-identifier-0-x-product-identifier"><span class="vtex-product-identifier-0-x-product-identifier__label">Ref</span><span class="vtex-product-identifier-0-x-product-identifier__separator">: </span><span class="vtex-product-identifier-0-x-product-identifier__value">CH1299</span></span>
      <span class="vtex-product-price-1-x-listPrice"><span class="vtex-product-price-1-x-listPriceValue strike"><span class="vtex-product-price-1-x-currencyContainer"><span class="vtex-product-price-1-x-currencyCode">R$</span><span class="vtex-product-price-1-x-currencyLiteral">&nbsp;</span><span class="vtex-product-price-1-x-currencyInteger">1</span><span class="vtex-product-price-1-x-currencyGroup">.</span><span class="vtex-product-price-1-x-currencyInteger">499</span><span class="vtex-product-price-1-x-currencyDecimal">,</span><span class="vtex-product-price-1-x-currencyFraction">90</span></span></span></span>
      <span class="vtex-product-price-1-x-sellingPrice"><span class="vtex-product-price-1-x-sellingPriceValue"><span class="vtex-product-price-1-x-currencyContainer"><span class="vtex-product-price-1-x-currencyCode">R$</span><span class="vtex-product-price-1-x-currencyLiteral">&nbsp;</span><span class="vtex-product-price-1-x-currencyInteger">1</span><span class="vtex-product-price-1-x-currencyGroup">.</span><span class="vtex-product-price-1-x-currencyInteger">299</span><span class="vtex-product-price-1-x-currencyDecimal">,</span><span class="vtex-product-price-1-x-currencyFraction">90</span></span></span></span>
      <span class="vtex-product-price-1-x-installments">em até 10x de R$&nbsp;129,99 sem juros</span><button class="vtex-button"><div class="vtex-button__label"><span>Adicionar ao carrinho</span></div></button></div></div>${related('R$ 99,90', 'R$ 89,90')}${FOOTER}</body></html>`,
    expected: {
      title: 'Chaleira de Aço',
      price: 1299.9,
      currency: 'BRL',
      original: 1499.9,
      sku: 'CH1299',
      category: 'Casa',
      inStock: true,
    },
  },
  {
    name: 'a marketplace with raised cents, in Mexico',
    url: 'https://articulo.mercado.example.com.mx/MLM-123-tetera-_JM',
    html: `<html lang="es-MX"><head><title>Tetera | Mercado</title></head><body>${MENU}<main><div class="ui-pdp-container"><h1 class="ui-pdp-title">Tetera de acero</h1>
      <div class="ui-pdp-price__main-container"><s class="andes-money-amount ui-pdp-price__part ui-pdp-price__original-value" aria-label="Antes: 1599 pesos mexicanos"><span class="andes-money-amount__currency-symbol">$</span><span class="andes-money-amount__fraction">1,599</span></s><div class="ui-pdp-price__second-line"><span class="andes-money-amount" aria-label="1299 pesos con 50 centavos"><span class="andes-money-amount__currency-symbol">$</span><span class="andes-money-amount__fraction">1,299</span><span class="andes-money-amount__cents andes-money-amount__cents--superscript-36">50</span></span><span class="andes-money-amount__discount">18% OFF</span></div></div><p class="ui-pdp-price__subtitles">en 12x $ 108.29 sin interés</p>
      <p class="ui-pdp-stock-information__title">Stock disponible</p><button class="andes-button"><span>Comprar ahora</span></button><button class="andes-button"><span>Agregar al carrito</span></button></div>${related('$ 99', '$ 199')}</main>${FOOTER}</body></html>`,
    expected: { title: 'Tetera de acero', price: 1299.5, currency: 'MXN', original: 1599, inStock: true },
  },
  {
    name: 'Shoptet, in Czechia',
    url: 'https://www.obchod.example.cz/konvice/',
    html: `<html lang="cs"><head><title>Konvice ocelová - Obchod</title></head><body class="in-konvice type-product type-detail">${MENU}<div class="breadcrumbs"><span><a href="/" class="navigation-home-icon">Domů</a></span><span><a href="/kuchyne/">Kuchyně</a></span><span>Konvice ocelová</span></div>
      <div class="p-detail"><h1>Konvice ocelová</h1><div class="p-info-wrapper"><div class="price"><div class="price-standard-wrapper"><span class="price-standard"><span>1 590 Kč</span></span></div><div class="p-final-price-wrapper"><strong class="price-final"><span class="price-final-holder">1 290 Kč</span></strong><span class="price-additional">1 066,12 Kč bez DPH</span></div></div><div class="availability-value"><span class="availability-label">Skladem</span> <span class="availability-amount">(5 ks)</span></div><div class="delivery-time">Můžeme doručit do: 24.11.2025</div><div class="add-to-cart"><button type="submit" class="btn btn-lg btn-conversion add-to-cart-button">Do košíku</button></div></div><div class="p-code"><span class="p-code-label">Kód:</span> <span>KON-12</span></div><div>Značka: <a href="/znacka/acme/">Acme</a></div></div>${related('99 Kč', '199 Kč')}${FOOTER}</body></html>`,
    expected: {
      title: 'Konvice ocelová',
      price: 1290,
      currency: 'CZK',
      original: 1590,
      sku: 'KON-12',
      brand: 'Acme',
      category: 'Kuchyně',
      inStock: true,
    },
  },
  {
    name: '1C-Bitrix, in Russia, not in stock',
    url: 'https://shop.example.ru/catalog/chainiki/chainik/',
    html: `<html lang="ru"><head><title>Чайник стальной</title></head><body>${MENU}<div class="bx-breadcrumb"><a href="/">Главная</a><a href="/catalog/">Каталог</a><a href="/catalog/chainiki/">Чайники</a></div><div class="bx-catalog-element"><h1 class="bx-title">Чайник стальной</h1><div class="article">Артикул: ЧС-015</div>
      <div class="product-item-detail-pay-block"><div class="product-item-detail-price-old">2 500 руб.</div><div class="product-item-detail-price-current">1 990 руб.</div><div class="product-item-detail-economy-price">Экономия 510 руб.</div><div class="quantity">Нет в наличии</div><a class="btn btn-subscribe" href="javascript:void(0)">Сообщить о поступлении</a></div></div>${related('99 руб.', '199 руб.')}${FOOTER}</body></html>`,
    expected: {
      title: 'Чайник стальной',
      price: 1990,
      currency: 'RUB',
      original: 2500,
      sku: 'ЧС-015',
      category: 'Каталог > Чайники',
      inStock: false,
    },
  },
  {
    name: 'Zen Cart, old and made of tables',
    url: 'https://www.parts.example/index.php?main_page=product_info&products_id=180',
    html: `<html lang="en"><head><title>Widget, Parts Store</title></head><body id="productinfoBody"><table><tr><td id="navColumnOne"><div class="leftBoxContainer" id="featured"><h3>Featured</h3><div class="sideBoxContent centeredContent"><a href="/w">Other</a><span class="normalprice">$99.00</span></div></div></td><td><form action="/index.php?action=add_product"><h1 id="productName" class="productGeneral">Widget with two knobs</h1><h2 id="productPrices" class="productGeneral"><span class="normalprice">$50.00 </span>&nbsp;<span class="productSpecialPrice">$40.00</span><span class="productPriceDiscount"><br />Save:&nbsp;20% off</span></h2><div id="productDescription">It is good.</div><ul id="productDetailsList"><li>Model: WID2K</li><li>Shipping Weight: 2lbs</li><li>10 Units in Stock</li><li>Manufactured by: Acme</li></ul><div id="cartAdd">Add to Cart: <input type="text" name="cart_quantity" value="1"><input type="image" src="button_in_cart.gif" alt="Add to Cart" title="Add to Cart"></div></form></td></tr></table></body></html>`,
    expected: { title: 'Widget with two knobs', price: 40, currency: 'USD', original: 50, sku: 'WID2K', inStock: true },
  },
  {
    name: 'Volusion, with labels in the text and no heading',
    url: 'https://www.store.example/product-p/tk-100.htm',
    html: `<html><head><title>Tea Kettle 100</title></head><body>${MENU}<div id="content_area"><table><tr><td class="vCSS_breadcrumb_td"><a href="/">Home</a> &gt; <a href="/kettles-s/1.htm">Kettles</a></td></tr></table><form action="/product-p/tk-100.htm"><font class="productnamecolorLARGE colors_productname"><span>Tea Kettle 100</span></font><table><tr><td><div class="product_listprice"><b>List Price: $65.00</b></div><font class="pricecolor colors_productprice"><div class="product_productprice"><b><font class="pricecolor">Our Price: <span>$50.00</span></font></b></div></font><div class="product_savings">You save $15.00!</div><b>Stock Status:</b>In Stock <br><b>Availability:</b>Usually Ships in 1 to 2 Business Days<br>Product Code: <span class="product_code">TK-100</span><br>Qty: <input name="QTY.TK-100" value="1"><input type="image" name="btnaddtocart" src="btn_addtocart.gif" alt="Add to cart"></td></tr></table></form></div>${FOOTER}</body></html>`,
    expected: {
      title: 'Tea Kettle 100',
      price: 50,
      currency: 'USD',
      original: 65,
      sku: 'TK-100',
      category: 'Kettles',
      inStock: true,
    },
  },
  {
    name: 'nopCommerce, in Denmark',
    url: 'https://www.butik.example.dk/kedel',
    html: `<html lang="da"><head><title>Butik. Kedel</title></head><body>${MENU}<div class="page product-details-page"><div class="breadcrumb"><ul><li><a href="/" title="Hjem">Hjem</a></li><li><a href="/koekken">Køkken</a></li><li><strong>Kedel</strong></li></ul></div><form id="product-details-form"><div class="product-essential"><div class="overview"><div class="product-name"><h1>Kedel</h1></div><div class="availability"><div class="stock"><span class="label">Tilgængelighed:</span><span class="value">På lager</span></div></div><div class="additional-details"><div class="sku"><span class="label">Varenummer:</span><span class="value">K_88</span></div></div><div class="prices"><div class="old-product-price"><span>Før:</span><span>1.299,00 kr.</span></div><div class="product-price"><label>Pris:</label><span class="price-value-1">999,00 kr.</span></div></div><div class="add-to-cart"><div class="add-to-cart-panel"><button type="button" class="button-1 add-to-cart-button">Læg i kurv</button></div></div></div></div></form></div>${related('99,00 kr.', '199,00 kr.')}${FOOTER}</body></html>`,
    expected: {
      title: 'Kedel',
      price: 999,
      currency: 'DKK',
      original: 1299,
      sku: 'K_88',
      category: 'Køkken',
      inStock: true,
    },
  },
  {
    name: 'a Japanese mall',
    url: 'https://item.mall.example.jp/shop/kettle-01/',
    html: `<html lang="ja"><head><title>【公式】ステンレスケトル：ショップ</title></head><body>${MENU}<div id="pagebody"><table><tr><td><h1 class="item_name">ステンレスケトル</h1><p>商品番号 kettle-01</p><div class="price_box"><span class="label">通常価格</span><span class="double_price">5,980円(税込)</span><div><span class="price2">4,980円</span><span class="tax_postage">税込</span><span>送料無料</span></div></div><p class="stock">在庫あり</p><button type="button" class="cart_btn">買い物かごに入れる</button></td></tr></table></div>${related('980円', '1,980円')}${FOOTER}</body></html>`,
    expected: {
      title: 'ステンレスケトル',
      price: 4980,
      currency: 'JPY',
      original: 5980,
      sku: 'kettle-01',
      inStock: true,
    },
  },
  {
    name: 'a shop in Poland with its price in two lines, sold out',
    url: 'https://sklep.example.pl/czajnik-p-1234.html',
    html: `<html lang="pl"><head><title>Czajnik stalowy - Sklep</title></head><body>${MENU}<div id="box_productfull"><h1 class="name">Czajnik stalowy</h1><div class="row manufacturer"><em>Producent:</em> <a class="brand" href="/producent/acme">Acme</a></div><div class="row code"><em>Kod produktu:</em> <span>CZ-77</span></div><div class="price"><em class="main-price">129,00 zł</em> <span class="price-netto">netto: 104,88 zł</span></div><p class="lowest">Najniższa cena z 30 dni przed obniżką: 119,00 zł</p><div class="availability"><span class="first">Dostępność:</span> <span class="second">brak towaru</span></div><a class="btn" href="#">Powiadom o dostępności</a></div>${related('9,00 zł', '19,00 zł')}${FOOTER}</body></html>`,
    expected: { title: 'Czajnik stalowy', price: 129, currency: 'PLN', sku: 'CZ-77', brand: 'Acme', inStock: false },
  },
  {
    name: 'a catalogue of industrial parts, with its details in a table',
    url: 'https://www.industrial.example/bearings/6204-2rs',
    html: `<html lang="en"><head><title>Ball Bearing 6204-2RS, 20mm bore | Industrial</title></head><body>${MENU}<main><div class="crumbs"><a href="/">Home</a> › <a href="/bearings">Bearings</a> › Ball Bearing</div><h1>Ball Bearing 6204-2RS, 20mm bore</h1><div class="summary"><table><tr><td>Item #</td><td>5XC29</td></tr><tr><td>Mfr. Model #</td><td>6204-2RS-C3</td></tr><tr><td>Manufacturer</td><td>Acme</td></tr><tr><td>UNSPSC #</td><td>31171504</td></tr></table><div class="buy"><div>Web Price</div><div>$12.48 / each</div><div>Ready to ship</div><input type="number" value="1"><button>Add to Cart</button></div></div><h2>Specifications</h2><table><tr><th>Bore</th><td>20 mm</td></tr><tr><th>Width</th><td>14.000 mm</td></tr></table></main>${FOOTER}</body></html>`,
    expected: {
      title: 'Ball Bearing 6204-2RS, 20mm bore',
      price: 12.48,
      currency: 'USD',
      sku: '5XC29',
      brand: 'Acme',
      category: 'Bearings',
      inStock: true,
    },
  },
];
