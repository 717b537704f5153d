import { Command } from 'commander';
import { VERSION } from '../version.ts';
import { backupCommand, moveCommand, restoreCommand } from './backup.ts';
import { batchCommand } from './batch.ts';
import { crawlCommand } from './crawl.ts';
import { doctorCommand } from './doctor.ts';
import { keysCommand } from './keys.ts';
import { mapCommand } from './map.ts';
import { plansCommand } from './plans.ts';
import { pricesCommand } from './prices.ts';
import { reportFailure } from './report-failure.ts';
import { scrapeCommand } from './scrape.ts';
import { apiCommand, serveCommand, workerCommand } from './serve.ts';
import { teamsCommand } from './teams.ts';

const program = new Command('trawl')
  .description('Turns the web into clean data, as a service and on the command line.')
  .version(VERSION)
  .showHelpAfterError('Run with --help for usage.')
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
  .addCommand(doctorCommand())
  .addHelpText(
    'after',
    `
Examples:
  $ trawl serve                              the service on http://127.0.0.1:3002
  $ trawl scrape https://example.com         the page as Markdown
  $ trawl batch addresses.txt -o pages       many pages, each in its own file
  $ trawl crawl https://example.com -o site  a whole site, each page in its own file
  $ trawl map https://example.com            the addresses of a site
  $ trawl keys create laptop                 one more API key
  $ trawl teams create acme --plan hobby     one more team, within the limits of a plan
  $ trawl backup trawl.db                    the whole store as one file, while the service runs
  $ trawl doctor                             whether this machine has what Trawl needs

Exit codes: 0 done, 1 failed, 2 the command or a setting is invalid.`,
  );
// Commander exits with 1 for bad usage. Scripts need to distinguish bad usage (2) from failed work (1).
for (const command of [program, ...program.commands, ...program.commands.flatMap((one) => one.commands)]) {
  command.exitOverride();
}

// The reader has closed the pipe, as `head` does. That deserves no stack trace.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(0);
});

try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = reportFailure(error);
}
