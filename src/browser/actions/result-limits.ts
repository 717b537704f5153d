import type { ActionResults } from './types.ts';

const MB = 1024 * 1024;
/** For the screenshots and PDFs of one page, the limit of the store for its files. */
const MAX_FILE_BYTES = 100 * MB;
/** For the HTML of all actions "scrape". */
const MAX_HTML = 20 * MB;
/** For the values of all scripts, as JSON. */
const MAX_VALUES = 5_000_000;

/** Throws if the results so far are more than one answer may hold. */
export function checkResultLimits({ screenshots, pdfs, scrapes, javascriptReturns }: ActionResults): void {
  const files = sum([...screenshots, ...pdfs], ({ bytes }) => bytes.byteLength);
  if (files > MAX_FILE_BYTES) {
    throw new Error(
      `the screenshots and PDFs so far are larger than ${MAX_FILE_BYTES / MB} MB. Set "quality", or make fewer`,
    );
  }
  if (sum(scrapes, ({ html }) => html.length) > MAX_HTML) {
    throw new Error(`the scrapes so far are longer than ${MAX_HTML / MB} million characters. Scrape less often`);
  }
  if (sum(javascriptReturns, ({ value }) => JSON.stringify(value).length) > MAX_VALUES) {
    throw new Error(`the scripts so far have returned more than ${MAX_VALUES} characters. Return less`);
  }
}

function sum<T>(items: readonly T[], size: (item: T) => number): number {
  return items.reduce((total, item) => total + size(item), 0);
}
