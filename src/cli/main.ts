import { Command } from 'commander';
import { VERSION } from '../version.ts';
import { backupCommand, moveCommand, restoreCommand } from './backup.ts';
import { batchCommand } from './batch.ts';
import { crawlCommand } from './crawl.ts';
import { keysCommand } from './keys.ts';
import { mapCommand } from './map.ts';
import { plansCommand } from './plans.ts';
import { pricesCommand } from './prices.ts';
import { reportFailure } from './report-failure.ts';
import { scrapeCommand } from './scrape.ts';
import { apiCommand, serveCommand, workerCommand } from './serve.ts';
import { teamsCommand } from './teams.ts';

const program = new Command('trawl')
  .description('Turns the web into clean data: a web data service, and its tools on the command line.')
  .version(VERSION)
  .showHelpAfterError('Run with --help to see what can be said.')
  .addCommand(serveCommand())
  .addCommand(apiCommand())
  .addCommand(workerCommand())
  .addCommand(scrapeCommand())
  .addCommand(batchCommand())
  .addCommand(crawlCommand())
  .addCommand(mapCommand())
  .addCommand(keysCommand())
  .addCommand(teamsCommand())
  .addCommand(plansCommand())
  .addCommand(pricesCommand())
  .addCommand(backupCommand())
  .addCommand(restoreCommand())
  .addCommand(moveCommand())
  .addHelpText(
    'after',
    `
Examples:
  $ trawl serve                              the service on http://127.0.0.1:3002
  $ trawl scrape https://example.com         the page as Markdown
  $ trawl batch addresses.txt -o pages       many pages, each into a file
  $ trawl crawl https://example.com -o site  a whole site, each page into a file
  $ trawl map https://example.com            the addresses of a site
  $ trawl keys create laptop                 one more API key
  $ trawl teams create acme --plan hobby     one more team, within the limits of a plan
  $ trawl backup trawl.db                    the whole store as one file, while the service runs

Exit codes: 0 done, 1 failed, 2 the command or a setting is not valid.`,
  );
// Commander exits with 1 for bad usage; scripts tell bad usage and failed work apart by 2 and 1.
for (const command of [program, ...program.commands, ...program.commands.flatMap((one) => one.commands)]) {
  command.exitOverride();
}

// Whoever read the output has seen enough, as `head` has: no reason for a stack trace.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(0);
});

try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = reportFailure(error);
}
