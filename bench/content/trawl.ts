/** This engine, with the settings of a scrape that asks for nothing special. */
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
