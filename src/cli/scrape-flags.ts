import type { Command } from 'commander';

/** The page options of every command that scrapes. */
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
  waitFor?: string;
  action: string[];
  timeout?: string;
}

const collect = (value: string, earlier: string[]) => [...earlier, value];
const collectNames = (value: string, earlier: string[]) => [...earlier, ...value.split(',').map((name) => name.trim())];

export function addScrapeFlags(command: Command): Command {
  return command
    .option(
      '-f, --format <name>',
      'markdown, html, rawHtml, links, images, product, menu, screenshot, screenshot@fullPage or branding; for several, repeat it or use commas',
      collectNames,
      [],
    )
    .option('--full-page', 'keep the whole page, not only its main content')
    .option('--clean', 'also leave out share bars, related links and similar parts')
    .option('--include <selector>', 'keep only what this CSS selector matches (repeatable)', collect, [])
    .option('--exclude <selector>', 'drop what this CSS selector matches (repeatable)', collect, [])
    .option('-H, --header <name: value>', 'a header to send to the site (repeatable)', collect, [])
    .option('--mobile', 'request the page as a mobile device')
    .option('--country <code>', 'request the page for this country, for example DE')
    .option('--language <tag>', 'request the page in this language, for example de-DE (repeatable)', collect, [])
    .option('--insecure', 'accept certificates that cannot be verified (skipTlsVerification)')
    .option('--redact', 'redact e-mail addresses, telephone numbers, payment details and secrets')
    .option('--wait-for <milliseconds>', 'wait in a browser once the page is ready')
    .option(
      '--action <json>',
      'a step in a browser, for example \'{"type": "click", "selector": "#more"}\' (repeatable, in order)',
      collect,
      [],
    )
    .option('--timeout <milliseconds>', 'give up on a page after this time (default 60000)');
}
