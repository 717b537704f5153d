/** Kinds of pages whose main content looks different. */
export type PageType = 'article' | 'documentation' | 'forum' | 'product' | 'collection' | 'listing' | 'service';

/** The first one wins a tie. */
export const PAGE_TYPES: readonly PageType[] = [
  'article',
  'documentation',
  'forum',
  'product',
  'collection',
  'listing',
  'service',
];

/** Points for and against. One is a hint, three are a statement. */
export type Evidence = Readonly<Partial<Record<PageType, number>>>;

type Group = readonly [evidence: Evidence, words: string];

/** Labels of the host name, except for the top-level domain. */
export const BY_HOST_LABEL = indexed([
  [
    { forum: 3 },
    'forum forums foro foros board boards community communities discuss discussion discussions discourse answers',
  ],
  [{ documentation: 3 }, 'docs doc developer developers documentation devdocs'],
  [{ article: 2 }, 'blog blogs news'],
  [{ product: 0.5, collection: 0.5 }, 'shop store'],
]);

/** Segments of the path, in lower case and without a file extension. */
export const BY_PATH_WORD = indexed([
  [
    { forum: 3 },
    'forum forums foro foros thread threads topic showthread viewtopic question questions discussion discussions fil sujet hilo tema thema',
  ],
  [{ forum: 1.5 }, 't topics comments community'],
  [{ documentation: 3 }, 'docs doc documentation dokumentation reference manual handbook handbuch api apidocs'],
  [{ documentation: 1 }, 'guide guides tutorial tutorials learn wiki man kb help hilfe aide ayuda book stable latest'],
  [
    { product: 2 },
    'product products produkt produkte produit produits producto productos prodotto prodotti produto produtos p dp pd pdp item itm sku app',
  ],
  [
    { collection: 2 },
    'collection collections kollektion category categories kategorie kategorien categorie categoria categorias c cat shop browse store',
  ],
  [
    { article: 2 },
    'blog blogs article articles artikel articulo articolo artigo news post posts story stories magazine magazin insights press presse actualites noticias nachrichten notizie aktuelles',
  ],
  [{ service: 1.5 }, 'service services solution solutions pricing leistungen loesungen servicios servizi servicos'],
  [{ listing: 1 }, 'tag tags author authors search list lists top archive archives jobs events trending'],
]);

/** schema.org types in lower case. */
export const BY_SCHEMA_TYPE = indexed([
  [
    { article: 3 },
    'article newsarticle blogposting reportagenewsarticle opinionnewsarticle analysisnewsarticle scholarlyarticle medicalwebpage recipe howto review',
  ],
  [{ documentation: 2, article: 1 }, 'techarticle apireference'],
  [{ forum: 4 }, 'discussionforumposting qapage'],
  [{ forum: 1 }, 'answer comment'],
  [{ product: 2 }, 'productgroup individualproduct mobileapplication videogame book'],
  [{ product: 1, service: 1 }, 'softwareapplication'],
  [{ collection: 1.5, listing: 1 }, 'itemlist collectionpage offercatalog searchresultspage'],
  [{ service: 1.5 }, 'service localbusiness professionalservice course'],
]);

/** Open Graph types in lower case. */
export const BY_OG_TYPE = indexed([
  [{ article: 1.5 }, 'article'],
  [{ product: 3 }, 'product og:product product.item'],
  [{ collection: 3 }, 'product.group'],
  [{ article: -1 }, 'website'],
]);

function indexed(groups: readonly Group[]): ReadonlyMap<string, readonly Evidence[]> {
  const index = new Map<string, Evidence[]>();
  for (const [evidence, words] of groups) {
    for (const word of words.split(' ')) index.set(word, [...(index.get(word) ?? []), evidence]);
  }
  return index;
}
