import type { Database } from '../database.ts';
import { integer } from '../row.ts';
import { sql } from '../sql.ts';

export interface KeylessRequest {
  /** The client's address or network, in its usual notation. */
  client: string;
  /** Days since the epoch, UTC. */
  day: number;
  limit: number;
}

/**
 * Counts one request, unless the client has already made `limit` requests on this day. Returns the new count, or null.
 */
export async function countKeylessRequest(
  db: Database,
  { client, day, limit }: KeylessRequest,
): Promise<number | null> {
  const [row] = await db.all(sql`
    insert into keyless_days (client, day, requests) values (${client}, ${day}, 1)
    on conflict (day, client) do update set requests = keyless_days.requests + 1
    where keyless_days.requests < ${limit}
    returning requests`);
  return row === undefined ? null : integer(row.requests);
}
