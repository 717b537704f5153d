import { Command } from 'commander';
import { isoTime } from '../clock.ts';
import { readConfig } from '../config.ts';
import { openStore } from '../store/open-store.ts';
import type { Store } from '../store/store.ts';
import { createKey, listKeys, revokeKey } from '../team/keys.ts';

export function keysCommand(): Command {
  return new Command('keys')
    .description('Make, list and revoke API keys')
    .addCommand(
      new Command('create')
        .description('Make a key and print it; it cannot be shown again')
        .argument('[name]', 'what the key is for', 'default')
        .action((name: string) =>
          withStore(async (store) => {
            const { key } = await createKey(store, name);
            process.stdout.write(`${key}\n`);
          }),
        ),
    )
    .addCommand(
      new Command('list').description('List the keys, revoked ones too').action(() =>
        withStore(async (store) => {
          for (const key of await listKeys(store)) {
            const state = key.revokedAt === null ? 'active' : `revoked ${isoTime(key.revokedAt)}`;
            process.stdout.write(`${key.id}  ${key.hint}  ${isoTime(key.createdAt)}  ${state}  ${key.name}\n`);
          }
        }),
      ),
    )
    .addCommand(
      new Command('revoke')
        .description('Revoke a key: it is refused from now on')
        .argument('<key>', 'the id of the key, its name, or the key itself')
        .action((which: string) =>
          withStore(async (store) => {
            const key = await revokeKey(store, which);
            process.stdout.write(`Revoked ${key.hint} (${key.name}).\n`);
          }),
        ),
    );
}

async function withStore(work: (store: Store) => Promise<void>): Promise<void> {
  const { databaseUrl, dataDir } = readConfig(process.env);
  const store = await openStore({ databaseUrl, dataDir });
  try {
    await work(store);
  } finally {
    await store.close();
  }
}
