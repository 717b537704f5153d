/** The origin of a request, besides the key: recorded in the activity log. */
export interface RequestOrigin {
  apiVersion: 'v1' | 'v2';
  origin: string | null;
  integration: string | null;
  /** The user on whose behalf the request is made, as the caller says. */
  auditUsername: string | null;
}
