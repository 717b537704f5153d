import { TrawlError } from '../../errors.ts';
import { ConstraintError, type ConstraintKind, isUnbindable } from '../constraint-error.ts';

/** Primary result codes (https://sqlite.org/rescode.html) of a file that is unusable at the moment, with the remedy. */
const UNAVAILABLE: Record<number, string> = {
  5: 'another process keeps it locked',
  8: 'it cannot be written: check the permissions of the data directory',
  10: 'the disk fails',
  11: 'it is damaged: restore it from a backup',
  13: 'the disk is full: make room, or lower TRAWL_CACHE_MB',
  14: 'it cannot be opened: check the permissions of the data directory',
  26: 'it is not a database: choose another TRAWL_DATA_DIR',
};

/** A violated constraint, or a value that is too large or of the wrong type. */
const REFUSED: ReadonlySet<number> = new Set([19, 18, 20]);
/** Extended codes of constraints. */
const CONSTRAINTS: Record<number, ConstraintKind> = { 787: 'reference', 1555: 'unique', 2067: 'unique' };

/** Translates an error of SQLite for callers of the store. Other errors are unchanged. */
export function translateSqliteError(error: unknown): unknown {
  if (error instanceof Error && 'code' in error && error.code === 'ERR_INVALID_STATE') {
    return new TrawlError('STORE_UNAVAILABLE', 'The store is closed.', { cause: error });
  }
  if (!(error instanceof Error)) return error;
  if (!('errcode' in error) || typeof error.errcode !== 'number') {
    return isUnbindable(error) ? new ConstraintError('value', error.message) : error;
  }
  const primary = error.errcode & 0xff;
  if (REFUSED.has(primary)) return new ConstraintError(CONSTRAINTS[error.errcode] ?? 'value', error.message);
  const reason = UNAVAILABLE[primary];
  if (reason === undefined) return error;
  return new TrawlError('STORE_UNAVAILABLE', `The SQLite file cannot be used: ${reason}.`, { cause: error });
}
