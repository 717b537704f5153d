import { isBinary, magicType } from './magic-number.ts';

/** Types that servers send when they do not know the type; they mean nothing. */
const UNKNOWN_TYPES: ReadonlySet<string> = new Set([
  '',
  '*/*',
  'unknown/unknown',
  'application/unknown',
  'application/octet-stream',
  'binary/octet-stream',
  'application/force-download',
  'application/download',
  'application/x-download',
]);

/**
 * Text formats without a signature, recognised by the extension of the path when the type is missing or just "text".
 */
const TEXT_ENDINGS: Readonly<Record<string, string>> = {
  csv: 'text/csv',
  tsv: 'text/tab-separated-values',
  md: 'text/markdown',
  markdown: 'text/markdown',
};

/** Only a whole HTML document starts like this. */
const HTML_DOCUMENT = /^<(?:!doctype html|html|head)[\s>]/i;
/**
 * Other signs of HTML in unlabelled text (MIME Sniffing Standard, section "Identifying a resource with an unknown MIME
 * type").
 */
const HTML_FRAGMENT =
  /^<(?:!--|(?:!doctype html|html|head|script|iframe|h1|h2|div|font|table|a|style|title|b|body|br|p|meta|section|article|main|ul)[\s>])/i;
/** By the name of the root element. */
const XML_TYPES: Readonly<Record<string, string>> = {
  rss: 'application/rss+xml',
  feed: 'application/atom+xml',
  'rdf:rdf': 'application/rdf+xml',
  svg: 'image/svg+xml',
  html: 'application/xhtml+xml',
};

export interface SniffInput {
  /** The `Content-Type` header. */
  header: string | undefined;
  /** The `X-Content-Type-Options` header is `nosniff`: text keeps its declared type. */
  noSniff: boolean;
  body: Buffer;
  /** The path of the address. */
  path: string;
}

/**
 * The type of the bytes: the declared type where it is plausible, else what they look like. Follows the WHATWG MIME
 * Sniffing Standard, and goes further where servers send wrong types that browsers need not care about: PDF or JSON
 * served as HTML, an HTML login page served as PDF, text without a type.
 * @returns lower case, without parameters
 */
export function sniffContentType({ header, noSniff, body, path }: SniffInput): string {
  const declared = mediaType(header);
  const magic = magicType(body);
  if (magic !== undefined) return refines(declared, magic) ? declared : magic;

  const head = body
    .toString('latin1', 0, 1445)
    .replace(/^\xef\xbb\xbf/, '')
    .trimStart();
  if (UNKNOWN_TYPES.has(declared)) return isBinary(body) ? 'application/octet-stream' : textType(head, body, path);
  if (declared === 'text/plain') {
    if (isBinary(body)) return 'application/octet-stream';
    return noSniff ? byEnding(path, declared) : textType(head, body, path);
  }
  if (declared === 'text/html') {
    if (isJson(head, body)) return 'application/json';
    if (head.startsWith('<?xml')) return xmlType(head, 'text/html');
    return isBinary(body) && !head.includes('<') ? 'application/octet-stream' : declared;
  }
  if (declared === 'application/xhtml+xml' || declared === 'image/svg+xml') return declared;
  // Only HTML starts like this, whatever its declared type.
  return isHtmlDocument(head) ? 'text/html' : declared;
}

/** Whether bytes of this type are text, so that a charset applies. */
export function isTextType(type: string): boolean {
  return (
    type.startsWith('text/') ||
    /[+/](?:json|xml)$/.test(type) ||
    /^application\/(?:(?:x-)?(?:javascript|ecmascript|yaml|toml|sh|ndjson)|json-seq|jsonlines|sql|graphql|xml-dtd|x-www-form-urlencoded)$/.test(
      type,
    )
  );
}

/** `type/subtype` of a header, or of the last valid one if several were sent; else the empty string. */
function mediaType(header = ''): string {
  const types = header.split(',').map((part) => /^\s*([\w.+*-]+\/[\w.+*-]+)\s*(?:;|$)/.exec(part)?.[1]);
  return types.findLast((type) => type !== undefined)?.toLowerCase() ?? '';
}

/** Whether a declared type is more precise than what the bytes show, as docx is for zip. */
function refines(declared: string, magic: string): boolean {
  if (magic === 'application/zip' || magic === 'application/x-gzip' || magic === 'application/x-ole-storage') {
    return !UNKNOWN_TYPES.has(declared) && !isTextType(declared);
  }
  const family = magic.slice(0, magic.indexOf('/') + 1);
  return family !== 'application/' && declared.startsWith(family);
}

function textType(head: string, body: Buffer, path: string): string {
  if (head.startsWith('<?xml')) return xmlType(head, 'application/xml');
  if (HTML_FRAGMENT.test(head)) return 'text/html';
  if (/^<(?:svg|rss|feed|rdf:RDF|urlset|sitemapindex)[\s>]/i.test(head)) return xmlType(head, 'application/xml');
  if (isJson(head, body)) return 'application/json';
  return byEnding(path, 'text/plain');
}

function isHtmlDocument(head: string): boolean {
  return HTML_DOCUMENT.test(head.replace(/^(?:<!--[\s\S]*?-->\s*)+/, ''));
}

function xmlType(head: string, otherwise: string): string {
  const withoutProlog = head.replace(/<\?[\s\S]*?\?>|<!--[\s\S]*?-->|<!doctype[^>]*>/gi, '');
  const root = /^\s*<([\w:-]+)/.exec(withoutProlog)?.[1]?.toLowerCase() ?? '';
  return XML_TYPES[root] ?? otherwise;
}

/** Larger texts are not parsed as JSON to find out: parsing takes 10 ms a megabyte. */
const PARSED_BYTES = 1024 * 1024;

/** Checks both ends first, because most text that is not JSON fails there; then parses, the only sure way. */
function isJson(head: string, body: Buffer): boolean {
  if (!/^(?:\{\s*["}]|\[\s*[\]{["\d-])/.test(head)) return false;
  if (!/[}\]]\s*$/.test(body.toString('latin1', Math.max(0, body.length - 64)))) return false;
  if (body.length > PARSED_BYTES) return true;
  try {
    JSON.parse(body.toString().replace(/^\uFEFF/, ''));
    return true;
  } catch {
    return false;
  }
}

function byEnding(path: string, otherwise: string): string {
  const ending = /\.([a-z]{1,8})$/i.exec(path)?.[1]?.toLowerCase() ?? '';
  return TEXT_ENDINGS[ending] ?? otherwise;
}
