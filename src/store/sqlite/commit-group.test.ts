import assert from 'node:assert/strict';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { type Folder, temporaryFolder } from '../../../test/support/folder.ts';
import { TrawlError } from '../../errors.ts';
import { ConstraintError } from '../constraint-error.ts';
import type { Database } from '../database.ts';
import { integer } from '../row.ts';
import { raw, sql } from '../sql.ts';
import { commitGroup, type WriteAnswer, type WriteRequest, type Writes } from './commit-group.ts';
import { SqliteConnection } from './connection.ts';
import { fromFailure } from './failure.ts';

async function add(db: Database, value: number): Promise<number> {
  await db.run(sql`insert into numbers values (${value}, zeroblob(0))`);
  return value * 2;
}

const WRITES: Writes = {
  add,
  async addAndFail(db: Database, value: number) {
    await add(db, value);
    throw new TrawlError('BAD_REQUEST', 'No.', { details: [value], headers: { 'x-why': 'no' } });
  },
  async addAndBreak(db: Database, value: number) {
    await add(db, value);
    throw new TypeError('a mistake in an operation');
  },
  async addLarge(db: Database, bytes: number) {
    await db.run(sql`insert into numbers values (${bytes}, zeroblob(${bytes}))`);
  },
  /** SQLite does this by itself when the disk fails. */
  async loseAll(db: Database) {
    await db.run(raw('rollback'));
    throw new Error('the disk failed');
  },
};

let folder: Folder;
let connection: SqliteConnection;

beforeEach(async () => {
  folder = await temporaryFolder();
  connection = new SqliteConnection(join(folder.path, 'test.db'), { readOnly: false });
  await connection.run(sql`create table numbers (value integer primary key, bytes blob) strict`);
});

afterEach(async () => {
  connection.close();
  await folder[Symbol.asyncDispose]();
});

test('writes are answered with their outputs, in order', async () => {
  assert.deepEqual(await commit(['add', 1], ['add', 2]), [2, 4]);
  assert.deepEqual(await stored(), [1, 2]);
});

test('only a failed write is rolled back', async () => {
  const [first, , last] = await commit(['add', 1], ['addAndFail', 2], ['add', 3]);
  assert.deepEqual([first, last], [2, 6]);
  assert.deepEqual(await stored(), [1, 3]);
});

test('errors keep their type', async () => {
  const [refused, repeated, broken, unknown] = await commit(
    ['addAndFail', 1],
    ['add', 0],
    ['addAndBreak', 3],
    ['no such write', 4],
  ).then(async (first) => [first[0], ...(await commit(['add', 0])), first[2], first[3]]);
  assert.ok(refused instanceof TrawlError);
  assert.deepEqual([refused.code, refused.status, refused.message], ['BAD_REQUEST', 400, 'No.']);
  assert.deepEqual([refused.details, refused.headers], [[1], { 'x-why': 'no' }]);
  assert.ok(repeated instanceof ConstraintError);
  assert.equal(repeated.kind, 'unique');
  assert.ok(broken instanceof Error);
  assert.match(broken.stack ?? '', /a mistake in an operation.*addAndBreak/s);
  assert.ok(unknown instanceof Error);
  assert.match(unknown.message, /no write "no such write"/);
});

test('a full disk fails the whole group, and the next group is tried again', async () => {
  await connection.all(raw('pragma max_page_count = 20'));
  for (const answer of await commit(['add', 1], ['addLarge', 1_000_000])) {
    assert.ok(answer instanceof TrawlError);
    assert.equal(answer.code, 'STORE_UNAVAILABLE');
    assert.match(answer.message, /the disk is full: make room/);
  }
  assert.deepEqual(await commit(['add', 2]), [4]);
  assert.deepEqual(await stored(), [2]);
});

test('when SQLite rolls back the whole group, no write is reported as stored', async () => {
  const answers = await commit(['add', 1], ['loseAll', 0], ['add', 2]);
  for (const answer of answers) {
    assert.ok(answer instanceof TrawlError);
    assert.equal(answer.code, 'STORE_UNAVAILABLE');
  }
  assert.deepEqual(await stored(), []);
  assert.deepEqual(await commit(['add', 3]), [6]);
});

/** The output or the error of each write. */
async function commit(...writes: [name: string, input: number][]): Promise<unknown[]> {
  // As JSON, because messages between threads carry no types either.
  const requests: WriteRequest<never>[] = JSON.parse(
    JSON.stringify(writes.map(([name, input], id) => ({ id, name, input }))),
  );
  const answers = await commitGroup(connection, WRITES, requests);
  assert.deepEqual(
    answers.map(({ id }) => id),
    requests.map(({ id }) => id),
  );
  return answers.map((answer: WriteAnswer<unknown>) =>
    'failure' in answer ? fromFailure(structuredClone(answer.failure)) : answer.output,
  );
}

async function stored(): Promise<number[]> {
  const rows = await connection.all(sql`select value from numbers order by value`);
  return rows.map((row) => integer(row.value));
}
