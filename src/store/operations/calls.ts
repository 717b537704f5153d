import type { Database } from '../database.ts';
import { type Activity, addActivity } from './activity.ts';
import { addCharge, type Charge } from './charges.ts';

/** A finished call that leaves no result behind. */
export interface Call {
  activity: Activity;
  /** Null when it costs nothing. */
  charge: Charge | null;
}

/** Adds the line in the activity log and the charge: both or neither. Repeating it changes nothing. */
export async function recordCall(db: Database, { activity, charge }: Call): Promise<void> {
  await Promise.all([addActivity(db, activity), charge && addCharge(db, charge)]);
}
