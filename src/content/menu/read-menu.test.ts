import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Menu } from '../page-content.ts';
import { parseHtml } from '../parse-html.ts';
import { readStructuredData } from '../structured/read-structured-data.ts';
import { type MenuReading, readMenu } from './read-menu.ts';

const PAGE = 'https://luigis.example/menu';

function read(html: string, url = PAGE): MenuReading {
  const tree = parseHtml(html, url);
  return readMenu(tree, readStructuredData(tree), { html, url });
}

function menuOf(html: string, url = PAGE): Menu {
  const { menu, warning } = read(html, url);
  assert.ok(menu, warning);
  return menu;
}

/** `Section: item 9.5 EUR, item` for each section. */
function outline({ sections }: Menu): string[] {
  return sections.map(({ name, items }) => {
    const texts = items.map(({ name, price }) =>
      [name, price?.amount, price?.currency].filter((part) => part).join(' '),
    );
    return `${name}: ${texts.join(', ')}`;
  });
}

function jsonLd(...values: unknown[]): string {
  return values.map((value) => `<script type="application/ld+json">${JSON.stringify(value)}</script>`).join('');
}

function state(value: unknown): string {
  return `<script id="__NEXT_DATA__" type="application/json">${JSON.stringify({ props: { pageProps: value } })}</script>`;
}

const item = (name: string, price?: number | string) => ({
  '@type': 'MenuItem',
  name,
  offers: price === undefined ? undefined : { '@type': 'Offer', price, priceCurrency: 'EUR' },
});
const section = (name: string, ...hasMenuItem: unknown[]) => ({ '@type': 'MenuSection', name, hasMenuItem });
const menu = (name: string | undefined, ...hasMenuSection: unknown[]) => ({ '@type': 'Menu', name, hasMenuSection });
const restaurant = (name: string, ...hasMenu: unknown[]) => ({ '@type': 'Restaurant', name, hasMenu });

const PIZZA = section('Pizza', item('Margherita', 9.5), item('Marinara', '8,50'));
const DRINKS = section('Drinks', item('Water', 2.5));
const LUIGI = restaurant('Luigi’s', menu('Menu', PIZZA, DRINKS));

