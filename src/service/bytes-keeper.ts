import type { Config } from '../config.ts';
import type { S3Keeper } from '../s3/s3-keeper.ts';

/** The S3-compatible store of the settings; undefined if there is none. Its module is only loaded when needed. */
export async function bytesKeeper({ s3 }: Pick<Config, 's3'>): Promise<S3Keeper | undefined> {
  if (s3 === undefined) return undefined;
  const { S3Keeper } = await import('../s3/s3-keeper.ts');
  return new S3Keeper(s3);
}

/** The same, after a check that it works. Throws STORE_UNAVAILABLE at the start instead of at the first file. */
export async function checkedKeeper(config: Pick<Config, 's3'>): Promise<S3Keeper | undefined> {
  const keeper = await bytesKeeper(config);
  try {
    await keeper?.check();
    return keeper;
  } catch (error) {
    await keeper?.close();
    throw error;
  }
}
