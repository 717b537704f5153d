import { link, open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { newId } from '../../clock.ts';
import { TrawlError } from '../../errors.ts';
import { generateSecret } from '../sealing/service-secret.ts';

/** The secret stored beside the database; generated if there is none. Throws STORE_UNAVAILABLE. */
export async function secretBeside(dataDir: string): Promise<string> {
  const path = secretIn(dataDir);
  const secret = (await readIfThere(path)) ?? (await keep(generateSecret(), path));
  if (secret.length >= 32) return secret;
  throw new TrawlError(
    'STORE_UNAVAILABLE',
    `${path} contains no secret. Restore the file, or set TRAWL_SECRET to its former content.`,
  );
}

/** The same, without generating one: null if there is none. */
export function findSecretBeside(dataDir: string): Promise<string | null> {
  return readIfThere(secretIn(dataDir));
}

/** Stores this secret beside the database. Throws CONFLICT if there is a different one. */
export async function keepSecretBeside(dataDir: string, secret: string): Promise<void> {
  const path = secretIn(dataDir);
  if ((await keep(secret, path)) === secret) return;
  throw new TrawlError(
    'CONFLICT',
    `${path} contains a different secret from the one that the copy needs. Move that file away first.`,
  );
}

function secretIn(dataDir: string): string {
  return join(dataDir, 'secret');
}

async function readIfThere(path: string): Promise<string | null> {
  try {
    return (await readFile(path, 'utf8')).trim();
  } catch (cause) {
    if (isCode(cause, 'ENOENT')) return null;
    const reason = cause instanceof Error ? cause.message : cause;
    throw new TrawlError('STORE_UNAVAILABLE', `The secret in ${path} cannot be read: ${reason}.`, { cause });
  }
}

/** Writes the whole file and then links it, so that processes that start together all get the first one's secret. */
async function keep(secret: string, path: string): Promise<string> {
  const draft = `${path}.${newId()}`;
  try {
    const file = await open(draft, 'wx', 0o600);
    try {
      await file.writeFile(`${secret}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
    await link(draft, path).catch((error: unknown) => {
      if (!isCode(error, 'EEXIST')) throw error;
    });
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : cause;
    throw new TrawlError('STORE_UNAVAILABLE', `The secret cannot be stored in ${path}: ${reason}.`, { cause });
  } finally {
    await rm(draft, { force: true });
  }
  return (await readIfThere(path)) ?? '';
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
