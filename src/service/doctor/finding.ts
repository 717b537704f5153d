/** One line of `trawl doctor`. */
export interface Finding {
  level: 'ok' | 'warning' | 'problem';
  /** What was looked at. */
  name: string;
  /** What was found, and what to do unless it is fine. */
  text: string;
}
