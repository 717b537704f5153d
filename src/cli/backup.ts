import { Command } from 'commander';

export function backupCommand(): Command {
  return new Command('backup')
    .description('Back up the store to a file; the service can keep running')
    .argument('<file>', 'the backup file to create; it must not exist yet')
    .addHelpText(
      'after',
      `
The store is the one that DATABASE_URL or TRAWL_DATA_DIR names. A backup of either is one SQLite file of that
moment, and each row of it is compared with the original.

Examples:
  $ trawl backup /var/backups/trawl-2026-01-31.db
  $ DATABASE_URL=postgres://trawl@db/trawl trawl backup trawl.db`,
    )
    .action(async (file: string) => {
      const { backup } = await import('./copy-store.ts');
      await backup(file);
    });
}

export function restoreCommand(): Command {
  return new Command('restore')
    .description('Restore the store from a backup')
    .argument('<file>', 'a file from "trawl backup"')
    .addHelpText(
      'after',
      `
The store that DATABASE_URL or TRAWL_DATA_DIR names must not exist yet: name an empty directory or database. An older
backup is brought up to date; the file itself stays as it is.

Example:
  $ TRAWL_DATA_DIR=./restored trawl restore trawl-2026-01-31.db`,
    )
    .action(async (file: string) => {
      const { restore } = await import('./copy-store.ts');
      await restore(file);
    });
}

export function moveCommand(): Command {
  return new Command('move')
    .description('Copy the store to another database, from SQLite to PostgreSQL or back')
    .requiredOption('--to <place>', 'postgres://… of an empty database, or a data directory without a store')
    .addHelpText(
      'after',
      `
The store that DATABASE_URL or TRAWL_DATA_DIR names is copied, and stays where it is. Stop the service and its workers
first. Jobs go on at the new place from where they were.

Examples:
  $ trawl move --to postgres://trawl:password@localhost/trawl
  $ DATABASE_URL=postgres://trawl:password@localhost/trawl trawl move --to ./data`,
    )
    .action(async ({ to }: { to: string }) => {
      const { move } = await import('./copy-store.ts');
      await move(to);
    });
}
