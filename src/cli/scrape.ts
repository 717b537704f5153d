import { Command } from 'commander';
import { addScrapeFlags, type ScrapeFlags } from './scrape-flags.ts';
import type { PrintFlags } from './scrape-once.ts';

export function scrapeCommand(): Command {
  const command = new Command('scrape')
    .description('Scrape one page and print it; this needs no running service')
    .argument('<url>', 'the address of the page')
    .option('--json', 'print the whole response as JSON, with the metadata')
    .option('-o, --output <file>', 'write to a file instead of standard output');
  return addScrapeFlags(command).action(async (url: string, flags: ScrapeFlags & PrintFlags) => {
    // Loaded on use: help and usage errors do not need it.
    const { scrapeOnce } = await import('./scrape-once.ts');
    await scrapeOnce(url, flags);
  });
}
