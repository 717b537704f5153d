/**
 * Crawlee's CheerioCrawler over a site, nothing kept on disk, with the main content of each page as Markdown by
 * Readability and Turndown.
 *
 *   node bench/peers/crawlee.ts ADDRESS PAGES
 */
import { CheerioCrawler, Configuration, log } from '@crawlee/cheerio';
import { toMarkdown } from './readability.ts';

const [address = '', pages = '0'] = process.argv.slice(2);
log.setLevel(log.LEVELS.OFF);

let done = 0;
const crawler = new CheerioCrawler(
  {
    maxRequestsPerCrawl: Number(pages),
    maxConcurrency: 32,
    async requestHandler({ body, enqueueLinks }) {
      done += 1;
      markdownOf(body.toString());
      await enqueueLinks({ strategy: 'same-hostname' });
    },
    failedRequestHandler({ request }) {
      process.stderr.write(`crawlee: ${request.url} failed: ${request.errorMessages.at(-1)}\n`);
    },
  },
  new Configuration({ persistStorage: false, availableMemoryRatio: 0.8 }),
);
process.on('disconnect', () => process.exit());
process.send?.('ready');
await crawler.run([address]);
process.send?.({ pages: done });

/** Readability gives up on some pages. They count as read, and are not retried. */
function markdownOf(html: string): string {
  try {
    return toMarkdown(html);
  } catch {
    return '';
  }
}
