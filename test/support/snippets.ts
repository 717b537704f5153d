import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A block of code in README.md or docs/. */
export interface Snippet {
  /** Its first line. */
  line: number;
  /** The language of the fence. For an indented block, `requests` when its lines are requests, else `sh`. */
  language: string;
  code: string;
  /** The reason why it is not run: `<!-- not run: REASON -->` on the line before it. */
  notRun: string | undefined;
  /** A command to run before it: `<!-- run first: COMMAND -->`. */
  runFirst: string | undefined;
}

const FENCE = /^```(\S*)$/;
const INDENT = '    ';
const MARK = /^<!-- (not run|run first): (\S.*\S) -->$/;

/** @param page a path in the repository */
export function readSnippets(page: string): Snippet[] {
  const lines = readFileSync(join(import.meta.dirname, '..', '..', page), 'utf8').split('\n');
  const snippets: Snippet[] = [];
  let marks: Record<string, string> = {};
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] ?? '';
    const [, name, value] = MARK.exec(line) ?? [];
    if (name !== undefined && value !== undefined) marks[name] = value;
    const fence = FENCE.exec(line)?.[1];
    const isIndented = line.startsWith(INDENT) && (lines[index - 1] ?? '').trim() === '';
    if (fence === undefined && !isIndented) {
      if (name === undefined && line.trim() !== '') marks = {};
      continue;
    }
    const begin = index + (fence === undefined ? 0 : 1);
    const ends = (one: string) => (fence === undefined ? !one.startsWith(INDENT) : one === '```');
    const end = lines.findIndex((one, at) => at >= begin && ends(one));
    const block = lines.slice(begin, end).map((one) => (fence === undefined ? one.slice(INDENT.length) : one));
    const language = fence ?? (/^[A-Z]+ +\//.test(block[0] ?? '') ? 'requests' : 'sh');
    const { 'not run': notRun, 'run first': runFirst } = marks;
    snippets.push({ line: index + 1, language, code: block.join('\n'), notRun, runFirst });
    marks = {};
    index = end;
  }
  return snippets;
}
