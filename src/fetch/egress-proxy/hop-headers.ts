/** Headers between two neighbours (RFC 9110 section 7.6.1), and what a client tells a proxy. */
const HOP_HEADERS: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/**
 * The headers that a proxy passes on, in their order and spelling: all except those of the connection and those that
 * `Connection` names.
 * @param raw a flat list of names and values
 */
export function endToEnd(raw: readonly string[], connection: string | undefined): string[] {
  const named = new Set((connection ?? '').split(',').map((name) => name.trim().toLowerCase()));
  const kept: string[] = [];
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const [name = '', value = ''] = raw.slice(i, i + 2);
    const lowerName = name.toLowerCase();
    if (!HOP_HEADERS.has(lowerName) && !named.has(lowerName)) kept.push(name, value);
  }
  return kept;
}
