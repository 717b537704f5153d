/** What addresses have in common when a site generates them by the thousand. */
export interface AddressShape {
  /**
   * Host and path with the varying parts replaced, such as `site.example/events/{date}`, and the parameter names of the
   * query.
   */
  shape: string;
  /** What these pages seem to be. */
  kind: ShapeKind;
  /**
   * The path alone, and whether the query has parameters: sites with filters have very many sets of parameters for one
   * path.
   */
  path: string;
  hasQuery: boolean;
}

export type ShapeKind =
  /** Days, weeks and months that one can page through forever. */
  | 'calendar'
  /** Pages by date, without any sign of a calendar. */
  | 'archive'
  /** Pages of a list. */
  | 'pagination'
  /** Search results. */
  | 'search'
  /** Two or more query parameters. */
  | 'pair'
  | 'filters'
  /** Generated names: hashes and UUIDs. */
  | 'token'
  /** Numbers, titles, one query parameter: the names of pages on a large site. */
  | 'title'
  /** Nothing varies. */
  | 'fixed';

const CALENDAR =
  /(?:^|[/._-])(?:calend[ae]rs?|calendario|calendrier|kalender|agenda|events?|eventos|evenements?|veranstaltungen|termine|schedule|bookings?|availability)(?:[/._-]|$)/i;
const DATE_NAMES =
  /^(?:date|datum|fecha|day|month|monat|mois|mes|week|woche|ym|ymd|cal\w*|tribe-bar-date|from_?date|to_?date|start_?date|end_?date)$/i;
/** A day, month or week: `5`, `2024-05`, `2024-05-06`, `20240506`. */
const DATE_VALUE = /^(?:\d{1,4}(?:[-_.]\w{1,3}){0,2}|\d{6}|\d{8})$/;
const PAGE_NAMES =
  /^(?:page|paged?|p|pg|pagina|pagenum|page_?no|pageindex|seite|start|offset|from|skip|cursor|after|before)$/i;
const SEARCH_NAMES = /^(?:q|query|s|search|search_?query|keywords?|suche|term)$/i;

const PATH_DATE = /\/(?:1[89]|20)\d\d\/(?:0?[1-9]|1[0-2])(?:\/(?:0?[1-9]|[12]\d|3[01]))?(?=\/|$)/;
const DATE = /(?:1[89]|20)\d\d[-_.](?:0[1-9]|1[0-2])(?:[-_.](?:0[1-9]|[12]\d|3[01]))?/;
const BARE_DATE = /^(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])$/;
const TOKEN = /^(?=.*\d)(?:[\da-f]{16,}|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/i;
/** After a name: the page number of a list. */
const PATH_PAGE = /\/(?:page|seite|pagina|p)[/-]?\d+(?=\/|$)/i;

/** The shape of an address. Linear in its length. */
export function addressShape({ host, pathname, search }: URL): AddressShape {
  const names = queryNames(search);
  const path = host + pathShape(pathname);
  const shape = names.length === 0 ? path : `${path}?${names.map(([name]) => name).join('&')}`;
  return { shape, kind: kindOf(pathname, path, names), path, hasQuery: names.length > 0 };
}

/** The year in the address of a calendar, if there is one. */
export function calendarYear({ pathname, search }: URL): number | undefined {
  const year = /(?:^|[/=_.-])((?:1[5-9]|[2-9]\d)\d\d)(?=[/&_.-]|$|\d{2}(?:\d{2})?(?:&|$))/.exec(pathname + search)?.[1];
  return year === undefined ? undefined : Number(year);
}

type Parameter = readonly [name: string, value: string];

/** In alphabetical order, without duplicates. */
function queryNames(search: string): Parameter[] {
  const byName = new Map<string, string>();
  for (const parameter of search.slice(1).split('&')) {
    const [name = '', value = ''] = parameter.split('=', 2);
    // With `f[color]` and `f[0]` there would be as many sets of names as of values.
    if (name !== '') byName.set(name.replace(/(?:\[|%5B).*/i, '').toLowerCase(), value);
  }
  return [...byName].sort(([a], [b]) => (a < b ? -1 : 1));
}

function pathShape(pathname: string): string {
  return pathname.replace(PATH_DATE, '/{date}').split('/').map(nameShape).join('/');
}

function nameShape(name: string): string {
  if (name === '' || name === '{date}') return name;
  const dot = name.lastIndexOf('.');
  const stem = dot > 0 ? name.slice(0, dot) : name;
  const ending = dot > 0 ? name.slice(dot) : '';
  if (BARE_DATE.test(stem) || (DATE.test(stem) && stem.length <= 10)) return `{date}${ending}`;
  if (/^\d+$/.test(stem)) return `{number}${ending}`;
  if (TOKEN.test(stem)) return `{token}${ending}`;
  if (stem.length > 24 || /\d/.test(stem) || /[-_].*[-_]/.test(stem)) return `{title}${ending}`;
  return name.toLowerCase();
}

function kindOf(pathname: string, path: string, names: readonly Parameter[]): ShapeKind {
  const hasDate = path.includes('{date}');
  if (names.some(([name, value]) => DATE_NAMES.test(name) && DATE_VALUE.test(value))) return 'calendar';
  if (hasDate && CALENDAR.test(pathname) && !path.includes('{title}')) return 'calendar';
  if (names.some(([name]) => SEARCH_NAMES.test(name))) return 'search';
  if (PATH_PAGE.test(pathname) || names.some(([name, value]) => PAGE_NAMES.test(name) && value !== ''))
    return 'pagination';
  if (names.length > 2) return 'filters';
  if (names.length === 2) return 'pair';
  if (/\{date\}[^/]*\/?$/.test(path)) return 'archive';
  if (path.includes('{token}')) return 'token';
  return names.length === 1 || path.includes('{') ? 'title' : 'fixed';
}
