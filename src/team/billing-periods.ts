import { DAY_MS } from '../store/operations/charges.ts';
import type { DaySpan } from '../store/operations/reservations.ts';

/** From `start` until just before `end`, in milliseconds since the epoch. A period ends when the next one starts. */
export interface BillingPeriod {
  start: number;
  end: number;
}

/**
 * The billing period of a moment. Periods begin at 00:00 UTC on the anchor's day of the month, or on the last day of a
 * month that is too short: an anchor on the 31st begins periods on 31 January, 28 or 29 February, 31 March.
 */
export function periodAt(anchor: number, moment: number): BillingPeriod {
  return periodOf(anchor, monthAt(anchor, moment));
}

/** Every period from that of `from` to that of `to`, oldest first. */
export function periodsBetween(anchor: number, from: number, to: number): BillingPeriod[] {
  const first = monthAt(anchor, from);
  const count = Math.max(0, monthAt(anchor, to) - first + 1);
  return Array.from({ length: count }, (_, index) => periodOf(anchor, first + index));
}

/** The days of a period. It consists of whole days. */
export function daysOf({ start, end }: BillingPeriod): DaySpan {
  return { firstDay: start / DAY_MS, endDay: end / DAY_MS };
}

/** Months are counted from year 0, so that the next one is always one more. */
function monthAt(anchor: number, moment: number): number {
  const date = new Date(moment);
  const month = date.getUTCFullYear() * 12 + date.getUTCMonth();
  return moment < startIn(anchor, month) ? month - 1 : month;
}

function periodOf(anchor: number, month: number): BillingPeriod {
  return { start: startIn(anchor, month), end: startIn(anchor, month + 1) };
}

function startIn(anchor: number, month: number): number {
  const [year, monthOfYear] = [Math.floor(month / 12), month % 12];
  // Day 0 of the next month is the last day of this one.
  const lastDay = new Date(Date.UTC(year, monthOfYear + 1, 0)).getUTCDate();
  return Date.UTC(year, monthOfYear, Math.min(new Date(anchor).getUTCDate(), lastDay));
}
