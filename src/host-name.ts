/** RFC 1035 section 2.3.4, in characters. */
const MAX_NAME = 253;
const MAX_LABEL = 63;

/**
 * Why no host can have this name, as a sentence; undefined when it is valid. The URL standard accepts names of any
 * length, but no name server knows them and no database index holds them.
 * @param hostname as `URL.hostname` returns it
 */
export function badHostName(hostname: string): string | undefined {
  if (hostname.startsWith('[')) return undefined;
  // The dot at the end of a name means the root.
  const name = hostname.endsWith('.') ? hostname.slice(0, -1) : hostname;
  if (name.length > MAX_NAME) {
    return `The host name "${name.slice(0, 50)}…" has ${name.length} characters; the limit is ${MAX_NAME}.`;
  }
  const label = name.split('.').find(({ length }) => length > MAX_LABEL);
  if (label === undefined) return undefined;
  return `The part "${label.slice(0, 50)}…" of the host name has ${label.length} characters; the limit is ${MAX_LABEL}.`;
}
