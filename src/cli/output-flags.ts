import type { Command } from 'commander';
import { TrawlError } from '../errors.ts';

/** The output of a job, for every command with a job. */
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
      'a file of JSON lines (.jsonl), one Markdown file (.md), or a folder with one file a page',
    )
    .option('--names <way>', 'name files in the folder by address, or number them in order (default address)')
    .option('--force', 'write into a folder that is not empty');
}

/** The value of `--names`. Throws BAD_REQUEST. */
export function readNaming({ names = 'address' }: OutputFlags): Naming {
  if (names === 'address' || names === 'order') return names;
  throw new TrawlError('BAD_REQUEST', `"${names}" is not a valid value of --names. Use address or order.`);
}
