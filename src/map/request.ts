import type { Location } from '../pages/request.ts';
import type { ThreatPolicy } from '../site/threat-protection.ts';

/** One map, validated, with every default filled in. Both API versions and the command line produce it. */
export interface MapRequest {
  /** As the caller wrote it; `parseTarget` accepts it. */
  url: string;
  /** Search words; the best matches come first. */
  search: string | undefined;
  sitemap: 'include' | 'skip' | 'only';
  /** Include other hosts under the same registrable domain. */
  includeSubdomains: boolean;
  /** Drop the query of each address, and list each once. */
  ignoreQueryParameters: boolean;
  /** Use neither a cached copy of the page nor addresses from earlier requests. */
  ignoreCache: boolean;
  /** At most `MAX_LINKS`. */
  limit: number;
  /** Milliseconds for the whole request. */
  timeout: number;
  location: Location;
  threatProtection: ThreatPolicy | undefined;
}
