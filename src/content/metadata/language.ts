/** Primary language with optional script, region and variants (RFC 5646), which real pages also write with `_`. */
const LANGUAGE_TAG = /^[a-z]{2,3}(?:[-_][a-z0-9]{2,8}){0,4}$/i;

/**
 * The first of `declared` that is one language, as written on the page but with hyphens. A list names the audience, not
 * the language of the text (RFC 9110 section 8.5), so it is ignored.
 */
export function declaredLanguage(declared: readonly (string | undefined)[]): string | undefined {
  for (const candidate of declared) {
    const tag = candidate?.trim();
    if (tag && LANGUAGE_TAG.test(tag)) return tag.replaceAll('_', '-');
  }
  return undefined;
}
