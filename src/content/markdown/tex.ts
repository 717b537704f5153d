/**
 * TeX that stands in Markdown. Between dollar signs a backslash belongs to TeX, so Markdown's escapes would change the
 * formula; and a renderer without maths reads what is there as Markdown. What that would take for a tag, a link, code or
 * a block is therefore written in another way that means the same in TeX.
 */

/** A control word, another control sequence, or a comment, which goes up to the first character of the next line. */
const COMMENTS = /\\[A-Za-z]+(%[^\n]*\n[ \t]*)?|\\[\s\S]|%[^\n]*\n[ \t]*/g;
/** Control words that set a link, an image or HTML, or that make names of such control words. */
const LINKING = /\\(?:href|url|html[A-Za-z]*|includegraphics|csname)(?![A-Za-z])/y;
const MAY_BE_MATH = /\$|\\(?:href|url|html|includegraphics|csname)/;
/** Control sequences, and what Markdown would take for its own. */
const MARKUP = /\\?<(?=[A-Za-z/!?])|\\?\](?=\()|\\(?:[A-Za-z]+|[\s\S]?)|\[(?=\^)|%|``?|\$/g;
/** Bullets, numbers, headings, quotes, underlines, rules, fences, rows below the head of a table. */
const BLOCK_START =
  /^(?:[-+*](?:\s|$)|\d{1,9}[.)](?:\s|$)|#{1,6}(?:\s|$)|>|=+$|(?:[-_*]\s*){3,}$|~~~|\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?$)/;
/** A bracket behind a backslash counts for nothing. */
const BRACKETS = /\\[\s\S]|[[\]]/g;
/** Of the white space that the source brings along, line breaks alone matter: comments end there. */
const INVISIBLE = /[\p{Cc}\u00ad\u200b\u2060\ufeff]/gu;

/** TeX as the page has it, ready to stand between dollar signs: none is in it. With its line breaks. */
export function cleanTex(source: string): string {
  const lines = source.replace(/\r\n?/g, '\n').replace(INVISIBLE, (char) => (char === '\n' ? char : ' '));
  const tex = withoutDisplayStyle(withoutComments(lines).trim());
  return inert(tex);
}

/** The lines of a formula that stands alone, none of which begins a block of Markdown. */
export function linesOfTex(tex: string): string[] {
  return tex
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => (BLOCK_START.test(line) ? `{}${line}` : line));
}

/** On one line, as it can stand in the cell of a table, where each bar would begin the next cell. */
export function lineOfTex(tex: string, inCell: boolean): string {
  const line = tex.replace(/\s+/g, ' ');
  return inCell ? line.replace(/\\[\s\S]/g, (found) => (found === '\\|' ? '\\Vert ' : found)).trimEnd() : line;
}

/** As it can stand in a link, which a bracket without its partner would end. */
export function bracketedTex(tex: string): string {
  const alone = new Set<number>();
  const open: number[] = [];
  for (const { 0: found, index } of tex.matchAll(BRACKETS)) {
    if (found === '[') open.push(index);
    else if (found === ']' && open.pop() === undefined) alone.add(index);
  }
  for (const index of open) alone.add(index);
  if (alone.size === 0) return tex;
  const replaced = tex.replace(BRACKETS, (found, index: number) => {
    if (!alone.has(index)) return found;
    return found === '[' ? '\\lbrack ' : '\\rbrack ';
  });
  return replaced.trimEnd();
}

/** Whether a control word that sets a link or the like stands there: between two dollar signs in text it could be one. */
export function isTexLink(text: string, index: number): boolean {
  LINKING.lastIndex = index;
  return LINKING.test(text);
}

/** Whether markup that is no formula holds what could end one, or be a link in one. */
export function touchesMath(markdown: string): boolean {
  return MAY_BE_MATH.test(markdown);
}

/** Text in TeX's text mode. */
export function textInTex(text: string): string {
  return text.replace(/[\\{}$&#%_^~]/g, (char) => TEXT_COMMANDS.get(char) ?? `\\${char}`);
}

const TEXT_COMMANDS = new Map([
  ['\\', '\\textbackslash '],
  ['^', '\\textasciicircum '],
  ['~', '\\textasciitilde '],
]);

function withoutComments(tex: string): string {
  if (!tex.includes('%')) return tex;
  return tex.replace(COMMENTS, (found, comment: string | undefined) => {
    if (comment !== undefined) return `${found.slice(0, -comment.length)} `;
    return found.startsWith('%') ? '' : found;
  });
}

/** What Wikipedia puts around each formula. */
function withoutDisplayStyle(tex: string): string {
  return /^\{\\displaystyle[^\w][\s\S]*\}$/.test(tex) ? tex.slice('{\\displaystyle'.length, -1).trim() : tex;
}

function inert(tex: string): string {
  let inMath = true;
  return tex.replace(MARKUP, (found, index: number) => {
    switch (found) {
      case '<':
        return /\S/.test(tex.charAt(index - 1)) ? ' < ' : '< ';
      case ']':
      case '[':
      // A bare address in front would take the backslash.
      case '\\<':
      case '\\]':
        // White space means nothing there.
        return `${found} `;
      case '%':
        // The rest would be a comment.
        return '\\%';
      case '`':
        return '‘';
      case '``':
        return '“';
      case '$':
        // In text in a formula: the other way to write a formula there.
        inMath = !inMath;
        return inMath ? '\\)' : '\\(';
      case '\\$':
        return '\\text{\\textdollar}';
      case '\\\n':
        return '\\ ';
      case '\\':
        // The end of the formula, which would be no end behind a backslash.
        return '{}';
      default:
        return isTexLink(found, 0) ? '\\text' : found;
    }
  });
}
