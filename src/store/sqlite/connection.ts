import { DatabaseSync, type StatementSync } from 'node:sqlite';
import type { Database } from '../database.ts';
import type { Row } from '../row.ts';
import type { Sql } from '../sql.ts';
import { translateSqliteError } from './errors.ts';

/** How long a write waits for another process that writes: `trawl keys` beside a busy service waits some 10 ms. */
const BUSY_MS = 15_000;
/** How long a checkpoint waits, and all writes with it. */
const CHECKPOINT_BUSY_MS = 100;
/** How often and after which pause a new file is asked again to start its log; SQLite does not wait here by itself. */
const LOG_TRIES = 100;
const LOG_PAUSE_MS = 10;
/** Statements kept prepared. The code has fewer; the bound is for texts that vary, as with a list of values. */
const PREPARED = 200;

/** One connection to the SQLite file. Its methods do their work before they return: a promise from it is already settled. */
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

  /** SQLite ends a transaction by itself when the disk is full or fails. */
  get inTransaction(): boolean {
    return this.#database.isTransaction;
  }

  /**
   * Whether all that is erased from now on is filled with zeros. Else it is only where a page is written anyway: to remove
   * 100 cached pages of 40 KB would take 30 ms of processor time instead of 5.
   */
  overwriteErased(overwrites: boolean): void {
    if (this.#overwrites === overwrites) return;
    // Not prepared: this pragma takes effect when it is read, and not each time it is run.
    this.#database.exec(`pragma secure_delete = ${overwrites ? 'on' : 'fast'}`);
    this.#overwrites = overwrites;
  }

  /**
   * Empties the log, which still holds what was erased since. Gives false when another process was reading just then: it
   * is not waited for.
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
    // Decided before the first table is made: only so can a file give freed pages back.
    this.#database.exec('pragma auto_vacuum = incremental');
    this.#startLog();
    // Each commit is on the disk before it is answered.
    this.#database.exec('pragma synchronous = full');
    // The log is written over and over in place, which is four times quicker to sync than a file that grows (0.25 ms
    // against 1.1). It is cut back to this only when a burst has made it larger.
    this.#database.exec('pragma journal_size_limit = 67108864');
    this.overwriteErased(false);
  }

  /** Write-ahead logging, which the file remembers. Of processes that begin a file together all but one are turned away at once. */
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
