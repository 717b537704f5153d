import { domainToASCII } from 'node:url';
import { TrawlError } from '../errors.ts';
import type { SiteFetcher } from './site-fetcher.ts';

/** `threatProtection` of a request (`ThreatProtectionOverride` in the contract), its shape already validated. */
export interface ThreatPolicy {
  /**
   * `off` checks nothing; `manual-only`, the default, applies the lists; `normal` and `zscaler` also use a service that
   * scores risk, which this version does not have.
   */
  mode?: 'off' | 'manual-only' | 'normal' | 'zscaler' | undefined;
  /** The score from which such a service's verdict refuses an address. */
  riskScoreThreshold?: number | undefined;
  /** Refused hosts, each with its subdomains. `*` matches any characters. */
  blacklist?: readonly string[] | undefined;
  /**
   * Hosts that are always allowed. Unlike on the blacklist, a name means only itself: allowing `github.io` must not
   * allow all pages of its users. `*.github.io` does.
   */
  whitelist?: readonly string[] | undefined;
  /** Last labels: `zip`, `co.uk`, `рф`; with or without a dot in front. */
  blockedTlds?: readonly string[] | undefined;
  /** What to do when the service is unreachable. Default `closed`: refuse. */
  failurePolicy?: 'open' | 'closed' | undefined;
}

/**
 * Applies the policy to one address. Returns a warning for the response when the policy was applied only in part.
 * @throws TrawlError FORBIDDEN naming the rule that refuses the address
 * @throws TrawlError NOT_AVAILABLE when the policy needs a risk service and fails closed
 * @throws TrawlError BAD_REQUEST when an entry of a list is not a host name
 */
export function checkThreatPolicy(url: URL, policy: ThreatPolicy | undefined): string | undefined {
  if (policy === undefined || policy.mode === 'off') return undefined;
  const { mode = 'manual-only', failurePolicy = 'closed' } = policy;
  const host = withoutTrailingDots(url.hostname);

  // Every entry is parsed before any decides, so that a mistyped one is found at the first address.
  const allowing = hostPatterns(policy.whitelist, 'whitelist').filter(({ name }) => matchesPattern(host, name));
  const refusing = [
    ...hostPatterns(policy.blacklist, 'blacklist').filter(({ name }) => isOrIsBelow(host, name)),
    ...topLevels(policy.blockedTlds).filter(({ name }) => isOrIsBelow(host, name)),
  ];
  if (allowing.length > 0) return undefined;
  const rule = refusing[0];
  if (rule) throw refused(host, rule);
  if (mode === 'manual-only') return undefined;
  if (failurePolicy === 'closed') throw riskUnknown(mode);
  return (
    `threatProtection.mode "${mode}" was applied in part: the lists were checked, but this version has no service that ` +
    'scores the risk of a host, and failurePolicy "open" lets the request continue.'
  );
}

/** The fetcher under a policy: every address is checked before it is contacted, also after a redirect or refresh. */
export function withPolicy(fetcher: SiteFetcher, policy: ThreatPolicy | undefined): SiteFetcher {
  if (policy === undefined) return fetcher;
  const admit = (url: URL) => void checkThreatPolicy(url, policy);
  return {
    fetch: (request) => fetcher.fetch({ ...request, admit }),
    impersonate: (request) => fetcher.impersonate({ ...request, admit }),
    render: (request) => fetcher.render({ ...request, admit }),
    hasEnhanced: fetcher.hasEnhanced,
    knownHosts: fetcher.knownHosts,
    check(url) {
      admit(url);
      fetcher.check(url);
    },
    close: () => fetcher.close(),
  };
}

interface Rule {
  field: 'whitelist' | 'blacklist' | 'blockedTlds';
  entry: string;
  /** In the form of `URL.hostname`: lower case, Punycode, addresses normalised. */
  name: string;
}

function hostPatterns(entries: readonly string[] = [], field: 'whitelist' | 'blacklist'): Rule[] {
  return entries.map((entry) => {
    const name = canonicalName(entry);
    if (name === undefined)
      throw badEntry(field, entry, 'a host name or pattern such as "example.com" or "*.example.com"');
    return { field, entry, name };
  });
}

function topLevels(entries: readonly string[] = []): Rule[] {
  return entries.map((entry) => {
    const name = canonicalName(entry.replace(/^\s*\.+/, ''));
    const isName = name !== undefined && !/[*[]|^[\d.]+$/.test(name); // no pattern, no IP address
    if (!isName) throw badEntry('blockedTlds', entry, 'the end of a host name such as "zip" or "co.uk"');
    return { field: 'blockedTlds', entry, name };
  });
}

/** The entry as `URL.hostname` would write it, or undefined when it is not a host: an address, a port, nothing. */
function canonicalName(entry: string): string | undefined {
  const written = entry.trim();
  if (/^[\da-f:.]*:[\da-f:.]*$/i.test(written)) return domainToASCII(`[${written}]`) || undefined; // IPv6
  // domainToASCII would silently cut off a path.
  if (/[/?#\\]/.test(written)) return undefined;
  return withoutTrailingDots(domainToASCII(written)) || undefined;
}

function withoutTrailingDots(host: string): string {
  return host.replace(/\.+$/, '');
}

function isOrIsBelow(host: string, pattern: string): boolean {
  return matchesPattern(host, pattern) || matchesPattern(host, `*.${pattern}`);
}

/** `*` matches any characters, or none. Backtracks only to the last star, so the time is bounded. */
function matchesPattern(host: string, pattern: string): boolean {
  let at = 0;
  let part = 0;
  let star = -1;
  let starAt = 0;
  while (at < host.length) {
    if (pattern[part] === '*') {
      star = part++;
      starAt = at;
    } else if (pattern[part] === host[at]) {
      part++;
      at++;
    } else if (star !== -1) {
      part = star + 1;
      at = ++starAt;
    } else return false;
  }
  while (pattern[part] === '*') part++;
  return part === pattern.length;
}

function refused(host: string, { field, entry }: Rule): TrawlError {
  return new TrawlError(
    'FORBIDDEN',
    `The host ${host} is refused by threatProtection.${field}, entry "${entry}". ` +
      'Remove the entry from the list, or add the host to threatProtection.whitelist.',
  );
}

function riskUnknown(mode: string): TrawlError {
  return new TrawlError(
    'NOT_AVAILABLE',
    `threatProtection.mode "${mode}" needs a service that scores the risk of a host, which this version does not have, ` +
      'and failurePolicy "closed" refuses what cannot be scored. Use mode "manual-only" to apply only the lists, ' +
      'or failurePolicy "open" to continue without a score.',
  );
}

function badEntry(field: Rule['field'], entry: string, expected: string): TrawlError {
  return new TrawlError('BAD_REQUEST', `threatProtection.${field}: "${entry}" is not ${expected}.`);
}
