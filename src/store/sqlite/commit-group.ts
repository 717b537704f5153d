import { TrawlError } from '../../errors.ts';
import type { Operation } from '../database.ts';
import { ERASING } from '../operations/writes.ts';
import type { SqliteConnection } from './connection.ts';
import { type Failure, toFailure } from './failure.ts';

/**
 * A write on its way to the thread. Sent with `unknown` input and received with `never`: nothing in between inspects
 * it.
 */
export interface WriteRequest<Input> {
  id: number;
  name: string;
  input: Input;
}

export type WriteAnswer<Output> = { id: number; output: Output } | { id: number; failure: Failure };

/** The name of a request that is not a write: to empty the log, which requires that no transaction is open. */
export const CHECKPOINT = 'checkpoint';

/** Operations by name. Callers have already been type-checked: each input fits its operation. */
export type Writes = Readonly<Record<string, Operation<never, unknown>>>;

/**
 * Runs writes one after the other and commits them together: one disk sync, however many there are. Each is
 * independent, because a failed one is rolled back alone. The answers are only valid once this returns.
 */
export async function commitGroup(
  connection: SqliteConnection,
  writes: Writes,
  requests: readonly WriteRequest<never>[],
): Promise<WriteAnswer<unknown>[]> {
  const answers: WriteAnswer<unknown>[] = [];
  try {
    // Immediate: takes the write lock at the start, where SQLite can still wait for another process.
    connection.control('begin immediate');
    for (const request of requests) answers.push(await runAlone(connection, writes, request));
    connection.control('commit');
    return answers;
  } catch (error) {
    if (connection.inTransaction) connection.control('rollback');
    const failure = toFailure(error);
    return requests.map(({ id }) => ({ id, failure }));
  }
}

/** Answers a request to empty the log. */
export function checkpoint(
  connection: SqliteConnection,
  { id }: Pick<WriteRequest<never>, 'id'>,
): WriteAnswer<unknown> {
  try {
    return { id, output: connection.checkpoint() };
  } catch (error) {
    return { id, failure: toFailure(error) };
  }
}

async function runAlone(
  connection: SqliteConnection,
  writes: Writes,
  { id, name, input }: WriteRequest<never>,
): Promise<WriteAnswer<unknown>> {
  connection.control('savepoint write');
  try {
    const operation = writes[name];
    if (operation === undefined) throw new Error(`There is no write "${name}".`);
    connection.overwriteErased(ERASING.has(name));
    const output = await operation(connection, input);
    connection.control('release write');
    return { id, output };
  } catch (error) {
    if (!connection.inTransaction) throw lost(error);
    connection.control('rollback to write');
    connection.control('release write');
    return { id, failure: toFailure(error) };
  }
}

/** The disk was full or failed, and SQLite rolled back the whole group. */
function lost(error: unknown): unknown {
  if (error instanceof TrawlError) return error;
  return new TrawlError('STORE_UNAVAILABLE', 'SQLite rolled back the write.', { cause: error });
}
