import type { PageDocument, PageElement } from './dom.ts';

declare const document: PageDocument;
declare const innerHeight: number;
declare const getComputedStyle: (element: PageElement) => { overflowY: string };

interface Box extends PageElement {
  scrollBy(options: { top: number; behavior: 'instant' }): void;
  scrollIntoView(options: { block: 'center'; behavior: 'instant' }): void;
}

/** Runs in the page: scrolls a box by what it shows. An element that does not scroll is scrolled into view. */
export function scrollBox(box: Box, direction: 'up' | 'down'): void {
  const isRoot = box === document.scrollingElement || box.localName === 'body';
  const isBox = box.scrollHeight > box.clientHeight && /auto|scroll/.test(getComputedStyle(box).overflowY);
  if (!isRoot && !isBox) {
    box.scrollIntoView({ block: 'center', behavior: 'instant' });
    return;
  }
  const screen = isRoot ? innerHeight : box.clientHeight;
  box.scrollBy({ top: direction === 'down' ? screen : -screen, behavior: 'instant' });
}

/** Runs in the page: scrolls it by a screen. Where an application scrolls its content in a box, it is that. */
export function scrollPage({ direction }: { direction: 'up' | 'down' }): void {
  const root = document.scrollingElement;
  let target: PageElement | null = root;
  let top = innerHeight;
  if (root === null || root.scrollHeight <= innerHeight) {
    for (const box of document.querySelectorAll('*')) {
      const { clientHeight, scrollHeight } = box;
      if (scrollHeight <= clientHeight || clientHeight < innerHeight / 4) continue;
      if (target !== root && target !== null && target.clientHeight >= clientHeight) continue;
      if (!/auto|scroll/.test(getComputedStyle(box).overflowY)) continue;
      target = box;
      top = clientHeight;
    }
  }
  if (target === null) return;
  target.scrollTop += direction === 'down' ? top : -top;
}
