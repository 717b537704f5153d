import { isFlattened, unflatten } from './flattened.ts';
import { parseJson } from './json.ts';
import { readLiteral } from './literal.ts';
import type { Scripts } from './scripts.ts';

/** Variables in which frameworks store the state that a page was rendered from. */
const STATE_VARIABLES = [
  '__NUXT__',
  '__INITIAL_STATE__',
  '__PRELOADED_STATE__',
  '__INITIAL_DATA__',
  '__APOLLO_STATE__',
  '__STATE__',
];

/**
 * The state that an application was rendered from: JSON data blocks (such as `__NEXT_DATA__` and `__NUXT_DATA__`) and literals assigned to
 * a known variable of a script, also through `JSON.parse('…')`. State that only running code could produce is left out.
 */
export function readEmbeddedState({ json, javaScript }: Scripts): unknown[] {
  const blocks = json.map(parseJson).map((block) => (isFlattened(block) ? unflatten(block) : block));
  return [...blocks, ...javaScript.flatMap(assignedStates)].filter((state) => state !== undefined);
}

function assignedStates(script: string): unknown[] {
  return STATE_VARIABLES.map((variable) => assignedState(script, variable));
}

function assignedState(script: string, variable: string): unknown {
  const at = script.indexOf(variable);
  if (at === -1) return undefined;
  const assignment = /["'\]]*\s*=\s*(JSON\.parse\(\s*)?/y;
  assignment.lastIndex = at + variable.length;
  const match = assignment.exec(script);
  if (!match) return undefined;
  const { value } = readLiteral(script, assignment.lastIndex, 'script');
  if (match[1] === undefined) return value;
  return typeof value === 'string' ? parseJson(value) : undefined;
}
