import type { Database } from '../database.ts';
import { integer, nullable, text } from '../row.ts';
import { type Sql, sql } from '../sql.ts';
import type { DaySpan } from './reservations.ts';

/** The usage of one key in one of the requested spans. */
export interface SpanUsage {
  /** The index of the span in the list. */
  span: number;
  /** Null for calls without a key. */
  keyId: string | null;
  credits: number;
  tokens: number;
}

/** When a team was created, and the first day on which it used anything, if it ever did. */
export interface UsageStart {
  createdAt: number;
  firstDay: number | null;
}

export async function findUsageStart(db: Database, teamId: string): Promise<UsageStart | null> {
  const [row] = await db.all(sql`
    select created_at, (select min(day) from usage_days where team_id = ${teamId}) as first_day
    from teams where id = ${teamId}`);
  if (row === undefined) return null;
  return { createdAt: integer(row.created_at), firstDay: nullable(integer)(row.first_day) };
}

/** The usage of a team in each span of days, by key; spans without usage give no row. Reads sums, never the ledger. */
export async function sumUsage(
  db: Database,
  { teamId, spans }: { teamId: string; spans: readonly DaySpan[] },
): Promise<SpanUsage[]> {
  if (spans.length === 0) return [];
  const rows = await db.all(sql`
    with spans (number, first_day, end_day) as (values ${spanValues(spans)})
    select
      spans.number, usage_days.key_id,
      cast(sum(usage_days.credits) as bigint) as credits, cast(sum(usage_days.tokens) as bigint) as tokens
    from spans join usage_days
      on usage_days.team_id = ${teamId} and usage_days.day >= spans.first_day and usage_days.day < spans.end_day
    group by spans.number, usage_days.key_id
    order by spans.number, usage_days.key_id`);
  return rows.map((row) => ({
    span: integer(row.number),
    keyId: text(row.key_id) || null,
    credits: integer(row.credits),
    tokens: integer(row.tokens),
  }));
}

/** PostgreSQL treats a bound value in a list of values as text, unless it is cast. */
function spanValues(spans: readonly DaySpan[]): Sql {
  const rows = spans.map(
    ({ firstDay, endDay }, number) =>
      sql`(cast(${number} as bigint), cast(${firstDay} as bigint), cast(${endDay} as bigint))`,
  );
  return rows.reduce((list, row) => sql`${list}, ${row}`);
}
