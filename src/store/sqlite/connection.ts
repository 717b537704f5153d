import { DatabaseSync, type StatementSync } from 'node:sqlite';
import type { Database } from '../database.ts';
import type { Row } from '../row.ts';
import type { Sql } from '../sql.ts';
import { translateSqliteError } from './errors.ts';

/** How long a write waits for a write of another process: `trawl keys` on a busy service waits some 10 ms. */
const BUSY_MS = 15_000;
/** How long a checkpoint waits, and with it all writes. */
const CHECKPOINT_BUSY_MS = 100;
/** How often, and after which pause, WAL mode is requested again for a new file: SQLite does not wait for this lock. */
const LOG_TRIES = 100;
const LOG_PAUSE_MS = 10;
/** Prepared statements that are kept. The code has fewer; the bound is for texts that vary, such as lists of values. */
const PREPARED = 200;

/**
 * One connection to the SQLite file. Its methods do their work before they return, so their promises are already
 * resolved.
 */
export class SqliteConnection implements Database {
  readonly dialect = 'sqlite';
  readonly #database: DatabaseSync;
  readonly #prepared = new Map<string, StatementSync>();
  #overwrites: boolean | undefined;

  /** @param options `bigInts`: integers come as bigints, whatever their size */
  constructor(path: string, { readOnly, bigInts = false }: { readOnly: boolean; bigInts?: boolean }) {
    try {
      this.#database = new DatabaseSync(path, { readOnly, timeout: BUSY_MS, readBigInts: bigInts });
      if (!readOnly) this.#setUp();
    } catch (error) {
      throw translateSqliteError(error);
    }
  }

  async all({ sqliteText, values }: Sql): Promise<Row[]> {
    try {
      return this.#prepare(sqliteText).all(...values);
    } catch (error) {
      throw translateSqliteError(error);
    }
  }

  async run({ sqliteText, values }: Sql): Promise<number> {
    try {
      return Number(this.#prepare(sqliteText).run(...values).changes);
    } catch (error) {
      throw translateSqliteError(error);
    }
  }

  /** BEGIN, COMMIT and the like. */
  control(text: string): void {
    try {
      this.#prepare(text).run();
    } catch (error) {
      throw translateSqliteError(error);
    }
  }

  /** SQLite rolls back a transaction by itself when the disk is full or fails. */
  get inTransaction(): boolean {
    return this.#database.isTransaction;
  }

  /**
   * Whether all data erased from now on is overwritten with zeros. Otherwise only where a page is written anyway:
   * removing 100 cached pages of 40 KB would take 30 ms of CPU time instead of 5.
   */
  overwriteErased(overwrites: boolean): void {
    if (this.#overwrites === overwrites) return;
    // Not prepared: this pragma takes effect when it is prepared, and not when it runs.
    this.#database.exec(`pragma secure_delete = ${overwrites ? 'on' : 'fast'}`);
    this.#overwrites = overwrites;
  }

  /**
   * Empties the log, which still contains data that was erased since. Returns false if another process was reading at
   * that moment; this does not wait for it.
   */
  checkpoint(): boolean {
    try {
      this.#database.exec(`pragma busy_timeout = ${CHECKPOINT_BUSY_MS}`);
      const row = this.#database.prepare('pragma wal_checkpoint(truncate)').get();
      return row?.busy === 0;
    } catch (error) {
      throw translateSqliteError(error);
    } finally {
      this.#database.exec(`pragma busy_timeout = ${BUSY_MS}`);
    }
  }

  close(): void {
    this.#prepared.clear();
    this.#database.close();
  }

  #setUp(): void {
    // Must come before the first table: only then can the file return free pages to the file system.
    this.#database.exec('pragma auto_vacuum = incremental');
    this.#startLog();
    // Each commit is on disk before it is answered.
    this.#database.exec('pragma synchronous = full');
    // The log is overwritten in place, which syncs four times faster than a growing file (0.25 ms instead of 1.1). It
    // is truncated to this size only after a burst has made it larger.
    this.#database.exec('pragma journal_size_limit = 67108864');
    this.overwriteErased(false);
  }

  /**
   * Write-ahead logging, which the file remembers. When several processes create a file together, all but one fail at
   * once.
   */
  #startLog(): void {
    for (let attempt = 1; ; attempt++) {
      try {
        this.#database.exec('pragma journal_mode = wal');
        return;
      } catch (error) {
        if (attempt === LOG_TRIES) throw error;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOG_PAUSE_MS);
      }
    }
  }

  #prepare(text: string): StatementSync {
    const known = this.#prepared.get(text);
    if (known !== undefined) return known;
    if (this.#prepared.size >= PREPARED) this.#prepared.clear();
    const statement = this.#database.prepare(text);
    this.#prepared.set(text, statement);
    return statement;
  }
}
