/**
 * The values that both databases can bind. Booleans are stored as 0 or 1, times as integer milliseconds, JSON as text.
 */
export type SqlValue = string | number | bigint | null | Uint8Array;

/**
 * A statement and its values, which never become part of the text.
 *
 * Plain SQL instead of a query builder: both databases understand the same dialect (`on conflict`, `returning`, common
 * table expressions), and a builder is expensive here. Kysely, loaded once for the service and once for the writer
 * thread, took 28 MB of the 130 MB that an idle service may use, 250 ms of the start, and 15 µs per statement.
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

/**
 * sql`select name from teams where id = ${id}`: values are bound, and a part that is itself Sql becomes part of the
 * text.
 */
export function sql(strings: TemplateStringsArray, ...parts: (SqlValue | Sql)[]): Sql {
  return new Sql(strings, parts);
}

/** Text that is SQL. It must come from this code, never from a request. */
export function raw(text: string): Sql {
  return new Sql([text], []);
}

/** PostgreSQL refuses U+0000 in text and SQLite stores it. On both it becomes the replacement character. */
function withoutNul(text: string): string {
  return text.includes('\0') ? text.replaceAll('\0', '\u{fffd}') : text;
}
