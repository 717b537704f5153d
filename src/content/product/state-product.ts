import { lettersOf } from '../letters.ts';
import { isRecord } from '../structured/json.ts';
import { cleanText, scalarText } from './clean-text.ts';
import { type Draft, type Finding, MAX_DESCRIPTION, MAX_TITLE } from './draft.ts';
import type { Evidence } from './evidence.ts';
import { type Fields, field, readStateVariants } from './state-variants.ts';

/** The largest states of real shops have about 100,000 values, and the product is near the top. */
const MAX_VISITS = 200_000;
const MAX_DEPTH = 24;

/** Names of fields across shop systems, the most specific first. */
const TITLES = ['title', 'name', 'productName', 'displayName'];
const SLUGS = ['handle', 'slug', 'urlKey', 'canonicalUrl', 'productUrl', 'url'];
const BRANDS = ['vendor', 'brand', 'brandName', 'manufacturer'];
const CATEGORIES = ['productType', 'category'];

/**
 * The product in the state that an application was rendered from: an object with the title or address of the page and
 * an unambiguous price. State has no standard form, so everything else is ignored, and if two objects with different
 * titles match there is none.
 */
export function readStateProduct(states: readonly unknown[], evidence: Evidence): Finding {
  const drafts = candidatesIn(states)
    .filter((candidate) => isOfPage(candidate, evidence))
    .map((candidate) => draftOf(candidate, evidence.baseUrl))
    .filter(({ variants }) => variants.some(({ price }) => price !== undefined));
  const [first] = drafts;
  if (!first || drafts.some(({ title }) => lettersOf(title) !== lettersOf(first.title))) return undefined;
  return {
    draft: drafts.reduce((fullest, draft) => (draft.variants.length > fullest.variants.length ? draft : fullest)),
  };
}

/** Objects with a title and a price field, breadth first, so that objects near the top come before their parts. */
function candidatesIn(states: readonly unknown[]): Fields[] {
  const candidates: Fields[] = [];
  let level: unknown[] = [...states];
  let visits = 0;
  for (let depth = 0; depth < MAX_DEPTH && level.length > 0; depth++) {
    const next: unknown[] = [];
    for (const value of level) {
      if (++visits > MAX_VISITS) return candidates;
      if (isRecord(value) && isCandidate(value)) candidates.push(value);
      if (typeof value === 'object' && value !== null)
        for (const child of Object.values(value)) if (typeof child === 'object') next.push(child);
    }
    level = next;
  }
  return candidates;
}

function isCandidate(value: Fields): boolean {
  return (
    TITLES.some((name) => typeof value[name] === 'string') &&
    ('variants' in value || Object.keys(value).some((name) => /price/i.test(name)))
  );
}

function isOfPage(candidate: Fields, { titles, addresses }: Evidence): boolean {
  const slug = lastSegment(scalarText(field(candidate, SLUGS)));
  if (slug !== '' && [...addresses].some((address) => address.includes('/') && lastSegment(address) === slug))
    return true;
  return titles.has(lettersOf(scalarText(field(candidate, TITLES))));
}

function lastSegment(address = ''): string {
  const path = address.split(/[?#]/, 1)[0]?.replace(/\/$/, '') ?? '';
  return path.slice(path.lastIndexOf('/') + 1);
}

function draftOf(candidate: Fields, baseUrl: string): Draft {
  const brand = field(candidate, BRANDS);
  const category = field(candidate, CATEGORIES);
  return {
    title: cleanText(scalarText(field(candidate, TITLES)), MAX_TITLE),
    brand: cleanText(scalarText(isRecord(brand) ? field(brand, TITLES) : brand), MAX_TITLE),
    category: cleanText(scalarText(isRecord(category) ? field(category, TITLES) : category), MAX_TITLE),
    description: cleanText(scalarText(field(candidate, ['description', 'shortDescription'])), MAX_DESCRIPTION),
    variants: readStateVariants(candidate, baseUrl),
  };
}
