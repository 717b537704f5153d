/** Elements whose content nobody sees. A `noscript` is read: it often says what the page wants. */
const UNSEEN = new Set(['script', 'style', 'svg', 'template', 'head']);
/** Titles are in the head, and say most. */
const TITLE = /<title\b[^>]{0,200}>([^<]{0,300})/i;

/** Roughly the title and the text of a page, its spaces collapsed. Linear in the length of the HTML, whatever that is. */
export function visibleText(html: string): string {
  const parts = [TITLE.exec(html)?.[1] ?? ''];
  const lower = html.toLowerCase();
  let at = 0;
  while (at < html.length) {
    const open = html.indexOf('<', at);
    parts.push(html.slice(at, open === -1 ? undefined : open));
    if (open === -1) break;
    at = endOfTag(lower, open);
  }
  return parts
    .join(' ')
    .replace(/&nbsp;|&#32;|&#35;/g, (code) => (code === '&#35;' ? '#' : ' '))
    .replace(/&#0?39;|&rsquo;|\xe2\x80\x99/g, "'")
    .replace(/\s+/g, ' ')
    .trim();
}

/** Where the text after a tag goes on: after the element, if nobody sees its content. */
function endOfTag(lower: string, open: number): number {
  if (lower.startsWith('<!--', open)) return after(lower, '-->', open);
  const name = /^<([a-z]+)/.exec(lower.slice(open, open + 12))?.[1];
  if (name !== undefined && UNSEEN.has(name)) return after(lower, `</${name}>`, open);
  return after(lower, '>', open);
}

/** An element that never ends hides the rest. */
function after(text: string, end: string, from: number): number {
  const found = text.indexOf(end, from);
  return found === -1 ? text.length : found + end.length;
}
