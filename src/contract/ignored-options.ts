/**
 * Options that clients send and that have no effect here, with the reason. They are accepted, because some clients set
 * them on every request, and named in a warning, because the result may lack what they ask for.
 */
const IGNORED = [
  ['fastMode', 'every scrape is already as fast as possible'],
  ['useMock', 'pages always come from the web or the cache'],
  ['domainTools', 'this service has no catalogue of tools'],
  ['toolDetail', 'this service has no catalogue of tools'],
  ['redactPII.mode', 'redaction always uses rules'],
] as const;

type Given = Readonly<Partial<Record<(typeof IGNORED)[number][0], unknown>>>;

/** A warning for each of these options that the request uses. */
export function ignoredOptions(given: Given): { warnings?: string[] } {
  const warnings = IGNORED.filter(([name]) => isUsed(given[name])).map(
    ([name, reason]) => `"${name}" has no effect: ${reason}.`,
  );
  return warnings.length === 0 ? {} : { warnings };
}

function isUsed(value: unknown): boolean {
  return value !== undefined && value !== false && value !== 0;
}
