import { TrawlError } from '../errors.ts';

/** The version of Chrome that sites see, until the one of the browser here is known. User-Agent and client hints follow from it. */
let chromeVersion = 150;

/** Makes plain requests claim the version of the Chromium that renders pages: sites may see both. */
export function claimChromeVersion(major: number): void {
  chromeVersion = major;
  made.clear();
}

export type BrowserHeaders = ReadonlyMap<string, readonly [name: string, value: string]>;

const SHARED: readonly (readonly [string, string])[] = [
  [
    'Accept',
    'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7',
  ],
];

const FETCH_METADATA: readonly (readonly [string, string])[] = [
  ['Sec-Fetch-Site', 'none'],
  ['Sec-Fetch-Mode', 'navigate'],
  ['Sec-Fetch-User', '?1'],
  ['Sec-Fetch-Dest', 'document'],
];

/**
 * The headers of Chrome for a typed address, in its order; of its phone version if `mobile`. Client hints and fetch
 * metadata go only to secure addresses, as in the browser. All supported codings are offered to all addresses, where
 * Chrome offers br and zstd only to secure ones.
 * @param languages in order of preference; none: English
 * @returns by lower-case name
 */
export function browserHeaders(options: {
  secure: boolean;
  mobile: boolean;
  languages: readonly string[];
}): BrowserHeaders {
  const { secure, mobile, languages } = options;
  const key = `${secure} ${mobile} ${languages.join()}`;
  const known = made.get(key);
  if (known !== undefined) return known;

  const hints: (readonly [string, string])[] = [
    ['sec-ch-ua', brandList(chromeVersion)],
    ['sec-ch-ua-mobile', mobile ? '?1' : '?0'],
    ['sec-ch-ua-platform', mobile ? '"Android"' : '"Windows"'],
  ];
  const list: (readonly [string, string])[] = [
    ...(secure ? hints : []),
    ['Upgrade-Insecure-Requests', '1'],
    ['User-Agent', userAgent(mobile)],
    ...SHARED,
    ...(secure ? FETCH_METADATA : []),
    ['Accept-Encoding', 'gzip, deflate, br, zstd'],
    ['Accept-Language', acceptLanguage(languages)],
  ];
  const headers = new Map(list.map((header) => [header[0].toLowerCase(), header]));
  if (made.size >= MADE_AT_MOST) made.clear();
  made.set(key, headers);
  return headers;
}

/** Few combinations occur; the bound is for a caller who invents languages. */
const MADE_AT_MOST = 256;
const made = new Map<string, BrowserHeaders>();

function userAgent(mobile: boolean): string {
  const system = mobile ? 'Linux; Android 10; K' : 'Windows NT 10.0; Win64; x64';
  return userAgentOf(system, chromeVersion, mobile);
}

/** The reduced form of Chrome: only the version still changes. */
export function userAgentOf(system: string, version: number, mobile: boolean): string {
  const suffix = mobile ? 'Mobile Safari/537.36' : 'Safari/537.36';
  return `Mozilla/5.0 (${system}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${version}.0.0.0 ${suffix}`;
}

/** `Sec-CH-UA`. */
function brandList(version: number): string {
  return brandsOf(version)
    .map(({ brand, version: number }) => `"${brand}";v="${number}"`)
    .join(', ');
}

/** With the made-up brand that Chromium derives from its version (User-Agent Client Hints, "GREASE"). */
export function brandsOf(version: number): { brand: string; version: string }[] {
  const marks = [' ', '(', ':', '-', '.', '/', ')', ';', '=', '?', '_'];
  const invented = {
    brand: `Not${marks[version % 11]}A${marks[(version + 1) % 11]}Brand`,
    version: ['8', '99', '24'][version % 3] ?? '8',
  };
  const brands = [
    invented,
    { brand: 'Chromium', version: String(version) },
    { brand: 'Google Chrome', version: String(version) },
  ];
  // The positions of the three brands.
  const places = ['012', '021', '102', '120', '201', '210'][version % 6] ?? '012';
  return [0, 1, 2].flatMap((place) => brands[places.indexOf(String(place))] ?? []);
}

/** `['de-DE', 'de', 'en']` to `de-DE,de;q=0.9,en;q=0.8`. At most ten are sent. */
function acceptLanguage(languages: readonly string[]): string {
  const wanted = languages.length === 0 ? ['en-US', 'en'] : languages.slice(0, 10);
  for (const language of wanted) {
    if (!/^(\*|[A-Za-z0-9-]{1,35})$/.test(language)) {
      throw new TrawlError('BAD_REQUEST', 'A language must be a tag like "de" or "de-DE".');
    }
  }
  return wanted.map((tag, i) => (i === 0 ? tag : `${tag};q=${(1 - i / 10).toFixed(1)}`)).join(',');
}
