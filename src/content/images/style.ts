/** Properties whose `url()` is a picture; `mask`, `filter`, `cursor` and the like are not. */
const IMAGE_PROPERTIES = new Set(['background', 'background-image', 'content', 'list-style', 'list-style-image']);

/** The addresses in `url()` of the image properties of an inline style (CSS values level 4, section 4.5). Linear. */
export function styleImages(style: string): string[] {
  const images: string[] = [];
  let property = '';
  let from = 0;
  for (let open = style.indexOf('url('); open !== -1; open = style.indexOf('url(', from)) {
    const between = style.slice(from, open);
    // One declaration may hold several url(); a new one begins after a semicolon.
    const declaration = between.lastIndexOf(';') + 1;
    if (from === 0 || declaration > 0) property = propertyOf(between.slice(declaration));
    const url = readUrl(style, open + 'url('.length);
    if (IMAGE_PROPERTIES.has(property) && url.address) images.push(url.address);
    from = url.end;
  }
  return images;
}

function propertyOf(declaration: string): string {
  return declaration
    .slice(0, Math.max(0, declaration.indexOf(':')))
    .trim()
    .toLowerCase();
}

/** The text from `start` to the closing bracket or quote; an unclosed one has no address. */
function readUrl(style: string, start: number): { address: string; end: number } {
  const quote = style
    .slice(start, start + 2)
    .trim()
    .charAt(0);
  const isQuoted = quote === '"' || quote === "'";
  const opening = isQuoted ? style.indexOf(quote, start) + 1 : start;
  const closing = style.indexOf(isQuoted ? quote : ')', opening);
  if (closing === -1) return { address: '', end: style.length };
  return { address: style.slice(opening, closing).trim(), end: closing + 1 };
}
