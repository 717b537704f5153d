import type { PageDocument } from './dom.ts';

declare const document: PageDocument;
declare const innerWidth: number;
declare const innerHeight: number;
declare const scrollY: number;
declare const devicePixelRatio: number;
declare const window: { scrollTo(options: { top: number; behavior: 'instant' }): void };

/** Runs in the page: how large it is in CSS pixels, how many pixels of the picture make one, and where it is scrolled to. */
export function pageSize(_: object): { width: number; height: number; scale: number; top: number } {
  const heights = [document.documentElement, document.body].map((element) => element?.scrollHeight ?? 0);
  return { width: innerWidth, height: Math.max(innerHeight, ...heights), scale: devicePixelRatio, top: scrollY };
}

/** Runs in the page. */
export function scrollTo({ top }: { top: number }): void {
  window.scrollTo({ top, behavior: 'instant' });
}
