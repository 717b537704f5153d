import type { PageDocument, PageElement, Queryable } from './dom.ts';

declare const document: PageDocument;
declare const innerHeight: number;
declare const performance: { now(): number };
declare const setTimeout: (work: () => void, ms: number) => unknown;
declare const requestIdleCallback: (work: () => void, options: { timeout: number }) => void;
declare const MutationObserver: new (
  onChange: () => void,
) => { observe(node: Queryable, options: Record<string, boolean>): void; disconnect(): void };

export interface SettleOptions {
  /** How long nothing changes in a page that is ready. */
  quietMs: number;
  /** The same for a page that has text and has not changed at all since it was read. */
  stillMs: number;
  /** The same for a page that looks as if something were still missing. */
  unfinishedMs: number;
  /** The longest wait. */
  limitMs: number;
}

export interface Settled {
  /** Something seems to be missing. */
  isUnfinished: boolean;
  /** There is more below the screen, of which parts may load only when they are scrolled to. */
  isTall: boolean;
}

/**
 * Runs in the page, in an isolated world: resolves when the document has been read and its text has stopped changing. A page
 * without scripts is ready at once. Changes that leave the amount of text and elements as it is do not count: clocks,
 * carousels and animations never end.
 */
export async function untilSettled({ quietMs, stillMs, unfinishedMs, limitMs }: SettleOptions): Promise<Settled> {
  const TICK_MS = 25;
  /** Changes of fewer characters and elements are no content. */
  const MIN_CHANGE = 24;
  /** The share of the page that has to change to count, and how much more for each second of waiting. */
  const MIN_SHARE = 0.01;
  const LOADING =
    '[aria-busy="true"], [role="progressbar"], [class*="skeleton" i], [class*="spinner" i], [class*="loading" i], [class*="loader" i]';
  const CONTAINERS = 'main, [role="main"], #root, #app, #__next, #__nuxt, #___gatsby, #svelte, app-root';
  const MAX_CANDIDATES = 50;
  const MIN_TEXT = 40;
  const SOME_TEXT = 500;
  const start = performance.now();

  function pause(ms: number): Promise<void> {
    return new Promise((resolve) => setTimeout(resolve, ms));
  }

  function textLength(): number {
    return document.body?.textContent?.length ?? 0;
  }

  /** Something visible says that it is loading, or what should hold the content holds nothing. */
  function looksUnfinished(): boolean {
    const { body } = document;
    if (body === null) return true;
    const text = body.innerText.trim();
    if (text === '') return body.querySelectorAll('img, canvas, svg, video, iframe, frame').length === 0;
    if (text.length < 80 && /^\W*(?:loading|please wait|one moment|just a moment)\b/i.test(text)) return true;
    const candidates = (selector: string) => [...document.querySelectorAll(selector)].slice(0, MAX_CANDIDATES);
    if (candidates(CONTAINERS).some((box) => box.checkVisibility() && isEmpty(box))) return true;
    return candidates(LOADING).some((element) => isShown(element) && (element.textContent ?? '').length < MIN_TEXT);
  }

  function isEmpty(box: PageElement): boolean {
    return (
      (box.textContent ?? '').trim() === '' && box.querySelectorAll('img, canvas, svg, video, iframe').length === 0
    );
  }

  function isShown(element: PageElement): boolean {
    if (!element.checkVisibility()) return false;
    const { top, width, height } = element.getBoundingClientRect();
    return width > 4 && height > 4 && top < innerHeight;
  }

  function isTall(): boolean {
    return (document.scrollingElement?.scrollHeight ?? 0) > 1.5 * innerHeight;
  }

  if (document.readyState === 'loading') {
    const read = new Promise<void>((resolve) =>
      document.addEventListener('DOMContentLoaded', () => resolve(), { once: true }),
    );
    await Promise.race([read, pause(limitMs)]);
  }
  const scripts = document.querySelectorAll('script:not([type*="json"]):not([type*="template"])').length;
  if (scripts === 0 && document.querySelectorAll('iframe, frame').length === 0) {
    return { isUnfinished: false, isTall: false };
  }

  let isChanged = true;
  const observer = new MutationObserver(() => {
    isChanged = true;
  });
  const watched = new Set<Queryable>();
  function watch(scope: Queryable): void {
    watched.add(scope);
    observer.observe(scope, { childList: true, characterData: true, subtree: true });
  }
  /** Whether there are shadow trees that were not watched yet. */
  function watchShadows(): boolean {
    const before = watched.size;
    for (const scope of watched) {
      for (const { localName, shadowRoot } of scope.querySelectorAll('*')) {
        if (localName.includes('-') && shadowRoot !== null && !watched.has(shadowRoot)) watch(shadowRoot);
      }
    }
    return watched.size > before;
  }
  watch(document);

  let characters = -1;
  let elements = -1;
  let changedAt = start;
  let isUnfinished: boolean | undefined;
  for (let now = start; now - start < limitMs; now = performance.now()) {
    if (isChanged) {
      isChanged = false;
      const text = textLength();
      const count = document.getElementsByTagName('*').length;
      const share = MIN_SHARE * (1 + ((now - start) / 1000) ** 2);
      const least = Math.max(MIN_CHANGE, share * text);
      const isMore =
        Math.abs(text - characters) > least || Math.abs(count - elements) > Math.max(MIN_CHANGE, share * count);
      // Text that leaves an almost empty page, or comes to it, counts however short it is.
      if (isMore || (text < 10 * MIN_CHANGE && text !== characters)) {
        changedAt = now;
        characters = text;
        elements = count;
      }
      isUnfinished = undefined;
    }
    const quiet = now - changedAt;
    if (quiet >= (changedAt === start && characters > SOME_TEXT ? stillMs : quietMs)) {
      isUnfinished ??= looksUnfinished();
      if ((!isUnfinished || quiet >= unfinishedMs) && !watchShadows()) break;
    }
    await pause(TICK_MS);
  }
  // A busy thread is about to change something.
  await new Promise<void>((resolve) => requestIdleCallback(resolve, { timeout: 200 }));
  observer.disconnect();
  return { isUnfinished: isUnfinished ?? false, isTall: isTall() };
}
