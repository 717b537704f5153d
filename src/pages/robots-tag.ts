/** Directives that are written like the name of a crawler: with a colon and a value. */
const WITH_VALUE: ReadonlySet<string> = new Set([
  'unavailable_after',
  'max-snippet',
  'max-image-preview',
  'max-video-preview',
]);

/**
 * What an `X-Robots-Tag` header asks of every crawler and of this one, for example `noindex, Trawl: nofollow`. A name
 * counts for what follows it, up to the next one.
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
