/** The origin of a request, besides the key: recorded in the activity log. */
export interface RequestOrigin {
  apiVersion: 'v1' | 'v2';
  origin: string | null;
  integration: string | null;
  /** On whose behalf, as the caller says. */
  auditUsername: string | null;
}
