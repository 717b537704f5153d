/**
 * The vocabulary for options of a crawl: English, and the usual words in German, French and Spanish. Without accents.
 */

/** Common sections of sites: what people call them, and their names in paths. */
const SECTIONS: readonly (readonly [words: string, names: string])[] = [
  ['blog blogs', 'blog|blogs'],
  ['docs doc documentation dokumentation documentacion', 'docs?|documentation'],
  ['news nachrichten neuigkeiten actualites actualite noticias', 'news|nachrichten|aktuelles|actualites?|noticias'],
  [
    'product products produkt produkte produit produits producto productos',
    'products?|produkte?|produits?|productos?|p',
  ],
  ['shop store tienda boutique', 'shop|store|tienda|boutique'],
  ['tag tags schlagworte etiquetas etiquettes', 'tags?|schlagwort|etiquetas?|etiquettes?'],
  [
    'category categories kategorie kategorien categorie categoria categorias',
    'category|categories|cat|kategorien?|categories?|categorias?',
  ],
  ['author authors autor autoren auteur auteurs autores', 'authors?|autor|autoren|auteurs?|autores'],
  ['archive archives archiv archiven archivo archivos', 'archives?|archiv|archivos?'],
  ['pricing preise tarifs precios', 'pricing|plans|preise|tarifs|precios'],
  [
    'careers career jobs stellenangebote karriere empleo emplois',
    'careers?|jobs|karriere|stellenangebote|empleo|emplois',
  ],
  ['help support hilfe aide ayuda faq faqs', 'help|support|faqs?|hilfe|aide|ayuda'],
  ['forum forums community foro', 'forums?|community|foro'],
  ['event events veranstaltungen evenements eventos', 'events?|veranstaltungen|evenements?|eventos?'],
  [
    'login logins signin account accounts konto cuenta compte',
    'login|signin|sign-in|account|my-account|konto|cuenta|compte',
  ],
  ['cart checkout basket warenkorb panier carrito', 'cart|checkout|basket|warenkorb|panier|carrito'],
  ['review reviews bewertungen avis resenas', 'reviews?|bewertungen|avis|resenas'],
  ['api', 'api|api-reference'],
  ['tutorial tutorials guide guides anleitungen tutoriels guias', 'tutorials?|guides?|anleitungen|tutoriels|guias'],
  ['press presse prensa', 'press|presse|prensa'],
  ['wiki', 'wiki'],
  ['privacy datenschutz legal impressum terms', 'privacy|privacy-policy|legal|terms|datenschutz|impressum'],
];

const PATTERNS: ReadonlyMap<string, string> = new Map(
  SECTIONS.flatMap(([words, names]) => words.split(' ').map((word) => [word, `/(?:${names})(?:/|$)`] as const)),
);

/** The path pattern of a section of a site, by a name that people use: `blog`, `Produktseiten`. */
export function sectionPattern(word: string): string | undefined {
  return PATTERNS.get(word) ?? PATTERNS.get(word.replace(/(?:seiten|seite|artikel|beitrage|bereich)$/, ''));
}

const set = (words: string): ReadonlySet<string> => new Set(words.split(' '));

/** After these words, only the named sections are wanted. */
export const ONLY = set(
  'only just solely exclusively include including nur ausschliesslich lediglich seulement uniquement solo solamente unicamente',
);
/** After these words, the named sections are not wanted. */
export const NOT = set(
  'not no dont without except exclude excluding excludes skip skipping ignore ignoring avoid omit leave ' +
    'nicht keine kein ohne ausser ausgenommen pas sans sauf ignorer exclure sin excepto salvo excluir ignorar evitar',
);
/** Verbs that begin a new clause. */
export const VERBS = set(
  'crawl scrape get fetch read collect download index take visit follow want need give crawle hole lies sammle ' +
    'explorer recuperer rastrea rastrear obtener',
);
/**
 * Words that follow the name of a section without naming another thing: the pages of the blog, but not the names of
 * products.
 */
export const PAGES = set(
  'page pages post posts article articles section sections area part parts entries entry urls url content path paths ' +
    'seiten seite artikel beitrage bereich paginas pagina seccion articulos section partie',
);
/** Words without meaning here. */
export const FILLERS = set(
  'the a an all any every of in on from under below inside within at to for me please i you we it its this that these those ' +
    'site website web also too and or with do der die das den dem des alle von vom im auf unter aus und oder bitte ich auch mit ' +
    'le la les l du de un une tous toutes dans sur et ou el los las del todos todas en y o por favor ne',
);
/** After these words, a path is a place. */
export const PLACES = set('in under below inside within from of at starting unter in aus von sous dans bajo en de');
