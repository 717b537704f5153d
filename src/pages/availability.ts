import { TrawlError } from '../errors.ts';

/**
 * What this version lacks to fulfil the whole contract. Options and formats that need one of these are refused by name: an
 * option that is silently ignored gives results that look right but are wrong.
 */
const NEEDS = {
  browser: 'a browser',
  'document parser': 'a document parser',
  'language model': 'a language model',
  history: 'a history of the page',
} as const;

export type Need = keyof typeof NEEDS;

/** The error for an option, format or file that needs something this version does not have. */
export function notAvailable(what: string, need: Need): TrawlError {
  return new TrawlError(
    'NOT_AVAILABLE',
    `${what} needs ${NEEDS[need]}, which this version does not have yet. Leave it out.`,
  );
}

/** Formats of the contract that are not implemented yet. */
export const UNAVAILABLE_FORMATS = [
  'summary',
  'json',
  'extract',
  'question',
  'query',
  'highlights',
  'changeTracking',
] as const;

export type UnavailableFormat = (typeof UNAVAILABLE_FORMATS)[number];

const NEED_OF_FORMAT: Readonly<Record<UnavailableFormat, Need>> = {
  summary: 'language model',
  json: 'language model',
  extract: 'language model',
  question: 'language model',
  query: 'language model',
  highlights: 'language model',
  changeTracking: 'history',
};

/** Throws NOT_AVAILABLE if the format is not implemented yet. */
export function requireAvailable<Made extends string>(name: Made | UnavailableFormat): asserts name is Made {
  const need = UNAVAILABLE_FORMATS.find((format) => format === name);
  if (need !== undefined) throw notAvailable(`The format "${name}"`, NEED_OF_FORMAT[need]);
}
