import { Command } from 'commander';
import type { MapFlags } from './map-once.ts';

export function mapCommand(): Command {
  return new Command('map')
    .description('List the addresses of a site; this needs no running service')
    .argument('<url>', 'the address of the site, or of any page of it')
    .option('--search <words>', 'search words; the best matches come first')
    .option('--limit <number>', 'maximum number of addresses (default 5000)')
    .option('--json', 'print the whole response as JSON, with the titles')
    .addHelpText(
      'after',
      `
Prints one address a line. Ctrl-C ends it: what was found by then is printed.

Examples:
  $ trawl map https://example.com --limit 100
  $ trawl map https://example.com --search prices > addresses.txt && trawl batch addresses.txt -o pages`,
    )
    .action(async (url: string, flags: MapFlags) => {
      const { mapOnce } = await import('./map-once.ts');
      await mapOnce(url, flags);
    });
}
