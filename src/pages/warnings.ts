import type { ScrapeOptions } from './request.ts';

/** Warnings about the caller's options, whatever the page. */
export function optionWarnings({ redactPII, warnings = [] }: ScrapeOptions): (string | undefined)[] {
  return [redactPII?.warning, ...warnings];
}

/** The `warning` field of an answer, with all warnings in one text. No field if there are none. */
export function warningField(warnings: readonly (string | undefined)[]): { warning?: string } {
  const said = warnings.filter((text) => text !== undefined);
  return said.length === 0 ? {} : { warning: said.join(' ') };
}
