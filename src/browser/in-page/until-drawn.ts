import type { ImageElement, PageDocument } from './dom.ts';

declare const document: PageDocument;
declare const innerHeight: number;
declare const setTimeout: (work: () => void, ms: number) => unknown;

/** Runs in the page: resolves when its fonts and pictures are there, for a picture of it. */
export async function untilDrawn({ fullPage, limitMs }: { fullPage: boolean; limitMs: number }): Promise<void> {
  const MAX_IMAGES = 1_000;
  const images = [...document.querySelectorAll<ImageElement>('img')].slice(0, MAX_IMAGES);
  const missing = images.filter((image) => {
    if (image.complete || !image.checkVisibility()) return false;
    return fullPage ? image.loading !== 'lazy' : image.getBoundingClientRect().top < innerHeight;
  });
  const loaded = missing.map((image) => {
    return new Promise<void>((resolve) => {
      image.addEventListener('load', () => resolve(), { once: true });
      image.addEventListener('error', () => resolve(), { once: true });
    });
  });
  const limit = new Promise<void>((resolve) => setTimeout(resolve, limitMs));
  await Promise.race([Promise.all([document.fonts.ready, ...loaded]), limit]);
}
