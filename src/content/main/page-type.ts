import type { PageSigns } from './page-facts.ts';
import {
  BY_HOST_LABEL,
  BY_OG_TYPE,
  BY_PATH_WORD,
  BY_SCHEMA_TYPE,
  type Evidence,
  PAGE_TYPES,
} from './page-type-evidence.ts';

/** For each of PAGE_TYPES, the total points from the address and the declarations of a page. */
export function pageTypePoints(signs: PageSigns): number[] {
  const evidence = [...ofAddress(signs.url), ...ofDeclarations(signs)];
  return PAGE_TYPES.map((type) => evidence.reduce((points, each) => points + (each[type] ?? 0), 0));
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
  // A headline turned into a path segment.
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
