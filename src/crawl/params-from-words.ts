import type { CrawlParams } from './crawl-params.ts';
import { FILLERS, NOT, ONLY, PAGES, PLACES, sectionPattern, VERBS } from './crawl-words.ts';

/** The contract's bound on a prompt. */
const MAX_LENGTH = 10_000;
const MAX_PATTERNS = 50;
const MAX_PATH = 200;

/**
 * Derives options of a crawl from a sentence without a language model: "only the blog, not the tags, at most 20 pages".
 * When in doubt it sets nothing: a missing option can be added, but a wrong one loses pages. Never throws.
 */
export function paramsFromWords(prompt: string): CrawlParams {
  const text = plainWords(prompt);
  const params: CrawlParams = {};
  let rest = text;
  for (const read of [readDelay, readDepth, readLimit, readSwitches]) rest = read(rest, params);
  readSections(rest, params);
  return params;
}

/** Lower case, without accents, apostrophes and addresses. Parts that were understood are replaced by a full stop. */
function plainWords(prompt: string): string {
  return prompt
    .slice(0, MAX_LENGTH)
    .toLowerCase()
    .replace(/https?:\/\/[^\s"'<>)]+/g, ' ')
    .replaceAll('ß', 'ss')
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/(?<=n)['’]t\b/g, 't')
    .replace(/robots\.txt/g, 'robots')
    .replace(/[ \t]+/g, ' ');
}

type Read = (text: string, params: CrawlParams) => string;

const NUMBER = String.raw`(\d{1,3}(?:[.,]\d{3})+(?:k\b)?|\d{1,7}(?:k\b)?|one|two|three|four|five|six|ten|ein|eine|zwei|drei|un|une|deux|trois|uno|una|dos|tres)`;
const AT_MOST = `(?:at most|no more than|not more than|up to|maximum(?: of)?|max(?:imal)?|limit(?:ed)?(?: of| to|:)?|the first|first|only|just|hochstens|maximal|bis zu|die ersten|au plus|au maximum|jusqu'a|les premieres|como maximo|maximo|hasta|las primeras|nur|solo|seulement)`;
const PAGE_NOUNS = `(?:pages?|urls?|addresses|results?|documents?|articles?|posts?|seiten|adressen|paginas)`;
const LEVELS = `(?:levels?|hops?|clicks?|links?|steps?|ebenen?|klicks?|niveaux?|niveles|nivel|clics?)`;

const DELAY =
  /\b(?:delay|wait|waiting|pause|sleep|every|warte|verzogerung|alle|attends|attendre|delai|espera|esperar|cada)\b[^.;\n\d]{0,20}(\d{1,4}(?:[.,]\d{1,3})?) ?(ms|milliseconds?|millisekunden|s|secs?|seconds?|sekunden?|secondes?|segundos?|minutes?|minuten?|minutos?)\b/;
const BETWEEN =
  /\b(\d{1,4}(?:[.,]\d{1,3})?) ?(ms|milliseconds?|s|secs?|seconds?|sekunden?|secondes?|segundos?|minutes?|minuten?|minutos?) (?:between|delay|apart|pause|zwischen|entre)\b/;

const readDelay: Read = (text, params) => {
  const match = DELAY.exec(text) ?? BETWEEN.exec(text);
  const [whole, value = '', unit = ''] = match ?? [];
  if (whole === undefined) return text;
  const perUnit = unit.startsWith('mi') || unit === 'ms' ? (/^min/.test(unit) ? 60 : 0.001) : 1;
  params.delay = Number(value.replace(',', '.')) * perUnit;
  return text.replace(whole, ' . ');
};

const DEPTH_BEFORE = new RegExp(
  String.raw`\b(?:${AT_MOST} )?${NUMBER} ${LEVELS}(?: (?:deep|away|tief|de profondeur|de profundidad))?\b`,
);
const DEPTH_AFTER = new RegExp(
  String.raw`\b(?:depth|tiefe|profondeur|profundidad)(?: (?:of|von|de|limit|is|at most|maximum|max))*:? ${NUMBER}\b`,
);

const readDepth: Read = (text, params) => {
  const match = DEPTH_BEFORE.exec(text) ?? DEPTH_AFTER.exec(text);
  const depth = match?.[1] === undefined ? undefined : numberOf(match[1]);
  if (match === null || depth === undefined) return text;
  params.maxDiscoveryDepth = depth;
  return text.replace(match[0], ' . ');
};

const LIMIT = new RegExp(
  String.raw`\b${AT_MOST} ${NUMBER}(?: (?:\w+ )?${PAGE_NOUNS})?(?= ?(?:$|[.,;!?\n)]|and |but |und |aber |et |mais |y |pero |from |of |in |per |von |aus |de |du ))`,
);
const BARE_LIMIT = new RegExp(String.raw`\b(\d[\d.,]{0,9}k?) ${PAGE_NOUNS}\b(?! (?:deep|per|each|pro|par|por))`);

const readLimit: Read = (text, params) => {
  const match = LIMIT.exec(text) ?? BARE_LIMIT.exec(text);
  const limit = match?.[1] === undefined ? undefined : numberOf(match[1]);
  if (match === null || limit === undefined || limit === 0) return text;
  params.limit = limit;
  return text.replace(match[0], ' . ');
};

/** A placeholder for a section in the text that is left to parse. */
const SWITCH = 'switchhere';

/** Options that are on or off: their names, and the values for wanting and not wanting them. */
const SWITCHES: readonly (readonly [what: RegExp, on: CrawlParams, off: CrawlParams])[] = [
  [
    /\b(?:sub-?domains?|subdomanen?|subdomainen|sous-domaines?|subdominios?)\b/,
    { allowSubdomains: true },
    { allowSubdomains: false },
  ],
  [
    /\b(?:external (?:links?|sites?|pages?|domains?)|other (?:web)?(?:sites|domains)|externe[nr]? (?:links|seiten)|liens externes|enlaces externos)\b/,
    { allowExternalLinks: true },
    { allowExternalLinks: false },
  ],
  [
    /\b(?:query (?:parameters?|params?|strings?)|url parameters?|query-?parameter|parametres d'url|parametros de consulta)\b/,
    { ignoreQueryParameters: false },
    { ignoreQueryParameters: true },
  ],
  [/\bsite-?maps?\b/, { sitemap: 'include' }, { sitemap: 'skip' }],
  [/\brobots\b(?: rules)?/, { ignoreRobotsTxt: false }, { ignoreRobotsTxt: true }],
  [/\b(?:duplicates?|duplikate|doublons|duplicados)\b/, {}, { deduplicateSimilarURLs: true }],
  [/\bdeduplicat(?:e|ed|ion)\b/, { deduplicateSimilarURLs: true }, { deduplicateSimilarURLs: false }],
  [
    /\b(?:(?:whole|entire|full|complete) (?:web ?)?(?:site|domain)|(?:ganze[nrs]?|gesamte[nrs]?|komplette[nrs]?) (?:web ?)?(?:site|seite|domain|website)|tout le (?:site|domaine)|todo el (?:sitio|dominio))\b/,
    { crawlEntireDomain: true },
    { crawlEntireDomain: false },
  ],
];

const NEGATED = new RegExp(
  String.raw`\b(?:${[...NOT].join('|')}|remove|drop|strip|disregard|bypass|ignoriere|ignorez|ignora)(?: [\w-]+){0,3} $`,
);

const readSwitches: Read = (text, params) => {
  let rest = text;
  for (const [what, on, off] of SWITCHES) {
    const match = what.exec(rest);
    if (match === null) continue;
    const clause =
      rest
        .slice(0, match.index)
        .split(/[.,;:!?\n]/)
        .at(-1) ?? '';
    const isOff = NEGATED.test(clause.slice(-100));
    Object.assign(params, isOff ? off : on);
    rest = rest.replace(match[0], SWITCH);
  }
  return rest;
};

/** Whether the next name is wanted exclusively, or not wanted. */
type Mood = 'only' | 'not' | undefined;

/** The sections of the site that are wanted, and those that are not. */
function readSections(text: string, params: CrawlParams): void {
  const include = new Set<string>();
  const exclude = new Set<string>();
  for (const thought of text.split(/[.;!?\n]+(?=\s|$)|\b(?:but|aber|mais|pero)\b/)) {
    let mood: Mood;
    /** A section was named in this mood, as in "skip tags, categories". After "no duplicates," a new clause begins. */
    let named = false;
    for (const clause of thought.split(/[,:]/)) {
      if (/\b(?:not only|nicht nur|pas seulement|no solo)\b/.test(clause)) continue;
      const words = clause.match(/\/[\w%*./-]*[\w%*/]|[\p{L}\d-]+/gu) ?? [];
      const isPlain = words.every(isKnown);
      if (!named) mood = undefined;
      for (const [at, word] of words.entries()) {
        const before = words[at - 1] ?? '';
        const after = words[at + 1] ?? '';
        const next = moodAfter(word, before, mood);
        if (next !== mood || NOT.has(word) || word === SWITCH) named = false;
        mood = next;
        const pattern = patternOf(word);
        // In "product names", products are not what is wanted.
        if (pattern === undefined || (after !== '' && !isKnown(after))) continue;
        named = true;
        const isPlace = word.startsWith('/') && PLACES.has(before);
        if (mood === 'not' && !ONLY.has(after)) exclude.add(pattern);
        else if (mood === 'only' || ONLY.has(after) || isPlace || isPlain) include.add(pattern);
      }
    }
  }
  if (include.size > 0) params.includePaths = [...include].slice(0, MAX_PATTERNS);
  if (exclude.size > 0) params.excludePaths = [...exclude].slice(0, MAX_PATTERNS);
}

function moodAfter(word: string, before: string, mood: Mood): Mood {
  if (ONLY.has(word)) return 'only';
  if (NOT.has(word)) return 'not';
  // "Including subdomains and the blog" does not mean only the blog.
  if (word === SWITCH && mood === 'only') return undefined;
  // "Do not crawl the blog" is one clause, "skip tags and crawl the blog" are two.
  return VERBS.has(word) && !NOT.has(before) ? undefined : mood;
}

function isKnown(word: string): boolean {
  return (
    word === SWITCH ||
    [FILLERS, PAGES, VERBS, ONLY, NOT].some((words) => words.has(word)) ||
    patternOf(word) !== undefined
  );
}

function patternOf(word: string): string | undefined {
  if (!word.startsWith('/')) return sectionPattern(word);
  const path = word.length > MAX_PATH ? '' : word.replace(/[/*]+$/, '');
  if (path === '') return undefined;
  const source = path.replace(/[.\\+?^${}()|[\]]/g, '\\$&').replace(/\*+/g, '[^/]*');
  return `^${source}(?:/|$)`;
}

const NUMBER_WORDS: Readonly<Record<string, number>> = {
  one: 1,
  ein: 1,
  eine: 1,
  un: 1,
  une: 1,
  uno: 1,
  una: 1,
  two: 2,
  zwei: 2,
  deux: 2,
  dos: 2,
  three: 3,
  drei: 3,
  trois: 3,
  tres: 3,
  four: 4,
  five: 5,
  six: 6,
  ten: 10,
};

function numberOf(text: string): number | undefined {
  const word = NUMBER_WORDS[text];
  if (word !== undefined) return word;
  const value = Number(text.replace(/[.,k]/g, '')) * (text.endsWith('k') ? 1_000 : 1);
  return Number.isSafeInteger(value) ? value : undefined;
}
