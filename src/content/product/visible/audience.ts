import type { Head } from '../../metadata/head.ts';

/** The region and language that a page is for, as far as they are known. */
export interface Audience {
  /** ISO 3166-1 code in upper case. */
  region: string | undefined;
  /** BCP 47 tag without a region. */
  language: string | undefined;
}

/** Country domains that most sites choose for their letters, not for the country. */
const GENERIC_DOMAINS = new Set('co io me tv ai cc to fm gg sh ly la ws eu su vc st so'.split(' '));

/** Language and region: `/en-au/`, `/de_ch/`. */
const LOCALE_IN_PATH = /^\/([a-z]{2})[-_]([a-z]{2})(?:\/|$)/i;
/** Region alone: `/au/`, `/ca/en/`. The two letters may also be a language. */
const REGION_IN_PATH = /^\/([a-z]{2})\//i;
const MAX_TAG = 35;

const REGIONS = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
const LANGUAGES = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });

/**
 * Reads region and language. The address comes first, because many sites keep the `lang="en-US"` of their template: its
 * path (`/en-au/`), then its top-level domain. Next come the page's own entry among its translations, its declared
 * languages, and last the region where most speakers of its language live.
 */
export function readAudience(head: Head, url: string, contentLanguage: string | undefined): Audience {
  const { hostname, pathname } = new URL(url);
  const own = head.links.find(
    ({ attributes }) => attributes.rel === 'alternate' && attributes.href === url && attributes.get('hreflang'),
  );
  const ogLocale = head.tags.find(({ name }) => name.toLowerCase() === 'og:locale')?.content;
  const declared = [own?.attributes.get('hreflang'), head.lang, contentLanguage, ogLocale]
    .map(localeOf)
    .filter((locale) => locale !== undefined);
  const [inPath, language = '', region = ''] = LOCALE_IN_PATH.exec(pathname) ?? [];
  const spoken = declared[0]?.language ?? (inPath === undefined ? undefined : language.toLowerCase());
  return {
    region:
      known(region) ??
      regionOfDomain(hostname) ??
      declared.find((locale) => locale.region !== undefined)?.region ??
      regionInPath(pathname) ??
      (spoken === undefined ? undefined : localeOf(spoken)?.maximize().region),
    language: spoken,
  };
}

function localeOf(tag: string | undefined): Intl.Locale | undefined {
  if (tag === undefined || tag.length > MAX_TAG) return undefined;
  try {
    return new Intl.Locale(tag.trim().replaceAll('_', '-'));
  } catch {
    return undefined;
  }
}

function known(region: string | undefined): string | undefined {
  const code = region?.toUpperCase() ?? '';
  return /^[A-Z]{2}$/.test(code) && REGIONS.of(code) !== undefined ? code : undefined;
}

function regionOfDomain(hostname: string): string | undefined {
  const domain = hostname.slice(hostname.lastIndexOf('.') + 1);
  if (domain === 'uk') return 'GB';
  // `.com.co` means Colombia; `.co` may be anyone.
  if (GENERIC_DOMAINS.has(domain) && !/\.(?:com|net|org|co)\.[a-z]{2}$/.test(hostname)) return undefined;
  return domain.length === 2 ? known(domain) : undefined;
}

function regionInPath(pathname: string): string | undefined {
  const [, letters = ''] = REGION_IN_PATH.exec(pathname) ?? [];
  return letters === '' || LANGUAGES.of(letters.toLowerCase()) !== undefined ? undefined : known(letters);
}