describe('a menu in JSON-LD', () => {
  it('is read whole', () => {
    const margherita = {
      ...item('Margherita &amp; basil', '9.50'),
      '@id': '#margherita',
      identifier: 'P1',
      description: '<p>Tomato, mozzarella</p>',
      image: '/m.jpg',
      url: '/menu/margherita',
      suitableForDiet: ['https://schema.org/VegetarianDiet', 'GlutenFreeDiet'],
      nutrition: { '@type': 'NutritionInformation', calories: '840 calories' },
    };
    const soldOut = {
      ...item('Tiramisu'),
      offers: { '@type': 'Offer', price: 6, priceCurrency: 'EUR', availability: 'https://schema.org/SoldOut' },
    };
    const data = restaurant(
      'Luigi’s',
      menu(undefined, { ...section('Pizza', margherita), description: 'From the oven' }, section('Sweets', soldOut)),
    );
    assert.deepEqual(menuOf(jsonLd({ '@context': 'https://schema.org', '@graph': [{ '@type': 'WebSite' }, data] })), {
      isMenu: true,
      confidence: 1,
      merchant: { name: 'Luigi’s', type: 'Restaurant' },
      currency: 'EUR',
      sections: [
        {
          id: '1',
          name: 'Pizza',
          description: 'From the oven',
          items: [
            {
              id: 'P1',
              name: 'Margherita & basil',
              description: 'Tomato, mozzarella',
              images: [{ url: 'https://luigis.example/m.jpg' }],
              price: { amount: 9.5, currency: 'EUR' },
              availability: { inStock: true },
              dietary: ['vegetarian', 'gluten-free'],
              calories: 840,
              optionGroups: [],
              identifiers: { merchantItemId: 'P1' },
              url: 'https://luigis.example/menu/margherita',
              sourceUrl: PAGE,
            },
          ],
        },
        {
          id: '2',
          name: 'Sweets',
          items: [
            {
              id: '2.1',
              name: 'Tiramisu',
              images: [],
              price: { amount: 6, currency: 'EUR' },
              availability: { inStock: false, text: 'SoldOut' },
              dietary: [],
              optionGroups: [],
              identifiers: {},
              sourceUrl: PAGE,
            },
          ],
        },
      ],
      sourceUrl: PAGE,
    });
  });

  const cases: [title: string, html: string, expected: string[]][] = [
    ['has its sections', jsonLd(LUIGI), ['Pizza: Margherita 9.5 EUR, Marinara 8.5 EUR', 'Drinks: Water 2.5 EUR']],
    [
      'has sections inside sections by both names',
      jsonLd(restaurant('Luigi’s', menu('All', { ...DRINKS, hasMenuSection: section('Wine', item('Barolo', 45)) }))),
      ['Drinks: Water 2.5 EUR', 'Drinks > Wine: Barolo 45 EUR'],
    ],
    [
      'has all menus of one restaurant, by their names',
      jsonLd(restaurant('Luigi’s', menu('Lunch', PIZZA), menu('Dinner', DRINKS))),
      ['Lunch > Pizza: Margherita 9.5 EUR, Marinara 8.5 EUR', 'Dinner > Drinks: Water 2.5 EUR'],
    ],
    [
      'has items that stand in no section under the name of the menu',
      jsonLd({ ...restaurant('Luigi’s'), hasMenu: { '@type': 'Menu', name: 'Today', hasMenuItem: [item('Soup', 4)] } }),
      ['Today: Soup 4 EUR'],
    ],
    [
      'is found by its id',
      jsonLd({ ...restaurant('Luigi’s'), hasMenu: { '@id': '#menu' } }, { ...menu('Menu', DRINKS), '@id': '#menu' }),
      ['Drinks: Water 2.5 EUR'],
    ],
    [
      'is found by its address, among others',
      jsonLd(
        { ...restaurant('Luigi’s'), hasMenu: ['/menu#lunch', '/menu#dinner'] },
        { ...menu('Lunch', PIZZA), url: `${PAGE}#lunch` },
        { ...menu('Dinner', DRINKS), '@id': `${PAGE}#dinner` },
      ),
      ['Lunch > Pizza: Margherita 9.5 EUR, Marinara 8.5 EUR', 'Dinner > Drinks: Water 2.5 EUR'],
    ],
    [
      'belongs to the only restaurant of the page',
      jsonLd({ '@type': ['CafeOrCoffeeShop', 'LocalBusiness'], name: 'Luigi’s' }, menu('Menu', DRINKS)),
      ['Drinks: Water 2.5 EUR'],
    ],
    ['may be sections alone', jsonLd(restaurant('Luigi’s'), PIZZA, DRINKS), outline(menuOf(jsonLd(LUIGI)))],
    [
      'is the main entity of its page',
      jsonLd({ '@type': 'WebPage', mainEntity: { ...menu('Menu', DRINKS), provider: restaurant('Luigi’s') } }),
      ['Drinks: Water 2.5 EUR'],
    ],
    [
      'has the lowest price of several sizes, and none where none is said',
      jsonLd(
        restaurant(
          'Luigi’s',
          menu(
            'Menu',
            section(
              'Pizza',
              {
                ...item('Margherita'),
                offers: [
                  { name: 'Large', price: 12 },
                  { name: 'Small', price: 9 },
                ],
              },
              item('Of the day'),
            ),
          ),
        ),
      ),
      ['Pizza: Margherita 9, Of the day'],
    ],
    [
      'that two plugins describe is read once',
      jsonLd(restaurant('Luigi’s'), LUIGI),
      ['Pizza: Margherita 9.5 EUR, Marinara 8.5 EUR', 'Drinks: Water 2.5 EUR'],
    ],
  ];
  for (const [title, html, expected] of cases) {
    it(title, () => {
      const read = menuOf(html);
      assert.equal(read.merchant.name, 'Luigi’s');
      assert.deepEqual(outline(read), expected);
    });
  }
});

describe('a menu in attributes', () => {
  it('is read from microdata', () => {
    const html = `<div itemscope itemtype="https://schema.org/Restaurant"><h1 itemprop="name">Luigi’s</h1>
      <div itemprop="hasMenu" itemscope itemtype="https://schema.org/Menu">
      <section itemprop="hasMenuSection" itemscope itemtype="https://schema.org/MenuSection"><h2 itemprop="name">Pizza</h2>
      <div itemprop="hasMenuItem" itemscope itemtype="https://schema.org/MenuItem"><h3 itemprop="name">Margherita</h3>
      <div itemprop="offers" itemscope itemtype="https://schema.org/Offer"><b itemprop="price" content="9.50">9,50</b><meta itemprop="priceCurrency" content="EUR"></div>
      </div></section></div></div>`;
    assert.deepEqual(outline(menuOf(html)), ['Pizza: Margherita 9.5 EUR']);
  });

  it('is read from RDFa, and belongs to the site when no restaurant is named', () => {
    const html = `<meta property="og:site_name" content="Luigi’s"><div vocab="https://schema.org/" typeof="Menu"><div property="hasMenuSection" typeof="MenuSection"><b property="name">Pizza</b>
      <div property="hasMenuItem" typeof="MenuItem"><b property="name">Margherita</b> <div property="offers" typeof="Offer"><b property="price">£9.50</b></div></div></div></div>`;
    const read = menuOf(html);
    assert.deepEqual([read.merchant, outline(read)], [{ name: 'Luigi’s' }, ['Pizza: Margherita 9.5 GBP']]);
  });
});

