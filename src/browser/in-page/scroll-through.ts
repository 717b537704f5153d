import type { PageDocument, PageElement } from './dom.ts';

declare const document: PageDocument;
declare const innerHeight: number;
declare const performance: { now(): number };
declare const requestAnimationFrame: (work: () => void) => void;
declare const MutationObserver: new (
  onChange: () => void,
) => { observe(node: PageDocument, options: Record<string, boolean>): void; disconnect(): void };
declare const getComputedStyle: (element: PageElement) => { overflowY: string };

/**
 * Runs in the page: scrolls down screen by screen, so that parts which load when they are seen begin to load, and back up.
 * Resolves with whether anything was added meanwhile.
 */
export async function scrollThrough({ limitMs }: { limitMs: number }): Promise<boolean> {
  const MAX_SCREENS = 20;
  const start = performance.now();

  function frame(): Promise<void> {
    return new Promise((resolve) => requestAnimationFrame(resolve));
  }

  /** The page itself, or the box in which an application scrolls its content. */
  function scroller(): PageElement | null {
    const page = document.scrollingElement;
    if (page === null || page.scrollHeight > 1.2 * innerHeight) return page;
    for (const box of [...document.querySelectorAll('main, [role="main"], body > div, body > div > div')].slice(
      0,
      50,
    )) {
      if (box.scrollHeight <= 1.2 * box.clientHeight || box.clientHeight < innerHeight / 2) continue;
      if (/auto|scroll/.test(getComputedStyle(box).overflowY)) return box;
    }
    return page;
  }

  const box = scroller();
  if (box === null) return false;
  let isChanged = false;
  const observer = new MutationObserver(() => {
    isChanged = true;
  });
  observer.observe(document, { childList: true, subtree: true });
  const from = box.scrollTop;
  for (let screen = 1; screen <= MAX_SCREENS && performance.now() - start < limitMs; screen++) {
    box.scrollTop = screen * box.clientHeight;
    // What is seen is known after the frame that shows it.
    await frame();
    await frame();
    if (box.scrollTop + box.clientHeight >= box.scrollHeight - 1) break;
  }
  box.scrollTop = from;
  observer.disconnect();
  return isChanged;
}
