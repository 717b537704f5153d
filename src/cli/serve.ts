import { styleText } from 'node:util';
import { Command } from 'commander';
import { type Config, ConfigError, describeSettings, readConfig } from '../config.ts';
import { announce } from './announce.ts';
import { closeOnSignal } from './until-stopped.ts';

export function serveCommand(): Command {
  return new Command('serve')
    .description('Run the service')
    .option('-p, --port <number>', 'port to listen on, instead of PORT')
    .option('--host <address>', 'address to listen on, instead of HOST')
    .addHelpText('after', () => `\nSettings (environment variables):\n${settingsTable()}`)
    .action((flags: ListenFlags) => serve(readConfig(environmentOf(flags)), { works: true }));
}

export function apiCommand(): Command {
  return new Command('api')
    .description('Run only the HTTP API; "trawl worker" works on its jobs')
    .option('-p, --port <number>', 'port to listen on, instead of PORT')
    .option('--host <address>', 'address to listen on, instead of HOST')
    .action(async (flags: ListenFlags) => {
      const config = readConfig(environmentOf(flags));
      requirePostgres(config.databaseUrl, 'api');
      await serve(config, { works: false });
    });
}

export function workerCommand(): Command {
  return new Command('worker')
    .description('Run a worker for the jobs of the service; any number may run, on any machines')
    .option('-p, --port <number>', 'serve /health, /ready and /metrics on this port, instead of TRAWL_WORKER_PORT')
    .option('--host <address>', 'address to listen on, instead of HOST')
    .action(async ({ port, host }: ListenFlags) => {
      const { TRAWL_WORKER_PORT, HOST } = process.env;
      const config = readConfig({
        ...process.env,
        TRAWL_WORKER_PORT: port ?? TRAWL_WORKER_PORT,
        HOST: host ?? HOST,
      });
      requirePostgres(config.databaseUrl, 'worker');
      const { startWorker } = await import('../server/service.ts');
      const worker = await startWorker(config);
      closeOnSignal(worker, 'running pages');
      const { address } = worker;
      const metrics = address === undefined ? '' : ` — metrics: ${address}/metrics`;
      announce(
        `Trawl works on jobs, on ${config.workerConcurrency} pages at a time${metrics}`,
        address === undefined ? {} : { address },
      );
    });
}

interface ListenFlags {
  port?: string;
  host?: string;
}

function environmentOf({ port, host }: ListenFlags): Record<string, string | undefined> {
  return { ...process.env, PORT: port ?? process.env.PORT, HOST: host ?? process.env.HOST };
}

async function serve(config: Config, { works }: { works: boolean }): Promise<void> {
  // Loaded on use: help and usage errors do not need it.
  const { startService } = await import('../server/service.ts');
  const service = await startService(config, { works });
  // Before the announcement: its reader may send a signal at once.
  closeOnSignal(service, 'running requests');
  const { address, isOpen } = service;
  const elsewhere = isOpen ? ' and every other address of this machine' : '';
  announce(`Trawl listens on ${address}${elsewhere} — API reference: ${address}/docs`, { address });
  if (service.newKey !== undefined) {
    const key = styleText('bold', service.newKey, { stream: process.stdout });
    announce(`Your API key, shown this once: ${key}`);
  }
}

/** With SQLite, one process does both: otherwise jobs would have no worker, or the worker no jobs. */
function requirePostgres(databaseUrl: string | undefined, command: string): void {
  if (databaseUrl !== undefined) return;
  throw new ConfigError(
    `"trawl ${command}" needs PostgreSQL, but DATABASE_URL is not set. With SQLite, "trawl serve" does everything in one process.`,
  );
}

function settingsTable(): string {
  return describeSettings()
    .map(
      ({ name, fallback, meaning }) =>
        `  ${name.padEnd(22)} ${meaning}${fallback === '' ? '' : ` (default ${fallback})`}`,
    )
    .join('\n');
}
