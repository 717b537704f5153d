/** This engine, with the default settings of a scrape. */
import type { ReadOptions } from '../../src/content/page-content.ts';
import { readPage } from '../../src/content/read-page.ts';

export const OPTIONS: ReadOptions = {
  formats: ['markdown'],
  onlyMainContent: true,
  onlyCleanContent: false,
  includeTags: [],
  excludeTags: [],
  removeBase64Images: true,
  blockAds: true,
  attributes: [],
};

export function toMarkdown(html: string, url: string): string {
  return readPage({ html, url }, OPTIONS).markdown ?? '';
}
