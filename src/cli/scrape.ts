import { Command } from 'commander';
import { addScrapeFlags, type ScrapeFlags } from './scrape-flags.ts';
import type { PrintFlags } from './scrape-once.ts';

export function scrapeCommand(): Command {
  const command = new Command('scrape')
    .description('Scrape one page and print it; needs no running service')
    .argument('<url>', 'the address of the page')
    .option('--json', 'print the whole answer as JSON, with the metadata')
    .option('-o, --output <file>', 'write to a file instead of standard output');
  return addScrapeFlags(command).action(async (url: string, flags: ScrapeFlags & PrintFlags) => {
    // Loaded when there is something to scrape: help and mistakes need none of it.
    const { scrapeOnce } = await import('./scrape-once.ts');
    await scrapeOnce(url, flags);
  });
}
