import { hash } from 'node:crypto';

export interface AddressKeyOptions {
  /** Addresses that differ only in their query are the same. */
  ignoreQueryParameters: boolean;
  /** So are addresses that differ in scheme, `www.`, a trailing slash or the name of an index page. */
  deduplicateSimilarURLs: boolean;
}

/** 22 characters of base64 hold 132 bits: two of a billion addresses collide with a probability of 10^-22. */
const KEY_LENGTH = 22;

/**
 * The key that all addresses of a page share, always 22 characters, for a unique index. It is from the SHA-256 of the
 * canonical address, because addresses may be 8 KB long and index rows may not.
 */
export function addressKey(url: URL, options: AddressKeyOptions): string {
  return hash('sha256', canonicalAddress(url, options), 'base64url').slice(0, KEY_LENGTH);
}

/**
 * An address for comparison, not for fetching. It removes differences that the URL standard keeps: fragment (except the
 * route of an application), user name,
 * forms of percent-encoding, tracking parameters, and session ids, which change with every visit. The order of the
 * other parameters is kept: for some sites `a=1&b=2` and `b=2&a=1` are two pages, and links within a site use one
 * order.
 */
export function canonicalAddress(url: URL, options: AddressKeyOptions): string {
  const host = url.host.replace(/\.(?=:|$)/, '');
  const path = withoutSession(normalisePercent(url.pathname));
  const query = options.ignoreQueryParameters ? '' : canonicalQuery(url.search);
  const route = routeOf(url);
  if (!options.deduplicateSimilarURLs) return `${url.protocol}//${host}${path}${query}${route}`;
  return `//${host.replace(/^www\./, '')}${path.replace(INDEX_PAGE, '/').replace(/\/+$/, '')}${query}${route}`;
}

/** The fragment of an address if it names a view of an application, such as `#/settings` or `#!/settings`; else empty. */
export function routeOf({ hash: fragment }: URL): string {
  return /^#!?\/./.test(fragment) ? fragment : '';
}

const INDEX_PAGE = /\/(?:index\.(?:html?|xhtml|shtml|php\d?|aspx?|jsp|jsf|cfm|cgi|do)|default\.(?:html?|aspx?))$/i;

/** Set by campaigns, mail programs and advertising networks; the page does not depend on them. */
const TRACKING =
  /^(?:utm_\w+|(?:dc|fb|g|ms|tt|tw|y)clid|gclsrc|gbraid|wbraid|li_fat_id|mc_[ce]id|mkt_tok|_hs(?:enc|mi)|__hs(?:tc|sc|fp)|hsctatracking|igshid?|_ga|_gl|_openstat|vero_(?:id|conv)|oly_(?:anon|enc)_id|rb_clickid|s_cid|ml_subscriber(?:_hash)?|pk_(?:campaign|kwd|source|medium|content|cid)|piwik_\w+|matomo_\w+|mtm_\w+|at_(?:campaign|medium|custom\d)|wickedid|irclickid|epik|srsltid)$/i;

/** Names that always mean a session. */
const SESSION =
  /^(?:jsessionid|phpsessid|aspsessionid\w*|asp\.net_sessionid|cfid|cftoken|oscsid|zenid|sessionid|session_id)$/i;
/** Names that mean a session if the value looks like one. */
const MAYBE_SESSION = /^(?:s|sid|sess|session)$/i;
const SESSION_VALUE = /^(?=.*\d)(?=.*[a-z])[\da-z]{16,}$/i;

/** Whether a query parameter does not affect the page. */
function isIgnored(parameter: string): boolean {
  const end = parameter.indexOf('=');
  const name = end === -1 ? parameter : parameter.slice(0, end);
  if (name.length > 40) return false;
  if (TRACKING.test(name) || SESSION.test(name)) return true;
  return end !== -1 && MAYBE_SESSION.test(name) && SESSION_VALUE.test(parameter.slice(end + 1));
}

function canonicalQuery(search: string): string {
  if (search.length < 2) return '';
  const kept = search
    .slice(1)
    .split('&')
    .filter((parameter) => parameter !== '' && !isIgnored(parameter));
  return kept.length === 0 ? '' : `?${normalisePercent(kept.join('&'))}`;
}

/** Session ids that Java and ASP.NET servers put into the path: `/page;jsessionid=1A2B`, `/(S(1a2b))/page`. */
function withoutSession(path: string): string {
  return path.replace(/;(?:jsessionid|phpsessid|sid)=[^/;?]*/gi, '').replace(/\/\(S\([\da-z]{16,}\)\)(?=\/)/i, '');
}

/** RFC 3986 section 6.2.2: unreserved characters as themselves, hex digits in upper case. */
function normalisePercent(text: string): string {
  if (!text.includes('%')) return text;
  return text.replace(/%([0-9a-f]{2})/gi, (triplet, hex: string) => {
    const character = String.fromCharCode(Number.parseInt(hex, 16));
    return /[\w.~-]/.test(character) ? character : triplet.toUpperCase();
  });
}
