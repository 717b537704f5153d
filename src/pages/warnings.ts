import type { ScrapeOptions } from './request.ts';

/** What the caller should know about its options, whatever the page is. */
export function optionWarnings({ redactPII, warnings = [] }: ScrapeOptions): (string | undefined)[] {
  return [redactPII?.warning, ...warnings];
}

/** The `warning` of an answer, one sentence after the other; no field when there is nothing to say. */
export function warningField(warnings: readonly (string | undefined)[]): { warning?: string } {
  const said = warnings.filter((text) => text !== undefined);
  return said.length === 0 ? {} : { warning: said.join(' ') };
}
