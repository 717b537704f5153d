import type { Database, Operation, Runner } from '../../src/store/database.ts';
import { integer, type Row, text } from '../../src/store/row.ts';
import { type Sql, sql } from '../../src/store/sql.ts';
import { partitionOf } from './partitioned-database.ts';

/** A statement that reached more than one partition of a table. */
export interface Reach {
  operation: string;
  table: string;
  statement: string;
}

/** A runner on a partitioned database that records the operations it ran and the partitions each statement reached. */
export interface WatchedRunner extends Runner {
  operations: ReadonlySet<string>;
  reaches: readonly Reach[];
}

/** Everything runs in a transaction, so that the effects of a statement can be distinguished from those of others. */
export function watch(runner: Runner): WatchedRunner {
  const operations = new Set<string>();
  const reaches: Reach[] = [];
  const run = <Input, Output>(operation: Operation<Input, Output>, input: Input): Promise<Output> =>
    runner.write((db, given: Input) => {
      operations.add(operation.name);
      return operation(new WatchedDatabase(db, operation.name, reaches), given);
    }, input);
  return {
    ...{ operations, reaches, read: run, write: run, writeOnce: run },
    freeBytes: () => runner.freeBytes(),
    scrub: () => runner.scrub(),
    close: () => runner.close(),
  };
}

/** Explains each statement before it runs, and afterwards checks what it has read and written. */
class WatchedDatabase implements Database {
  readonly dialect = 'postgres';
  readonly #db: Database;
  readonly #operation: string;
  readonly #reaches: Reach[];
  #before: Promise<Map<string, number>> | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(db: Database, operation: string, reaches: Reach[]) {
    this.#db = db;
    this.#operation = operation;
    this.#reaches = reaches;
  }

  all(statement: Sql): Promise<Row[]> {
    return this.#watched(statement, () => this.#db.all(statement));
  }

  run(statement: Sql): Promise<number> {
    return this.#watched(statement, () => this.#db.run(statement));
  }

  /** Runs them one after another, because operations send several at a time. */
  #watched<Result>(statement: Sql, run: () => Promise<Result>): Promise<Result> {
    const running = this.#last.then(async () => {
      this.#before ??= readCounters(this.#db);
      const before = await this.#before;
      const planned = await planOf(this.#db, statement);
      const result = await run();
      const after = await readCounters(this.#db);
      this.#before = Promise.resolve(after);
      const touched = [...after].filter(([name, count]) => count > (before.get(name) ?? 0)).map(([name]) => name);
      this.#note(statement, [...planned, ...touched]);
      return result;
    });
    this.#last = running.catch(() => {});
    return running;
  }

  #note(statement: Sql, names: readonly string[]): void {
    const parts = names.flatMap((name) => partitionOf(name) ?? []);
    for (const [table, ofTable] of Map.groupBy(parts, (part) => part.table)) {
      if (new Set(ofTable.map(({ part }) => part)).size < 2) continue;
      this.#reaches.push({ operation: this.#operation, table, statement: statement.postgresText });
    }
  }
}

/** The tables that PostgreSQL means to read and to change, with the values that are bound. */
async function planOf(db: Database, statement: Sql): Promise<string[]> {
  const [row] = await db.all(sql`explain (format json) ${statement}`);
  return [...relationsIn(row?.['QUERY PLAN'])];
}

function* relationsIn(plan: unknown): Generator<string> {
  if (typeof plan !== 'object' || plan === null) return;
  if ('Relation Name' in plan && typeof plan['Relation Name'] === 'string') yield plan['Relation Name'];
  for (const part of Object.values(plan)) yield* relationsIn(part);
}

/**
 * How often this transaction has searched each partition and each of their indexes, and how many rows it has changed. It shows
 * what plans do not: where rows were inserted, and what foreign keys had looked up.
 */
async function readCounters(db: Database): Promise<Map<string, number>> {
  const rows = await db.all(sql`
    select relname, count from pg_class cross join lateral (
      select pg_stat_get_xact_numscans(oid) + pg_stat_get_xact_tuples_inserted(oid)
        + pg_stat_get_xact_tuples_updated(oid) + pg_stat_get_xact_tuples_deleted(oid) as count offset 0
    ) as counted
    where relispartition and count > 0`);
  return new Map(rows.map((row) => [text(row.relname), integer(row.count)]));
}
