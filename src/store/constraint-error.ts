/** A write that the store refuses for good, the same for both databases: a retry would be refused too. */
export class ConstraintError extends Error {
  override readonly name = 'ConstraintError';
  readonly kind: ConstraintKind;

  constructor(kind: ConstraintKind, message: string) {
    super(message);
    this.kind = kind;
  }
}

/**
 * `unique`: the row already exists. `reference`: the referenced row does not exist. `value`: null, of the wrong type,
 * or too large.
 */
export type ConstraintKind = 'unique' | 'reference' | 'value';

/** Node's error codes for a value that it cannot pass to a database. */
const UNBINDABLE: ReadonlySet<unknown> = new Set([
  'ERR_INVALID_ARG_TYPE',
  'ERR_INVALID_ARG_VALUE',
  'ERR_OUT_OF_RANGE',
  'ERR_STRING_TOO_LONG',
]);

/** Whether a value could not even be passed to the database: it is of the wrong type, out of range or too long. */
export function isUnbindable(error: Error): boolean {
  return error instanceof RangeError || ('code' in error && UNBINDABLE.has(error.code));
}
