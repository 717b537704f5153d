import type { PageDocument } from './dom.ts';

declare const document: PageDocument;

/** Whether the page has as little text and as few links as a block page. */
export function isSparse(): boolean {
  return document.getElementsByTagName('a').length < 12 && (document.body?.innerText.length ?? 0) < 1_500;
}
