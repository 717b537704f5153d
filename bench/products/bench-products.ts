import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Product } from '../../src/content/page-content.ts';
import { type LabelledPage, readLabels } from '../content/labelled-pages.ts';
import { DEFAULT_FOLDER } from '../pages.ts';
import type { Figure } from '../report.ts';
import { FIELDS, type Field } from './compare.ts';
import { HALVES, readProductPage, type TaskOutcome } from './read-pages.ts';

/** A quick run takes one page in this many. */
const QUICK_STEP = 20;

/** Target F1 of each field read from the visible page, on pages that show the value. */
const AIMS: Readonly<Record<Field, number>> = { price: 0.9, SKU: 0.8, availability: 0.95 };

export interface ProductsOptions {
  /** The folder with the labelled pages. */
  pages: string | undefined;
  /** Reads only a few pages, so the figures mean little. */
  quick: boolean;
}

/**
 * Measures how well products are read from what visitors see. The structured data of a page is hidden from the reader,
 * then compared with what the reader found. Also measures how often a page that sells nothing is read as a product, and
 * what the visible page adds to the data.
 *
 * @throws when there are no labelled pages
 */
export async function* benchProducts({ pages: folder, quick }: ProductsOptions): AsyncGenerator<Figure> {
  const dataset = folder ?? DEFAULT_FOLDER;
  if (!existsSync(join(dataset, 'ground-truth'))) {
    throw new Error(`There are no labelled pages in ${dataset}. Name a folder that holds them with --pages.`);
  }
  const labels = readLabels(dataset).filter((_, index) => !quick || index % QUICK_STEP === 0);
  const read = labels.map((page) => readProductPage(dataset, page));
  for (const half of HALVES) {
    const own = read.filter((outcome) => outcome.half === half);
    for (const field of FIELDS) yield* fieldFigures(own, field, half);
  }
  yield* falseProducts(read);
  yield* combination(read);
}

function* fieldFigures(pages: readonly TaskOutcome[], field: Field, half: string): Generator<Figure> {
  const all = pages.flatMap(({ outcomes }) => outcomes.filter((outcome) => outcome.field === field));
  const shown = all.filter(({ isShown }) => isShown);
  const found = shown.filter((outcome) => outcome.found !== undefined).length;
  const right = shown.filter(({ isRight }) => isRight).length;
  const name = (what: string) => `${field}, ${half}: ${what}`;
  yield { name: name('F1'), value: share(2 * right, found + shown.length), unit: '', atLeast: AIMS[field] };
  yield { name: name('precision'), value: share(right, found), unit: '' };
  yield { name: name('recall'), value: share(right, shown.length), unit: '' };
  yield { name: name('in the data'), value: all.length, unit: 'pages' };
  yield { name: name('in the data and on the page'), value: shown.length, unit: 'pages' };
}

/** Counts products read from pages that are labelled as something other than a product and have no product data. */
function* falseProducts(pages: readonly TaskOutcome[]): Generator<Figure> {
  const others = pages.filter(({ page, marked }) => isOther(page) && marked === undefined);
  yield { name: 'non-product pages', value: others.length, unit: 'pages' };
  const visible = others.filter((outcome) => outcome.visible !== undefined).length;
  yield {
    name: 'non-product pages read as products, data hidden',
    value: visible,
    unit: 'pages',
    aim: others.length / 200,
  };
  const combined = others.filter((outcome) => outcome.combined !== undefined).length;
  yield {
    name: 'non-product pages read as products, with data',
    value: combined,
    unit: 'pages',
    aim: others.length / 200,
  };
}

function isOther({ type }: LabelledPage): boolean {
  return type !== 'product';
}

function* combination(pages: readonly TaskOutcome[]): Generator<Figure> {
  const marked = pages.filter((outcome) => outcome.marked !== undefined);
  const added = pages.filter(({ marked, combined }) => marked === undefined && combined !== undefined);
  yield { name: 'products from data alone', value: marked.length, unit: 'pages' };
  yield { name: 'products added by the visible page', value: added.length, unit: 'pages' };
  for (const [name, of] of VALUES) {
    const values = marked.map((outcome) => [of(outcome.marked), of(outcome.combined)] as const);
    const filled = values.filter(([before, after]) => before === undefined && after !== undefined).length;
    const changed = values.filter(([before, after]) => before !== undefined && before !== after).length;
    yield { name: `${name} added by the visible page`, value: filled, unit: 'pages' };
    yield { name: `${name} changed by the visible page`, value: changed, unit: 'pages' };
  }
}

const VALUES: readonly (readonly [name: string, of: (product: Product | undefined) => unknown])[] = [
  ['price', (product) => product?.variants[0]?.price?.amount],
  ['former price', (product) => product?.variants[0]?.sale?.originalPrice.amount],
  ['SKU', (product) => product?.variants[0]?.sku],
  ['stock', (product) => product?.variants[0]?.availability.inStock],
  ['brand', (product) => product?.brand],
  ['category', (product) => product?.category],
  ['images', (product) => product?.variants[0]?.images?.length],
];

function share(part: number, whole: number): number {
  return whole === 0 ? Number.NaN : part / whole;
}
