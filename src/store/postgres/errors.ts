import { TrawlError } from '../../errors.ts';
import { ConstraintError, type ConstraintKind, isUnbindable } from '../constraint-error.ts';
import { StoreAway } from '../store-away.ts';

/** SQLSTATE codes (https://www.postgresql.org/docs/current/errcodes-appendix.html). */
const CONSTRAINTS: Record<string, ConstraintKind> = { '23503': 'reference', '23505': 'unique' };
/**
 * A value that violates its column or a constraint, or exceeds a limit of PostgreSQL, such as a long value in an index.
 */
const REFUSED = /^(22|23|54)/;
/** Connection, wrong password, no such database, no resources, shutdown or cancellation, system error. */
const UNAVAILABLE = /^(08|28|3D|53|57|58)/;
/** Those of them that pass by themselves: a lost connection, too many connections, a server that starts or stops. */
const AWAY = /^(08|53300|57P0[1-5])/;
/** Serialization failure and deadlock: the transaction was rolled back, and a retry may succeed. */
const CONFLICT = /^(40001|40P01)$/;

/** Translates an error of PostgreSQL, or of the connection to it, for callers of the store. */
export function translatePostgresError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const state = sqlState(error);
  if (state !== undefined && REFUSED.test(state)) {
    return new ConstraintError(CONSTRAINTS[state] ?? 'value', error.message);
  }
  if (state === undefined && isUnbindable(error)) return new ConstraintError('value', error.message);
  const message = `PostgreSQL cannot be used: ${describe(error)}.`;
  if (state === undefined || AWAY.test(state)) return new StoreAway(message, { cause: error });
  if (UNAVAILABLE.test(state) || CONFLICT.test(state)) {
    return new TrawlError('STORE_UNAVAILABLE', message, { cause: error });
  }
  return error;
}

/** Whether this error is a translated conflict between two transactions. */
export function isConflict(error: unknown): boolean {
  return error instanceof TrawlError && CONFLICT.test(sqlState(error.cause) ?? '');
}

/** Undefined for errors that did not come from the server: a refused or lost connection, a timeout of the pool. */
function sqlState(error: unknown): string | undefined {
  // Only errors of the server have a severity. EPIPE, from a broken connection, looks like an SQLSTATE too.
  if (!(error instanceof Error) || !('severity' in error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** A refused connection is an AggregateError without a message if the host name has several addresses. */
function describe(error: Error): string {
  if (error instanceof AggregateError) return error.errors.map(String).join(', ');
  return error.message;
}
