import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Config } from '../../config.ts';
import { TrawlError } from '../../errors.ts';
import { describeStore } from '../../store/location.ts';
import { openStore } from '../../store/open-store.ts';
import { bytesKeeper } from '../bytes-keeper.ts';
import type { Finding } from './finding.ts';

/** Whether the database answers and can be written to. Creates none. */
export async function checkDatabase(config: Config): Promise<Finding> {
  const name = 'Database';
  const { databaseUrl, dataDir, secret } = config;
  const which = describeStore({ databaseUrl, dataDir });
  try {
    const keeper = await bytesKeeper(config);
    const store = await openStore({ databaseUrl, dataDir, secret, keeper, mustExist: true });
    try {
      await store.ready();
    } finally {
      await store.close();
    }
    return { level: 'ok', name, text: `${which} can be written to` };
  } catch (error) {
    if (!(error instanceof TrawlError)) throw error;
    if (error.code === 'NOT_FOUND') return { level: 'ok', name, text: `${which} will be made by the first start` };
    return { level: 'problem', name, text: error.message };
  }
}

/** Whether files can be written to the data directory, or to where it will be made. */
export async function checkDataDirectory({ dataDir }: Config): Promise<Finding> {
  const name = 'Data directory';
  const folder = resolve(dataDir);
  const existing = await nearestExisting(folder);
  try {
    await access(existing, constants.W_OK | constants.X_OK);
    return { level: 'ok', name, text: existing === folder ? `${folder} can be written to` : `${folder} will be made` };
  } catch {
    const text = `${existing} cannot be written to by this user. Change its owner, or set TRAWL_DATA_DIR to another folder.`;
    return { level: 'problem', name, text };
  }
}

async function nearestExisting(folder: string): Promise<string> {
  const exists = await stat(folder).then(
    () => true,
    () => false,
  );
  return exists ? folder : nearestExisting(dirname(folder));
}
