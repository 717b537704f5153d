import type { Command } from 'commander';
import { TrawlError } from '../errors.ts';

/** Where the pages of a job go, as every command with a job is told. */
export interface OutputFlags {
  output?: string;
  names?: string;
  force?: true;
}

/** How the files of a folder are named. */
export type Naming = 'address' | 'order';

export function addOutputFlags(command: Command): Command {
  return command
    .option(
      '-o, --output <path>',
      'a file for JSON lines (.jsonl), one file of Markdown (.md), or a folder for a file of each page',
    )
    .option('--names <way>', 'how files in the folder are named: by address, or numbered by order (default address)')
    .option('--force', 'write into a folder that is not empty');
}

/** The value of `--names`. Throws BAD_REQUEST. */
export function readNaming({ names = 'address' }: OutputFlags): Naming {
  if (names === 'address' || names === 'order') return names;
  throw new TrawlError('BAD_REQUEST', `"${names}" is not a way to name files. --names takes address or order.`);
}
