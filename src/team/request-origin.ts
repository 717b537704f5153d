/** Who asked, beside the key: recorded with the activity. */
export interface RequestOrigin {
  apiVersion: 'v1' | 'v2';
  origin: string | null;
  integration: string | null;
  /** For whom, as the caller says. */
  auditUsername: string | null;
}