describe('a menu in embedded state', () => {
  const dishes = [
    {
      id: 11,
      name: 'Margherita',
      price: 9.5,
      currency: 'EUR',
      description: 'Tomato',
      imageUrl: '/m.jpg',
      calories: 840,
    },
    { id: 12, name: 'Marinara', price: 8, currency: 'EUR', soldOut: true },
  ];
  const store = { store: { name: 'Luigi’s', menu: { categories: [{ name: 'Pizza', items: dishes }] } } };
  const title = '<title>Order from Luigi’s | Quick Bikes</title>';

  it('is read whole', () => {
    const read = menuOf(title + state(store));
    assert.deepEqual([read.merchant, read.currency], [{ name: 'Luigi’s' }, 'EUR']);
    const [first, second] = read.sections[0]?.items ?? [];
    assert.deepEqual(first, {
      id: '11',
      name: 'Margherita',
      description: 'Tomato',
      images: [{ url: 'https://luigis.example/m.jpg' }],
      price: { amount: 9.5, currency: 'EUR' },
      availability: { inStock: true },
      dietary: [],
      calories: 840,
      optionGroups: [],
      identifiers: { merchantItemId: '11' },
      sourceUrl: PAGE,
    });
    assert.deepEqual([second?.price?.amount, second?.availability.inStock], [8, false]);
  });

  const cases: [title: string, state: unknown, expected: string[]][] = [
    [
      'of several menus has the names of both',
      {
        name: 'Luigi’s',
        menus: [
          {
            title: 'Lunch',
            menuSections: [{ title: 'Pizza', menuItems: [{ title: 'Margherita', displayPrice: '€9.50' }] }],
          },
          {
            title: 'Dinner',
            menuSections: [{ title: 'Fish', menuItems: [{ title: 'Sole', displayPrice: '€24.00' }] }],
          },
        ],
      },
      ['Lunch > Pizza: Margherita 9.5 EUR', 'Dinner > Fish: Sole 24 EUR'],
    ],
    [
      'has prices in hundredths only where the state says so',
      {
        name: 'Luigi’s',
        menu: {
          sections: [
            {
              name: 'Pizza',
              items: [
                { name: 'Margherita', priceInCents: 950 },
                { name: 'Marinara', price: { centAmount: 850, currencyCode: 'EUR' } },
                { name: 'Calzone', price: 1050 },
              ],
            },
          ],
        },
      },
      ['Pizza: Margherita 9.5, Marinara 8.5 EUR, Calzone'],
    ],
    [
      'is not doubled by what is popular on it',
      { ...store, popular: { menu: [{ name: 'Popular', items: dishes.slice(0, 1) }] } },
      ['Pizza: Margherita 9.5 EUR, Marinara 8 EUR'],
    ],
  ];
  for (const [name, value, expected] of cases) {
    it(name, () => assert.deepEqual(outline(menuOf(title + state(value))), expected));
  }

  it('is read from a Nuxt payload', () => {
    const payload = [
      ['ShallowReactive', 1],
      { store: 2 },
      { name: 3, menu: 4 },
      'Luigi’s',
      [5],
      { name: 6, items: 7 },
      'Pizza',
      [8],
      { name: 9, price: 10 },
      'Margherita',
      9.5,
    ];
    const html = `${title}<script type="application/json" id="__NUXT_DATA__">${JSON.stringify(payload)}</script>`;
    assert.deepEqual(outline(menuOf(html)), ['Pizza: Margherita 9.5']);
  });

  it('belongs to the restaurant that JSON-LD describes', () => {
    const read = menuOf(jsonLd(restaurant('Luigi’s')) + state({ sections: [{ name: 'Pizza', items: dishes }] }));
    assert.deepEqual(read.merchant, { name: 'Luigi’s', type: 'Restaurant' });
  });

  it('fills in what JSON-LD omits about an item', () => {
    const { sections } = menuOf(
      jsonLd(restaurant('Luigi’s', menu('Menu', section('Pizza', item('Margherita'), item('Calzone'))))) + state(store),
    );
    assert.deepEqual(
      sections[0]?.items.map(({ name, price, images }) => [name, price?.amount, images.length]),
      [
        ['Margherita', 9.5, 1],
        ['Calzone', undefined, 0],
      ],
    );
  });
});

