import { Command } from 'commander';
import type { CrawlFlags } from './crawl-once.ts';
import { addOutputFlags } from './output-flags.ts';
import { addScrapeFlags } from './scrape-flags.ts';

const collect = (value: string, earlier: string[]) => [...earlier, value];

export function crawlCommand(): Command {
  const command = addOutputFlags(new Command('crawl'))
    .description('Crawl a site; this needs no running service')
    .argument('<url>', 'the page to start from; pages below it are crawled')
    .option('--limit <number>', 'maximum number of pages (default 10000)')
    .option('--depth <number>', 'maximum number of links between the start and a page')
    .option('--prompt <words>', 'what to crawl in plain words, such as "only the blog, at most 50 pages"')
    .option('--include-path <pattern>', 'a regular expression that the path must match (repeatable)', collect, [])
    .option('--exclude-path <pattern>', 'a regular expression that the path must not match (repeatable)', collect, [])
    .option('--entire-domain', 'crawl the whole site, not only pages below the start')
    .option('--subdomains', 'include other hosts under the same domain')
    .option('--external', 'include pages of other sites that the site links to')
    .option('--sitemap <use>', 'how to use the sitemaps of the site: include, skip or only (default include)')
    .option('--ignore-query', 'treat addresses that differ only in the query as the same page')
    .option('--delay <seconds>', 'pause between two pages; pages are then fetched one at a time')
    .option('--concurrency <number>', 'pages at the same time (default 48, at most 16 of one host)')
    .option('--ignore-robots', 'ignore the rules and the crawl delay of robots.txt');
  return addScrapeFlags(command)
    .addHelpText(
      'after',
      `
Without --output, a line of JSON is printed for each page. In a folder, index.jsonl lists every page with its file,
address, status and title, or with why it failed. Ctrl-C cancels: what is done is written.

Examples:
  $ trawl crawl https://example.com/docs -o docs
  $ trawl crawl https://example.com --limit 100 --exclude-path '^/tag/' -o site.md`,
    )
    .action(async (url: string, flags: CrawlFlags) => {
      const { crawlOnce } = await import('./crawl-once.ts');
      await crawlOnce(url, flags);
    });
}
