import { TrawlError } from '../../errors.ts';
import type { RedactOptions, ReplaceStyle } from './redact.ts';
import type { Entity } from './span.ts';

/** `redactPII` of a request, already validated. */
export interface RedactionRequest {
  /** Chooses between models on other services. Here there are only rules, so it has no effect. */
  mode?: 'accurate' | 'aggressive' | 'fast' | undefined;
  entities?: readonly (Entity | 'PERSON' | 'LOCATION')[] | undefined;
  replaceStyle?: ReplaceStyle | undefined;
}

const BY_RULE: readonly Entity[] = ['EMAIL', 'PHONE', 'FINANCIAL', 'SECRET'];

const PARTLY_REDACTED =
  'redactPII covered EMAIL, PHONE, FINANCIAL and SECRET. Names of people (PERSON) and places (LOCATION) were left as ' +
  'they are: this version has no model that recognises them. List "entities" to say what you want covered.';

/**
 * Resolves `redactPII`; undefined if nothing is to be redacted. All kinds are the default, and then
 * `warning` names those that were left out.
 * @throws TrawlError NOT_AVAILABLE when PERSON or LOCATION is asked for by name
 */
export function toRedactOptions(request: boolean | RedactionRequest | undefined): RedactOptions | undefined {
  if (request === undefined || request === false) return undefined;
  const { entities = [], replaceStyle = 'tag' } = request === true ? {} : request;
  // An empty list would redact nothing, which nobody who requests redaction can mean.
  if (entities.length === 0) return { entities: BY_RULE, replaceStyle, warning: PARTLY_REDACTED };
  const missing = (['PERSON', 'LOCATION'] as const).filter((entity) => entities.includes(entity));
  if (missing.length > 0) {
    throw new TrawlError(
      'NOT_AVAILABLE',
      `"redactPII.entities" names ${missing.join(' and ')}, which needs a model that recognises names and places; ` +
        'this version does not have one yet. Ask for EMAIL, PHONE, FINANCIAL or SECRET.',
    );
  }
  return { entities: BY_RULE.filter((entity) => entities.includes(entity)), replaceStyle };
}
