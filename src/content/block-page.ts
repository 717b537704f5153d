import { BLOCK_HEADERS, STRUCTURES, type VendorMark, WORDS } from './block-page/marks.ts';
import { visibleText } from './block-page/visible-text.ts';

/** A response of a site. */
export interface SiteResponse {
  status: number;
  /** Lower-case names. */
  headers: Readonly<Record<string, string>>;
  /** Without parameters. */
  contentType: string;
  body: Uint8Array;
}

/** A page that a site shows to robots instead of its content. */
export interface Block {
  /** Whose product shows it. Undefined when it is not known. */
  vendor: string | undefined;
}

/** Only this much of a page is looked at, in bytes. */
const LOOKED_AT = 64 * 1024;
/** A page that is no refusal and is longer than this is content: block pages with status 200 have up to 12 KB. */
const LONGEST_SUCCESS = 24 * 1024;
/**
 * So does one with this many links: block pages have up to six. Found among the first KB of most small pages, which spares them the
 * 18 µs a KB of looking for the marks.
 */
const MOST_LINKS = 12;
/** A page with more visible text than this, in characters, is content, even when it shows the code of a block page. */
const MOST_TEXT = 1_500;
/** The statuses of refusals. Under any other, only what no other page has decides. Not 401 and 404: they say what they mean. */
const REFUSALS: ReadonlySet<number> = new Set([403, 405, 406, 418, 429, 456, 468, 498, 503, 999]);

/**
 * Recognises a block page by status, headers and the beginning of its HTML. A page that merely embeds a captcha or writes about
 * them is none. A page with status 200 and more than 24 KB costs a few comparisons.
 */
export function blockOf(page: SiteResponse): Block | undefined {
  const { status, headers, contentType, body } = page;
  for (const { vendor, header, value } of BLOCK_HEADERS) {
    const sent = headers[header];
    if (sent !== undefined && value.test(sent)) return { vendor };
  }
  const isRefusal = REFUSALS.has(status);
  if (!isRefusal && (body.length > LONGEST_SUCCESS || hasManyLinks(body))) return undefined;
  if (contentType === 'text/plain') return isRefusal ? plainBlock(body) : undefined;
  if (contentType !== 'text/html') return undefined;

  const html = latin(body);
  const structure = STRUCTURES.find(({ mark }) => mark.test(html));
  if (structure === undefined && !isRefusal) return undefined;
  const text = visibleText(html);
  if (text.length > MOST_TEXT) return undefined;
  if (structure !== undefined) return { vendor: structure.vendor };
  return wordsOf(html, text);
}

function hasManyLinks(body: Uint8Array): boolean {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.length);
  let at = -1;
  for (let links = 0; links < MOST_LINKS; links++) {
    at = bytes.indexOf('<a ', at + 1, 'latin1');
    if (at === -1) return false;
  }
  return true;
}

/** Cloudflare's answer to clients that want no HTML. */
function plainBlock(body: Uint8Array): Block | undefined {
  return body.length < 200 && /^error code: 10\d\d\s*$/.test(latin(body)) ? { vendor: 'Cloudflare' } : undefined;
}

/** What a refusal says. A page that asks for a password is a login, whatever else it says. */
function wordsOf(html: string, text: string): Block | undefined {
  if (/<input\b[^>]{0,300}\btype\s*=\s*["']?password/i.test(html)) return undefined;
  const match = WORDS.find(({ mark }: VendorMark) => mark.test(text));
  return match && { vendor: match.vendor };
}

function latin(body: Uint8Array): string {
  return Buffer.from(body.buffer, body.byteOffset, Math.min(body.length, LOOKED_AT)).toString('latin1');
}
