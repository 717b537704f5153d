/** A row as the database returns it, with the column names of the schema. */
export type Row = Readonly<Record<string, unknown>>;

// Readers of a column. Each rejects values that the schema does not allow, above all `undefined`: a column that was not
// selected.

export function text(value: unknown): string {
  if (typeof value === 'string') return value;
  throw unexpected('text', value);
}

export function integer(value: unknown): number {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value;
  throw unexpected('an integer', value);
}

export function bytes(value: unknown): Uint8Array {
  if (value instanceof Uint8Array) return value;
  throw unexpected('bytes', value);
}

/** The same reader for a column that may be null. */
export function nullable<T>(read: (value: unknown) => T): (value: unknown) => T | null {
  return (value) => (value === null ? null : read(value));
}

function unexpected(wanted: string, value: unknown): Error {
  const found = value instanceof Uint8Array ? `${value.byteLength} bytes` : `${typeof value} ${String(value)}`;
  return new Error(`The store expected ${wanted} in a column and found ${found}.`);
}
