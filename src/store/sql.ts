/** What both databases bind. Booleans go in as 0 or 1, times as integer milliseconds, JSON as text. */
export type SqlValue = string | number | bigint | null | Uint8Array;

/**
 * A statement with its values beside it: a value never becomes part of the text.
 *
 * Plain SQL and not a query builder, because both databases read the same dialect of it (`on conflict`, `returning`,
 * common table expressions) and a builder is dear here: Kysely, loaded once for the service and once for the writer's
 * thread, took 28 MB of the 130 MB that an idle service may have, 250 ms of the start and 15 µs a statement.
 */
export class Sql {
  readonly #strings: string[];
  readonly values: SqlValue[];

  constructor(strings: readonly string[], parts: readonly (SqlValue | Sql)[]) {
    let last = strings[0] ?? '';
    this.#strings = [];
    this.values = [];
    for (const [index, part] of parts.entries()) {
      const after = strings[index + 1] ?? '';
      if (part instanceof Sql) {
        const [first = '', ...rest] = part.#strings;
        last += first;
        for (const string of rest) {
          this.#strings.push(last);
          last = string;
        }
        this.values.push(...part.values);
        last += after;
      } else {
        this.#strings.push(last);
        this.values.push(typeof part === 'string' ? withoutNul(part) : part);
        last = after;
      }
    }
    this.#strings.push(last);
  }

  /** With `?` for each value. */
  get sqliteText(): string {
    return this.#strings.join('?');
  }

  /** With `$1`, `$2` … for the values. */
  get postgresText(): string {
    return this.#strings.reduce((text, string, index) => `${text}$${index}${string}`);
  }
}

/** sql`select name from teams where id = ${id}`: values are bound, and a part that is Sql itself becomes part of the text. */
export function sql(strings: TemplateStringsArray, ...parts: (SqlValue | Sql)[]): Sql {
  return new Sql(strings, parts);
}

/** Text that is SQL: only ever from this code, never from a request. */
export function raw(text: string): Sql {
  return new Sql([text], []);
}

/** PostgreSQL refuses U+0000 in text and SQLite keeps it: on both it becomes the replacement character. */
function withoutNul(text: string): string {
  return text.includes('\0') ? text.replaceAll('\0', '\u{fffd}') : text;
}
