import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createDatabase, missingPostgres, type TestDatabase } from '../../../test/support/postgres.ts';
import { TrawlError } from '../../errors.ts';
import type { Database, Runner } from '../database.ts';
import { integer } from '../row.ts';
import { sql } from '../sql.ts';
import { openPostgres } from './open-postgres.ts';

describe('PostgreSQL', { skip: (await missingPostgres()) ?? false }, () => {
  let database: TestDatabase;
  let runner: Runner;
  before(async () => {
    database = await createDatabase();
    runner = await openPostgres(database.url);
    await runner.write((db) => db.run(sql`create table numbers (id bigint primary key, value bigint not null)`), null);
  });
  after(async () => {
    await runner.close();
    await database[Symbol.asyncDispose]();
  });

  const storedValue = async (id: number) => {
    const [row] = await runner.read((db) => db.all(sql`select value from numbers where id = ${id}`), null);
    return row === undefined ? undefined : integer(row.value);
  };

  test('rolls back a failed write, and keeps the connection', async () => {
    const write = async (db: Database) => {
      await db.run(sql`insert into numbers values (1, 1)`);
      throw new RangeError('a mistake in an operation');
    };
    // More often than there are connections.
    for (let time = 0; time < 30; time++) await assert.rejects(runner.write(write, null), RangeError);
    assert.equal(await storedValue(1), undefined);
  });

  test('returns 64-bit integers as numbers', async () => {
    await runner.write((db) => db.run(sql`insert into numbers values (2, ${Number.MAX_SAFE_INTEGER})`), null);
    assert.equal(await storedValue(2), Number.MAX_SAFE_INTEGER);
  });

  test('retries a write after a deadlock', async () => {
    await runner.write((db) => db.run(sql`insert into numbers values (10, 0), (11, 0)`), null);
    const both = Promise.withResolvers<void>();
    let waiting = 0;
    const increaseBoth = async (db: Database, [first, second]: [number, number]) => {
      await db.run(sql`update numbers set value = value + 1 where id = ${first}`);
      waiting += 1;
      if (waiting === 2) both.resolve();
      await both.promise;
      await db.run(sql`update numbers set value = value + 1 where id = ${second}`);
    };
    await Promise.all([runner.write(increaseBoth, [10, 11]), runner.write(increaseBoth, [11, 10])]);
    assert.equal(waiting, 3, 'one of the two was retried');
    assert.deepEqual([await storedValue(10), await storedValue(11)], [2, 2]);
  });

  test('fails the operation on a connection that breaks, and continues with another connection', async () => {
    const killMyself = (db: Database) => db.all(sql`select pg_terminate_backend(pg_backend_pid())`);
    await assert.rejects(runner.write(killMyself, null), { code: 'STORE_UNAVAILABLE' });
    await assert.rejects(runner.read(killMyself, null), { code: 'STORE_UNAVAILABLE' });
    assert.equal(await storedValue(1), undefined);
  });

  test('survives the loss of every idle connection', async () => {
    await Promise.all(Array.from({ length: 10 }, () => storedValue(1)));
    const other = await openPostgres(database.url);
    await other.read(
      (db) =>
        db.all(sql`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()`),
      null,
    );
    await other.close();
    let tries = 0;
    // The pool may hand out a connection just before it notices its end.
    while ((await storedValue(1).catch(() => 'lost')) === 'lost') tries += 1;
    assert.ok(tries <= 10);
  });

  test('the error for an unreachable server or a missing database gives the reason', async () => {
    const missing = new URL(database.url);
    missing.pathname = '/no_such_database';
    for (const url of ['postgres://trawl@127.0.0.1:1/trawl', missing.href]) {
      await assert.rejects(openPostgres(url), (error) => {
        assert.ok(error instanceof TrawlError);
        assert.equal(error.code, 'STORE_UNAVAILABLE');
        assert.match(error.message, /ECONNREFUSED|database "no_such_database" does not exist/);
        return true;
      });
    }
  });
});
