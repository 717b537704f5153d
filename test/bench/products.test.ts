import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import type { Figure } from '../../bench/report.ts';
import { temporaryFolder } from '../support/folder.ts';

const MAIN = join(import.meta.dirname, '..', '..', 'bench', 'main.ts');

const data = (name: string, price: number) =>
  `<script type="application/ld+json">${JSON.stringify({
    '@type': 'Product',
    name,
    sku: `${name}-1`,
    offers: { '@type': 'Offer', price, priceCurrency: 'EUR', availability: 'InStock' },
  })}</script><meta property="product:price:amount" content="${price}">`;
const shop = (name: string, shown: string) =>
  `<h1 itemprop="name">${name}</h1><p itemprop="price" content="34">${shown}</p><p>SKU: ${name}-1</p><button>Add to cart</button>`;

const PAGES: [url: string, type: string, html: string][] = [
  ['https://one.example/p/kettle', 'product', data('Kettle', 34) + shop('Kettle', '34.00 €')],
  ['https://two.example/p/teapot', 'product', data('Teapot', 34) + shop('Teapot', 'Price on request')],
  [
    'https://three.example/p/cup',
    'product',
    data('Cup', 34) + shop('Cup', '34.00 €').replace('€', '€ <i>or</i> 12.00 €'),
  ],
  ['https://four.example/news', 'article', '<h1>Kettles</h1><p>They cost more than ever, $34 on average.</p>'],
];

test('the products benchmark hides the structured data of pages and compares it with what is read from the rest', async () => {
  await using temporary = await temporaryFolder();
  const folder = temporary.path;
  await mkdir(join(folder, 'html'));
  await mkdir(join(folder, 'ground-truth'));
  for (const [index, [url, primary, html]] of PAGES.entries()) {
    const label = { url, ground_truth: {}, _internal: { page_type: { primary } } };
    await writeFile(join(folder, 'html', `${index}.html.gz`), gzipSync(html));
    await writeFile(join(folder, 'ground-truth', `${index}.json`), JSON.stringify(label));
  }
  const { stdout } = await promisify(execFile)(process.execPath, [MAIN, 'products', '--pages', folder, '--json']);
  const figures: Figure[] = JSON.parse(stdout);
  const sum = (end: string) =>
    figures
      .filter(({ name }) => name.startsWith('price') && name.endsWith(end))
      .reduce((total, { value }) => total + value, 0);
  assert.equal(sum('in the data'), 3);
  assert.equal(sum('on the page'), 2);
  const value = (name: string) => figures.find((figure) => figure.name === name)?.value;
  assert.equal(value('non-product pages'), 1);
  assert.equal(value('non-product pages read as products, data hidden'), 0);
  assert.equal(value('products from data alone'), 3);
  assert.equal(value('price changed by the visible page'), 0);
});
