/** RFC 1035 section 2.3.4, in characters as they are written. */
const MAX_NAME = 253;
const MAX_LABEL = 63;

/**
 * Why no host can have this name, in a sentence; undefined when one can. The URL standard lets names of any length pass,
 * which no name server knows and no index of a database holds.
 *
 * @param hostname as `URL.hostname` gives it
 */
export function badHostName(hostname: string): string | undefined {
  if (hostname.startsWith('[')) return undefined;
  // The dot at the end of a name stands for the root.
  const name = hostname.endsWith('.') ? hostname.slice(0, -1) : hostname;
  if (name.length > MAX_NAME) {
    return `The host name "${name.slice(0, 50)}…" has ${name.length} characters; a host name has at most ${MAX_NAME}.`;
  }
  const label = name.split('.').find(({ length }) => length > MAX_LABEL);
  if (label === undefined) return undefined;
  return `The part "${label.slice(0, 50)}…" of the host name has ${label.length} characters; a part has at most ${MAX_LABEL}.`;
}
