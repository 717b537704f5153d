import { escapeWhole } from './escape.ts';
import { touchesMath } from './tex.ts';

/** A backslash before a bar that no other backslash belongs to: in the cell of a table it ends the cell. */
const ESCAPED_BAR = /(?:^|[^\\])\\(?:\\\\)*\|/;

/** What a code span stands in. */
export interface Around {
  /** A formula stands in the block already, so a dollar sign in code could be taken for the end of one. */
  isBehindFormula: boolean;
  /** Each bar would begin the next cell. */
  isInCell: boolean;
}

/**
 * A code span (CommonMark 6.1): a fence longer than any run of backticks inside. Where its content could end something
 * around it, which no code span can prevent, it is `<code>`.
 */
export function codeSpan(code: string, { isBehindFormula, isInCell }: Around): string {
  const text = code.replace(/\s+/g, ' ').trim();
  if (text === '') return '';
  if (isBehindFormula && touchesMath(text)) return codeElement(text);
  if (isInCell && ESCAPED_BAR.test(text)) return codeElement(text);
  let longest = 0;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  const fence = '`'.repeat(longest + 1);
  const pad = text.startsWith('`') || text.endsWith('`') ? ' ' : '';
  return `${fence}${pad}${text}${pad}${fence}`;
}

function codeElement(text: string): string {
  return `<code>${escapeWhole(text).replaceAll('$', '&#36;').replaceAll('|', '&#124;')}</code>`;
}
