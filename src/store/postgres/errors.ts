import { TrawlError } from '../../errors.ts';
import { ConstraintError, type ConstraintKind } from '../constraint-error.ts';

/** SQLSTATE codes (https://www.postgresql.org/docs/current/errcodes-appendix.html). */
const CONSTRAINTS: Record<string, ConstraintKind> = { '23503': 'reference', '23505': 'unique' };
const INTEGRITY = /^(23|22)/;
/** Connection, no resources, shut down or cancelled, system error, no such database, wrong password. */
const UNAVAILABLE = /^(08|53|57|58|3D|28)/;
/** Serialization failure and deadlock: the transaction was undone and may succeed the next time. */
const CONFLICT = /^40(001|P01)$/;

export function isConflict(error: unknown): boolean {
  return CONFLICT.test(sqlState(error) ?? '');
}

/** What an error of PostgreSQL or of the way to it means to the caller of the store; other errors stay what they are. */
export function translatePostgresError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof TrawlError) return error;
  const state = sqlState(error);
  if (state !== undefined && INTEGRITY.test(state))
    return new ConstraintError(CONSTRAINTS[state] ?? 'value', error.message);
  if (state === undefined || UNAVAILABLE.test(state) || isConflict(error)) {
    return new TrawlError('STORE_UNAVAILABLE', `PostgreSQL does not serve now: ${error.message}.`, { cause: error });
  }
  return error;
}

/** Undefined for what did not come from the server: a refused or lost connection, a timeout of the pool. */
function sqlState(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return undefined;
  return /^[0-9A-Z]{5}$/.test(error.code) ? error.code : undefined;
}
