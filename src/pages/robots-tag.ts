/** Directives that look like the name of a crawler, because a colon and a value follow. */
const WITH_VALUE: ReadonlySet<string> = new Set([
  'unavailable_after',
  'max-snippet',
  'max-image-preview',
  'max-video-preview',
]);

/**
 * Reads what an `X-Robots-Tag` header, for example `noindex, Trawl: nofollow`, asks of all crawlers and of this one. The name of
 * a crawler applies to the directives after it, up to the next name.
 */
export function robotsTag(header: string | undefined, agent: string): { noindex: boolean; nofollow: boolean } {
  const directives = new Set<string>();
  let isMeant = true;
  for (const part of (header ?? '').toLowerCase().split(',')) {
    const colon = part.indexOf(':');
    const name = part.slice(0, Math.max(colon, 0)).trim();
    const isNamed = colon !== -1 && !WITH_VALUE.has(name);
    if (isNamed) isMeant = name === agent.toLowerCase();
    if (isMeant) directives.add((isNamed ? part.slice(colon + 1) : part).trim());
  }
  return {
    noindex: directives.has('noindex') || directives.has('none'),
    nofollow: directives.has('nofollow') || directives.has('none'),
  };
}
