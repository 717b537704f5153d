/** How the names of `<meta>` tags become keys of the metadata. */

/**
 * Keys that the answer sets itself, some of them to numbers. A page must not be able to set them, nor keys that change
 * the prototype of an object when a later step copies them.
 */
const RESERVED = new Set([
  'sourceURL',
  'url',
  'statusCode',
  'contentType',
  'scrapeId',
  'proxyUsed',
  'cacheState',
  'cachedAt',
  'creditsUsed',
  'error',
  'numPages',
  'totalPages',
  'timezone',
  'concurrencyLimited',
  'concurrencyQueueDurationMs',
  'prototype',
  ...Object.getOwnPropertyNames(Object.prototype),
]);

export function isReserved(name: string): boolean {
  return RESERVED.has(name);
}

/** Open Graph, Twitter cards, and Dublin Core in its two forms (elements, terms; DCMI wrote them with a dot, RDFa with a colon). */
const VOCABULARY = /^(og|twitter|article|dc|dcterms)[:._](.+)$/is;

/** Names of the client's metadata type that do not follow from the tag's name. */
const FURTHER_NAMES = new Map([
  ['articlePublishedTime', 'publishedTime'],
  ['articleModifiedTime', 'modifiedTime'],
]);

/**
 * The camelCase forms of a tag name: `og:site_name` is `ogSiteName`. Existing clients read `publishedTime` and
 * `modifiedTime` as well as the long form, and a Dublin Core term as `dcTermsCreated` (v2) or `dctermsCreated` (v1).
 * Other vocabularies have none.
 */
export function camelCaseNames(name: string): string[] {
  const match = VOCABULARY.exec(name);
  const prefix = match?.[1]?.toLowerCase();
  const rest = match?.[2];
  if (!prefix || !rest) return [];
  const tail = rest
    .split(/[:._-]+/)
    .map(capitalised)
    .join('');
  if (prefix === 'dcterms') return [`dcTerms${tail}`, `dcterms${tail}`];
  const camel = prefix + tail;
  const further = FURTHER_NAMES.get(camel);
  return further ? [camel, further] : [camel];
}

function capitalised(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
