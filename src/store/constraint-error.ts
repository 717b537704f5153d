/** A write that the store refuses for good, the same from both databases: it would refuse it again. */
export class ConstraintError extends Error {
  override readonly name = 'ConstraintError';
  readonly kind: ConstraintKind;

  constructor(kind: ConstraintKind, message: string) {
    super(message);
    this.kind = kind;
  }
}

/** `unique`: there is such a row already. `reference`: the row that is referred to does not exist. `value`: null, of the wrong type, or too large. */
export type ConstraintKind = 'unique' | 'reference' | 'value';

/** What Node says of a value that it cannot hand to a database. */
const UNBINDABLE: ReadonlySet<unknown> = new Set([
  'ERR_INVALID_ARG_TYPE',
  'ERR_INVALID_ARG_VALUE',
  'ERR_OUT_OF_RANGE',
  'ERR_STRING_TOO_LONG',
]);

/** Whether a value could not even be handed to the database: it is of the wrong type, out of range or too long. */
export function isUnbindable(error: Error): boolean {
  return error instanceof RangeError || ('code' in error && UNBINDABLE.has(error.code));
}
