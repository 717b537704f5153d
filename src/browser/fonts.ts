import type { Browser } from 'playwright-core';
import { drawSamples } from './in-page/draw-samples.ts';

/** Signs of scripts that pages use and systems without fonts for them show as boxes. */
const SAMPLES = { Chinese: '漢', Japanese: 'あ', Korean: '한', Arabic: 'ع', emoji: '😀' } as const;

/** The scripts for which this browser finds no font. */
export async function scriptsWithoutFont(browser: Browser): Promise<string[]> {
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    const samples = Object.entries(SAMPLES);
    const drawn = await page.evaluate(drawSamples, Object.values(SAMPLES));
    return samples.filter((_, index) => !drawn[index]).map(([name]) => name);
  } finally {
    await context.close();
  }
}
