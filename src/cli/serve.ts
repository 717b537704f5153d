import { styleText } from 'node:util';
import { Command } from 'commander';
import { describeSettings, readConfig } from '../config.ts';

/** A closing service waits this long for running requests before it gives up on them. */
const GRACE_MS = 30_000;
const REPEATED_SIGNAL_MS = 500;

export function serveCommand(): Command {
  return new Command('serve')
    .description('Run the service')
    .option('-p, --port <number>', 'port to listen on, instead of PORT')
    .option('--host <address>', 'address to listen on, instead of HOST')
    .addHelpText('after', () => `\nSettings (environment variables):\n${settingsTable()}`)
    .action(async ({ port, host }: { port?: string; host?: string }) => {
      await serve({ ...process.env, PORT: port ?? process.env.PORT, HOST: host ?? process.env.HOST });
    });
}

async function serve(environment: Record<string, string | undefined>): Promise<void> {
  const config = readConfig(environment);
  // Loaded when there is something to serve: help and mistakes need none of it.
  const { startService } = await import('../server/service.ts');
  const service = await startService(config);
  process.stdout.write(`Trawl listens on ${service.address} — API reference: ${service.address}/docs\n`);
  if (service.newKey !== undefined) {
    const key = styleText('bold', service.newKey, { stream: process.stdout });
    process.stdout.write(`Your API key, shown this once: ${key}\n`);
  }

  let stopAsked: number | undefined;
  const stop = (signal: NodeJS.Signals) => {
    if (stopAsked !== undefined) {
      // A second signal means now. But npm hands Ctrl-C on to a process that the terminal has told already,
      // a few milliseconds apart: that is still the first one.
      if (performance.now() - stopAsked > REPEATED_SIGNAL_MS) process.exit(1);
      return;
    }
    stopAsked = performance.now();
    process.stderr.write(`${signal}: finishing running requests…\n`);
    setTimeout(() => {
      process.stderr.write(`Requests still ran after ${GRACE_MS / 1000} s; stopping anyway.\n`);
      process.exit(1);
    }, GRACE_MS).unref();
    service.close().then(
      () => process.exit(0),
      (error) => {
        process.stderr.write(`${String(error)}\n`);
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}

function settingsTable(): string {
  return describeSettings()
    .map(
      ({ name, fallback, meaning }) =>
        `  ${name.padEnd(22)} ${meaning}${fallback === '' ? '' : ` (default ${fallback})`}`,
    )
    .join('\n');
}
