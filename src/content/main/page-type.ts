import type { PageMetadata } from '../page-content.ts';
import type { PageShape } from './page-shape.ts';
import {
  BY_HOST_LABEL,
  BY_OG_TYPE,
  BY_PATH_WORD,
  BY_SCHEMA_TYPE,
  type Evidence,
  PAGE_TYPES,
  type PageType,
} from './page-type-evidence.ts';

export type { PageType } from './page-type-evidence.ts';

export interface PageSigns {
  url: string;
  metadata: PageMetadata;
  /** How often the page names each schema.org type. */
  schemaTypes: ReadonlyMap<string, number>;
  shape: PageShape;
  /** The share of the text that would be left if the page were an article. */
  articleShare: number;
}

const ARTICLE_TYPES = ['article', 'newsarticle', 'blogposting'];

/** The kind of a page: what its address, its declarations and its shape tell, added up as points. */
export function guessPageType(signs: PageSigns): PageType {
  const points: Record<PageType, number> = {
    article: 0,
    documentation: 0,
    forum: 0,
    product: 0,
    collection: -1,
    listing: 0,
    service: 0,
  };
  for (const evidence of [...ofAddress(signs.url), ...ofDeclarations(signs), ...ofShape(signs)]) {
    for (const type of PAGE_TYPES) points[type] += evidence[type] ?? 0;
  }
  return PAGE_TYPES.reduce((best, type) => (points[type] > points[best] ? type : best));
}

function* ofAddress(address: string): Generator<Evidence> {
  const url = URL.parse(address);
  if (!url) return;
  yield* found(BY_HOST_LABEL, url.hostname.split('.').slice(0, -1));
  const segments = url.pathname.toLowerCase().split('/').filter(Boolean);
  if (segments.length === 0) yield { service: 1, listing: 0.5, article: -1.5 };
  yield* found(
    BY_PATH_WORD,
    segments.map((segment) => segment.replace(/\.\w+$/, '')),
  );
  if (/\/(?:19|20)\d\d\/(?:0?\d|1[0-2])\//.test(url.pathname)) yield { article: 2 };
  // A headline made into an address.
  if ((segments.at(-1) ?? '').split('-').length >= 5) yield { article: 1 };
}

/** The evidence of each group of words counts once. */
function found(index: ReadonlyMap<string, readonly Evidence[]>, words: readonly string[]): Set<Evidence> {
  return new Set(words.flatMap((word) => index.get(word) ?? []));
}

function* ofDeclarations({ metadata, schemaTypes }: PageSigns): Generator<Evidence> {
  const ogType = metadata['og:type'];
  if (typeof ogType === 'string') yield* BY_OG_TYPE.get(ogType.toLowerCase()) ?? [];
  if (metadata['article:published_time'] !== undefined) yield { article: 1.5 };
  if (metadata['product:price:amount'] !== undefined || metadata['og:price:amount'] !== undefined) yield { product: 2 };
  const products = schemaTypes.get('product') ?? 0;
  if (products > 0) yield products > 3 ? { collection: 2 } : { product: 2 };
  yield* found(BY_SCHEMA_TYPE, [...schemaTypes.keys()]);
}

function* ofShape(signs: PageSigns): Generator<Evidence> {
  const { proseShare, paragraphs, linkShare, codeBlocks, posts, commentShare, cardShare, prices } = signs.shape;
  // A menu of hundreds of links that no name tells.
  if (linkShare > 0.8 && paragraphs >= 15) {
    yield { article: 1 };
    return;
  }
  if (proseShare > 0.75) yield { article: 1 };
  if (proseShare < 0.5) yield { listing: 0.5, collection: 0.5 };
  if (proseShare > 0.2 && proseShare < 0.78) yield { service: 1 };
  if (paragraphs >= 20) yield { article: 0.5 };
  if (linkShare > 0.3) yield { collection: 1, listing: 1 };
  if (linkShare > 0.6) yield { listing: 0.5 };
  if (codeBlocks >= 3) yield { documentation: 1.5 };
  if (posts >= 8) yield { forum: posts >= 20 ? 1.5 : 1 };
  if (commentShare > 0.5) yield { forum: 1.5 };
  if (cardShare > 0.3) yield { collection: 1.5, listing: 1.5 };
  if (cardShare > 0.6) yield { collection: 1, listing: 1 };
  if (prices >= 6) yield { collection: 1.5 };
  else if (prices > 0) yield { product: 0.5 };
  else yield { listing: 0.5 };
  const articleShare = shareOfArticle(signs);
  if (articleShare < 0.2) yield { article: -3 };
  else if (articleShare < 0.5) yield { article: -1.5 };
  else if (articleShare < 0.7) yield { article: -0.5 };
  else if (articleShare > 0.85) yield { article: 0.5 };
}

/** Of a page that says it is an article the discussion below does not count, however long it is. */
function shareOfArticle({ articleShare, shape, metadata, schemaTypes }: PageSigns): number {
  const isDeclared =
    metadata['og:type'] === 'article' ||
    metadata['article:published_time'] !== undefined ||
    ARTICLE_TYPES.some((type) => schemaTypes.has(type));
  return isDeclared ? Math.min(1, articleShare / Math.max(0.01, 1 - shape.commentShare)) : articleShare;
}
