import { styleText } from 'node:util';
import { Command } from 'commander';
import { readConfig } from '../config.ts';
import type { Finding } from '../service/doctor/finding.ts';

export function doctorCommand(): Command {
  return new Command('doctor')
    .description('Check this machine: Node, data directory, database, browser, fonts')
    .action(async () => {
      const config = readConfig(process.env);
      // Loaded on use: help does not need it.
      const { examine } = await import('../service/doctor/examine.ts');
      for await (const finding of examine(config)) {
        process.stdout.write(`${lineOf(finding)}\n`);
        if (finding.level === 'problem') process.exitCode = 1;
      }
    });
}

const STYLES = { ok: 'green', warning: 'yellow', problem: 'red' } as const;

function lineOf({ level, name, text }: Finding): string {
  const label = styleText(STYLES[level], level.padEnd(7), { stream: process.stdout });
  return `${label}  ${name.padEnd(14)}  ${text}`;
}
