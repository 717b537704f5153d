import { isRecord } from './json.ts';
import { readLiteral } from './literal.ts';

/** What follows the name of the layer where something is put into it. */
const PUSH = /\s*\.\s*push\s*\(/y;
const ASSIGNMENT = /\s*=\s*(?=\[)/y;

/**
 * The objects that scripts put into the data layer of tag managers, in order: `dataLayer.push({…})` and
 * `dataLayer = [{…}]`. They are read as literals, never run; values that are expressions are missing.
 */
export function readDataLayer(scripts: readonly string[]): Record<string, unknown>[] {
  return scripts.flatMap(entriesOf).filter(isRecord);
}

const NAME = 'dataLayer';

function entriesOf(script: string): unknown[] {
  const entries: unknown[] = [];
  // Going on from where a literal ended or broke keeps a script of thousands of broken pushes linear.
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
