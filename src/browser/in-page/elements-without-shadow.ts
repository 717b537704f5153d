import type { PageDocument, PageElement } from './dom.ts';

declare const document: PageDocument;

/** Runs in the page: its custom elements that show something although they have no open shadow root. */
export function elementsWithoutShadow(): PageElement[] {
  /** Each costs two messages to the browser. */
  const MAX_HOSTS = 64;
  const found: PageElement[] = [];
  for (const element of document.querySelectorAll(':defined')) {
    if (!element.localName.includes('-') || element.shadowRoot !== null) continue;
    if ((element.textContent ?? '').trim() === '' && element.getBoundingClientRect().height > 0) found.push(element);
    if (found.length === MAX_HOSTS) break;
  }
  return found;
}
