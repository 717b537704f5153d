import { escapeWhole } from './escape.ts';
import { touchesMath } from './tex.ts';

/** An unescaped backslash before a bar. In a table cell, that bar would end the cell. */
const ESCAPED_BAR = /(?:^|[^\\])\\(?:\\\\)*\|/;

/** What surrounds a code span. */
export interface Around {
  /** The block already has a formula, so a dollar sign in code could be read as the end of one. */
  isBehindFormula: boolean;
  /** In a table cell, where each bar would begin the next cell. */
  isInCell: boolean;
}

/**
 * A code span (CommonMark 6.1): its fence is longer than any run of backticks inside. A code span cannot stop its content
 * from ending a formula or a table cell around it. Such content is written as `<code>` instead.
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
