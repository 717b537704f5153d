/**
 * The least that rendering takes with playwright-core: a new context for each page, its HTML when the network is idle.
 * Works on the rounds that its parent sends.
 *
 *   node bench/browser/bare-contexts.ts CHROMIUM
 */
import { chromium } from 'playwright-core';
import type { Round } from './bench-browser.ts';

const browser = await chromium.launch({
  executablePath: process.argv[2] ?? '',
  chromiumSandbox: process.getuid?.() !== 0,
});
process.on('disconnect', () => void browser.close().finally(() => process.exit()));
process.on('message', async ({ addresses, atOnce }: Round) => {
  const waiting = [...addresses];
  await Promise.all(Array.from({ length: atOnce }, () => renderAll(waiting)));
  process.send?.('done');
});
process.send?.('ready');

async function renderAll(waiting: string[]): Promise<void> {
  for (let address = waiting.pop(); address !== undefined; address = waiting.pop()) {
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(address, { waitUntil: 'networkidle' });
    const html = await page.content();
    if (!html.includes('Thing')) throw new Error(`${address} was not rendered.`);
    await context.close();
  }
}
