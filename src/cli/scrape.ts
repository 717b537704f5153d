import { Command } from 'commander';
import type { ScrapeFlags } from './scrape-once.ts';

const collect = (value: string, earlier: string[]) => [...earlier, value];
const collectNames = (value: string, earlier: string[]) => [...earlier, ...value.split(',').map((name) => name.trim())];

export function scrapeCommand(): Command {
  return new Command('scrape')
    .description('Scrape one page and print it; needs no running service')
    .argument('<url>', 'the address of the page')
    .option(
      '-f, --format <name>',
      'markdown, html, rawHtml, links, images, product or menu; several: repeat it or use commas',
      collectNames,
      [],
    )
    .option('--json', 'print the whole answer as JSON, with the metadata')
    .option('-o, --output <file>', 'write to a file instead of standard output')
    .option('--full-page', 'the whole page, not only its main content')
    .option('--clean', 'also leave out share bars, related links and the like')
    .option('--include <selector>', 'keep only what this CSS selector matches (repeatable)', collect, [])
    .option('--exclude <selector>', 'drop what this CSS selector matches (repeatable)', collect, [])
    .option('-H, --header <name: value>', 'a header to send to the site (repeatable)', collect, [])
    .option('--mobile', 'ask for the page as a telephone does')
    .option('--country <code>', 'ask for the page of this country, for example DE')
    .option('--language <tag>', 'ask for the page in this language, for example de-DE (repeatable)', collect, [])
    .option('--insecure', 'accept certificates that cannot be verified (skipTlsVerification)')
    .option('--redact', 'replace e-mail addresses, telephone numbers, payment details and secrets')
    .option('--timeout <milliseconds>', 'give up after this time (default 60000)')
    .action(async (url: string, flags: ScrapeFlags) => {
      // Loaded when there is something to scrape: help and mistakes need none of it.
      const { scrapeOnce } = await import('./scrape-once.ts');
      await scrapeOnce(url, flags);
    });
}
