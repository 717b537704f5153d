import { isRecord } from './json.ts';
import { readLiteral } from './literal.ts';

/** The code that follows the name of the layer when something is added to it. */
const PUSH = /\s*\.\s*push\s*\(/y;
const ASSIGNMENT = /\s*=\s*(?=\[)/y;

/**
 * The objects that scripts put into the data layer of tag managers, in order: `dataLayer.push({…})` and `dataLayer =
 * [{…}]`. They are parsed as literals, never run. Values that are expressions are missing.
 */
export function readDataLayer(scripts: readonly string[]): Record<string, unknown>[] {
  return scripts.flatMap(entriesOf).filter(isRecord);
}

const NAME = 'dataLayer';

function entriesOf(script: string): unknown[] {
  const entries: unknown[] = [];
  // Continuing where a literal ended or broke off keeps the time linear for a script with thousands of broken pushes.
  let from = 0;
  for (let at = script.indexOf(NAME); at !== -1; at = script.indexOf(NAME, from)) {
    from = at + NAME.length;
    const start = endOf(PUSH, script, from) ?? endOf(ASSIGNMENT, script, from);
    if (start === undefined) continue;
    const { value, end } = readLiteral(script, start, 'script');
    from = Math.max(from, end);
    entries.push(...(Array.isArray(value) ? value : [value]));
  }
  return entries;
}

function endOf(pattern: RegExp, script: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(script) ? pattern.lastIndex : undefined;
}
