import type { Pool, PoolClient, QueryResult } from 'pg';
import type { Database } from '../database.ts';
import type { Row } from '../row.ts';
import type { Sql } from '../sql.ts';
import { translatePostgresError } from './errors.ts';

/** The code has a few dozen statements; the bound is for texts that vary, such as lists of values. */
const NAMES = 500;
const names = new Map<string, string>();

/** One connection, or any free one of the pool. */
export class PostgresConnection implements Database {
  readonly dialect = 'postgres';
  readonly #client: Pool | PoolClient;

  constructor(client: Pool | PoolClient) {
    this.#client = client;
  }

  async all(statement: Sql): Promise<Row[]> {
    const { rows } = await this.#query(statement);
    return rows;
  }

  async run(statement: Sql): Promise<number> {
    const { rowCount } = await this.#query(statement);
    return rowCount ?? 0;
  }

  async #query({ postgresText, values }: Sql): Promise<QueryResult<Row>> {
    try {
      return await this.#client.query<Row>({ ...nameOf(postgresText), text: postgresText, values });
    } catch (error) {
      throw translatePostgresError(error);
    }
  }
}

/**
 * A named statement is parsed and planned once per connection instead of each time: finding a key takes 0.04 ms instead
 * of 0.11. (PgBouncer in transaction pooling mode must be 1.21 or later.)
 */
function nameOf(text: string): { name?: string } {
  const known = names.get(text);
  if (known !== undefined) return { name: known };
  if (names.size >= NAMES) return {};
  const name = `trawl_${names.size}`;
  names.set(text, name);
  return { name };
}