describe('of several restaurants', () => {
  const mario = { ...restaurant('Mario’s', menu('Menu', DRINKS)), url: '/menu' };
  it('the one with the address of the page is chosen', () => {
    assert.equal(menuOf(jsonLd(LUIGI, mario)).merchant.name, 'Mario’s');
  });
  it('the one with the title of the page is chosen', () => {
    assert.equal(
      menuOf(`<h1>LUIGI’S</h1>${jsonLd(LUIGI, restaurant('Mario’s', menu('Menu', DRINKS)))}`).merchant.name,
      'Luigi’s',
    );
  });
});

describe('no menu', () => {
  const dishes = [{ name: 'Margherita', price: 9.5 }];
  const cases: [title: string, html: string, warning: RegExp][] = [
    ['comes of a page without data', '<h1>Menu</h1><p>Pizza 9.50', /no data/],
    [
      'comes of several restaurants',
      jsonLd(LUIGI, restaurant('Mario’s', menu('Menu', DRINKS))),
      /several \(Luigi’s, Mario’s\)/,
    ],
    [
      'comes of several menus that belong to nobody',
      jsonLd(menu('Lunch', PIZZA), menu('Dinner', DRINKS)),
      /several \(Lunch, Dinner\)/,
    ],
    ['comes of a list of restaurants', jsonLd({ '@type': 'ItemList', itemListElement: [{ item: LUIGI }] }), /no data/],
    [
      'comes of an address of a menu',
      jsonLd({ ...restaurant('Luigi’s'), hasMenu: '/carta.pdf' }),
      /Luigi’s, but no menu with items.* https:\/\/luigis\.example\/carta\.pdf/,
    ],
    [
      'comes of sections without items',
      jsonLd(restaurant('Luigi’s', menu('Menu', section('Pizza')))),
      /no menu with items/,
    ],
    ['comes of a menu of nobody', jsonLd(menu('Menu', PIZZA)), /whose/],
    [
      'comes of state that holds several',
      state({
        name: 'Luigi’s',
        menu: [{ name: 'Pizza', items: dishes }],
        nearby: { menus: [{ name: 'Mario’s', items: [{ name: 'Sole', price: 24.5 }] }] },
      }),
      /several/,
    ],
    [
      'comes of the shelves of a shop',
      state({ shelves: [{ title: 'New', products: [{ name: 'Shirt', price: 9.5 }] }] }),
      /no data/,
    ],
    [
      'comes of navigation',
      state({ menu: [{ title: 'Shop', items: [{ title: 'Shirts' }, { title: 'Hats' }] }] }),
      /no data/,
    ],
    [
      'comes of prices that could be hundredths',
      state({ menu: [{ name: 'Pizza', items: [{ name: 'Margherita', price: 950 }] }] }),
      /no data/,
    ],
    [
      'comes of state that names no restaurant',
      `<meta property="og:site_name" content="Quick Bikes">${state({ menu: [{ name: 'Pizza', items: dishes }] })}`,
      /whose/,
    ],
  ];
  for (const [title, html, warning] of cases) {
    it(title, () => {
      const reading = read(html);
      assert.equal(reading.menu, undefined);
      assert.match(reading.warning ?? '', warning);
    });
  }
});

it('a hostile page takes linear time', () => {
  const many = Array.from({ length: 15_000 }, (_, index) => item(`Dish ${index}`, 1));
  const cycle = {
    '@id': '#s',
    '@type': 'MenuSection',
    name: 'Loop',
    hasMenuItem: many,
    hasMenuSection: { '@id': '#s' },
  };
  const deep = (depth: number): unknown => ({
    name: 'Deep',
    items: [{ name: 'x', price: 1.5 }],
    sections: depth > 0 ? [deep(depth - 1), deep(depth - 1)] : [],
  });
  const started = performance.now();
  const read = menuOf(jsonLd(restaurant('Luigi’s', menu('Menu', cycle))) + state({ menu: [deep(12)] }));
  assert.equal(read.sections.flatMap(({ items }) => items).length, 5_000);
  assert.ok(performance.now() - started < 5_000);
});
