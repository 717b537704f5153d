import type { Database } from '../database.ts';
import { integer, nullable, text } from '../row.ts';
import { raw, sql } from '../sql.ts';

/** One call in the activity log of a team. */
export interface Activity {
  teamId: string;
  /** The id of the scrape, job or other work that the call started. Ids are ordered by time. */
  id: string;
  endpoint: string;
  apiVersion: string;
  /** What the call was about; null under zero data retention. */
  target: string | null;
  keyId: string | null;
  origin: string | null;
  integration: string | null;
  /** The user on whose behalf the call was made, as the caller says. */
  auditUsername: string | null;
  createdAt: number;
}

export type ListedActivity = Pick<Activity, 'id' | 'endpoint' | 'apiVersion' | 'target' | 'createdAt'>;

/** Adds a line unless it already exists. */
export async function addActivity(db: Database, activity: Activity): Promise<void> {
  await db.run(sql`
    insert into activity (team_id, id, endpoint, api_version, target, key_id, origin, integration, audit_username, created_at)
    values (
      ${activity.teamId}, ${activity.id}, ${activity.endpoint}, ${activity.apiVersion}, ${activity.target},
      ${activity.keyId}, ${activity.origin}, ${activity.integration}, ${activity.auditUsername}, ${activity.createdAt}
    )
    on conflict (team_id, id) do nothing`);
}

/** The newest calls of a team, at most `limit`: of one endpoint or all, and older than the one with the id `before`. */
export async function listActivity(
  db: Database,
  query: { teamId: string; endpoint: string | null; before: string | null; limit: number },
): Promise<ListedActivity[]> {
  // Conditions that do not apply are left out, so that each query can use the index that fits it.
  const ofEndpoint = query.endpoint === null ? raw('') : sql`and endpoint = ${query.endpoint}`;
  const older = query.before === null ? raw('') : sql`and id < ${query.before}`;
  const rows = await db.all(sql`
    select id, endpoint, api_version, target, created_at from activity
    where team_id = ${query.teamId} ${ofEndpoint} ${older}
    order by id desc limit ${query.limit}`);
  return rows.map((row) => ({
    id: text(row.id),
    endpoint: text(row.endpoint),
    apiVersion: text(row.api_version),
    target: nullable(text)(row.target),
    createdAt: integer(row.created_at),
  }));
}
