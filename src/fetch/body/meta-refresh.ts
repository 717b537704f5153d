import { Parser } from 'htmlparser2';

/** "You are being redirected. If nothing happens, click here." in some languages, and a footer. */
const MAX_VISIBLE_TEXT = 300;
const MAX_DELAY_S = 1;

const INVISIBLE: ReadonlySet<string> = new Set(['script', 'style', 'noscript', 'template', 'title']);

/**
 * The reference of an immediate redirect by `<meta http-equiv="refresh">` or the `Refresh` header, as browsers follow
 * it (HTML Standard, section "Refresh state"). Only for pages with next to no text: others have content of their own. A
 * `<meta>` within `<noscript>` is not followed: it mostly leads to a page that asks visitors to enable scripts.
 */
export function refreshReference(html: string, header: string | undefined): string | undefined {
  if (header === undefined && !/http-equiv\s*=\s*["']?\s*refresh/i.test(html)) return undefined;

  let target = header === undefined ? undefined : refreshTarget(header);
  let visible = 0;
  const open: string[] = [];
  const parser = new Parser({
    onopentag(name, { 'http-equiv': pragma = '', content = '' }) {
      if (INVISIBLE.has(name)) open.push(name);
      if (name === 'meta' && open.length === 0 && pragma.trim().toLowerCase() === 'refresh') {
        target ??= refreshTarget(content);
      }
    },
    ontext(text) {
      if (open.length === 0) visible += text.replace(/\s+/g, '').length;
    },
    onclosetag(name) {
      if (open.at(-1) === name) open.pop();
    },
  });
  parser.end(html);
  return visible > MAX_VISIBLE_TEXT ? undefined : target;
}

/** The reference in `0; url=…`, as in the `Refresh` header and its `<meta>`, when the delay is at most 1 s. */
function refreshTarget(content: string): string | undefined {
  const [, delay = '', rest = ''] = /^\s*(\d*(?:\.\d*)?)\s*[;,\s]\s*(?:url\s*=\s*)?([\s\S]*)$/i.exec(content) ?? [];
  const quote = /^["']/.exec(rest)?.[0];
  const reference = quote === undefined ? rest : rest.slice(1).split(quote)[0];
  return Number(delay) <= MAX_DELAY_S && reference ? reference.trim() : undefined;
}
