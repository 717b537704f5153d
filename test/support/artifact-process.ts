import { randomBytes } from 'node:crypto';
import { S3Keeper, type S3Settings } from '../../src/s3/s3-keeper.ts';
import { openStore } from '../../src/store/open-store.ts';
import { makeTeam } from './store-rows.ts';

/**
 * A process that stores artifacts until it is killed. Its arguments are the store options and the S3 settings as JSON.
 * It prints a line of JSON for each stored artifact: its ticket and its first bytes.
 */
const [options = '', s3 = 'null'] = process.argv.slice(2);
const settings: S3Settings | null = JSON.parse(s3);
const store = await openStore({
  ...JSON.parse(options),
  keeper: settings === null ? undefined : new S3Keeper(settings),
});
const { teamId } = await makeTeam(store);
await Promise.all(
  Array.from({ length: 16 }, async () => {
    while (true) {
      const bytes = randomBytes(300_000);
      const head = bytes.toString('hex', 0, 16);
      const ticket = await store.artifacts.put({
        teamId,
        type: 'image/png',
        bytes,
        keepMs: 3_600_000,
        isSealed: false,
      });
      console.log(JSON.stringify({ ticket, head }));
    }
  }),
);
