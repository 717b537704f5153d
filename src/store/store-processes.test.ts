import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { makeTeam } from '../../test/support/store-rows.ts';
import { STORE_KINDS } from '../../test/support/stores.ts';
import { openStore, type StoreOptions } from './open-store.ts';

const SCRIPT = join(import.meta.dirname, '..', '..', 'test', 'support', 'store-process.ts');

for (const { name, skip, create } of STORE_KINDS) {
  describe(`several processes on one store in ${name}`, { skip }, () => {
    test('that start together on an empty store create one schema, one team and one key', async () => {
      await using place = await create();
      const starts = Array.from({ length: 5 }, () => readToEnd(start('start', place.options)));
      const said = await Promise.all(starts);
      assert.deepEqual(said.sort(), [...Array(4).fill('found\n'), 'made\n']);
    });

    test('lose no acknowledged write when they are killed', async () => {
      await using place = await create();
      const acknowledged: string[] = [];
      const writers = [start('write', place.options), start('write', place.options)];
      await Promise.all(
        writers.map(async (writer) => {
          const own: string[] = [];
          for await (const line of linesOf(writer)) {
            own.push(line);
            // In the middle of many writes. A line that is cut off is no acknowledgement.
            if (own.length === 300) writer.kill('SIGKILL');
          }
          acknowledged.push(...own);
        }),
      );
      assert.ok(acknowledged.length >= 600);
      const store = await openStore(place.options);
      try {
        for (const line of acknowledged) {
          const [team = '', id = ''] = line.split(' ');
          assert.notEqual(await store.scrapes.get(team, id), null, line);
        }
      } finally {
        await store.close();
      }
    });

    test('let each other write: a key can be added while another process writes continuously', async () => {
      await using place = await create();
      using writer = start('write', place.options);
      const writes = linesOf(writer);
      await writes.next();
      const store = await openStore(place.options);
      let adding = true;
      // Read continuously, because a full pipe would block the writer. The last line comes after the key.
      const reading = (async () => {
        while (adding) await writes.next();
        return writes.next();
      })();
      const { keyHash } = await makeTeam(store);
      adding = false;
      assert.equal((await reading).done, false);
      assert.notEqual(await store.keys.find(keyHash), null);
      writer.kill('SIGKILL');
      await store.close();
    });
  });
}

function start(task: 'start' | 'write', options: StoreOptions): ChildProcess {
  return spawn(process.execPath, [SCRIPT, task, JSON.stringify(options)], { stdio: ['ignore', 'pipe', 'inherit'] });
}

/** Only whole lines: drops what is left of one when the process dies. */
async function* linesOf({ stdout }: ChildProcess): AsyncGenerator<string> {
  let rest = '';
  for await (const text of stdout?.setEncoding('utf8') ?? []) {
    const lines = `${rest}${text}`.split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
}

async function readToEnd(child: ChildProcess): Promise<string> {
  let text = '';
  for await (const part of child.stdout?.setEncoding('utf8') ?? []) text += part;
  return text;
}
