/** A write that the schema refuses, the same from both databases. */
export class ConstraintError extends Error {
  override readonly name = 'ConstraintError';
  readonly kind: ConstraintKind;

  constructor(kind: ConstraintKind, message: string) {
    super(message);
    this.kind = kind;
  }
}

/** `unique`: there is such a row already. `reference`: the row that is referred to does not exist. `value`: null or of the wrong type. */
export type ConstraintKind = 'unique' | 'reference' | 'value';
