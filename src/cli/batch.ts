import { Command } from 'commander';
import type { BatchFlags } from './batch-once.ts';
import { addOutputFlags } from './output-flags.ts';
import { addScrapeFlags } from './scrape-flags.ts';

export function batchCommand(): Command {
  const command = addOutputFlags(new Command('batch'))
    .description('Scrape many pages; this needs no running service')
    .argument('<address or file...>', 'addresses, and files with one address a line')
    .option('--concurrency <number>', 'pages at the same time (default 48, at most 16 of one host)')
    .option('--ignore-robots', 'ignore the rules and the crawl delay of robots.txt');
  return addScrapeFlags(command)
    .addHelpText(
      'after',
      `
Without --output, a line of JSON is printed for each page. In a folder, index.jsonl lists every page with its file,
address, status and title, or with why it failed. Ctrl-C cancels: what is done is written.

Examples:
  $ trawl batch https://example.com https://example.org -o pages
  $ trawl batch addresses.txt --format links -o links.jsonl`,
    )
    .action(async (sources: string[], flags: BatchFlags) => {
      const { batchOnce } = await import('./batch-once.ts');
      await batchOnce(sources, flags);
    });
}
