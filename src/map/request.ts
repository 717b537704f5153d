import type { Location } from '../pages/request.ts';
import type { ThreatPolicy } from '../site/threat-protection.ts';

/** One map, validated, with every default filled in. Both API versions and the command line make this shape. */
export interface MapRequest {
  /** As the caller wrote it; `parseTarget` accepts it. */
  url: string;
  /** Words: what fits them best comes first. */
  search: string | undefined;
  sitemap: 'include' | 'skip' | 'only';
  /** Also other hosts under the same registrable domain. */
  includeSubdomains: boolean;
  /** Addresses are given without their query, each once. */
  ignoreQueryParameters: boolean;
  /** Nothing that was found at an earlier time: neither a stored copy of the page nor addresses that are only known. */
  ignoreCache: boolean;
  /** At most as many as `MOST_LINKS`. */
  limit: number;
  /** Milliseconds for the whole request. */
  timeout: number;
  location: Location;
  threatProtection: ThreatPolicy | undefined;
}
