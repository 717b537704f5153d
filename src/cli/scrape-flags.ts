import type { Command } from 'commander';

/** What every command that scrapes can be told of the pages. */
export interface ScrapeFlags {
  format: string[];
  fullPage?: true;
  clean?: true;
  include: string[];
  exclude: string[];
  header: string[];
  mobile?: true;
  country?: string;
  language: string[];
  insecure?: true;
  redact?: true;
  timeout?: string;
}

const collect = (value: string, earlier: string[]) => [...earlier, value];
const collectNames = (value: string, earlier: string[]) => [...earlier, ...value.split(',').map((name) => name.trim())];

export function addScrapeFlags(command: Command): Command {
  return command
    .option(
      '-f, --format <name>',
      'markdown, html, rawHtml, links, images, product or menu; several: repeat it or use commas',
      collectNames,
      [],
    )
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
    .option('--timeout <milliseconds>', 'give up on a page after this time (default 60000)');
}
