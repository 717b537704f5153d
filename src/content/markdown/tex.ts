/**
 * TeX inside Markdown. Between dollar signs a backslash belongs to TeX, so Markdown's escapes would change the formula.
 * But a renderer without maths support reads the formula as Markdown. Anything that it would take for a tag, a link, code
 * or a block is therefore written in another way that means the same in TeX.
 */

/** A control word, another control sequence, or a comment, which goes up to the first character of the next line. */
const COMMENTS = /\\[A-Za-z]+(%[^\n]*\n[ \t]*)?|\\[\s\S]|%[^\n]*\n[ \t]*/g;
/** Control words that produce a link, an image or HTML, or that can spell the name of one that does. */
const LINKING = /\\(?:href|url|html[A-Za-z]*|includegraphics|csname)(?![A-Za-z])/y;
const MAY_BE_MATH = /\$|\\(?:href|url|html|includegraphics|csname)/;
/** Control sequences, and characters that Markdown would read as markup. */
const MARKUP = /\\?<(?=[A-Za-z/!?])|\\?\](?=\()|\\(?:[A-Za-z]+|[\s\S]?)|\[(?=\^)|%|``?|\$/g;
/** Bullets, numbers, headings, quotes, underlines, rules, fences, delimiter rows of tables. */
const BLOCK_START =
  /^(?:[-+*](?:\s|$)|\d{1,9}[.)](?:\s|$)|#{1,6}(?:\s|$)|>|=+$|(?:[-_*]\s*){3,}$|~~~|\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?$)/;
/** Brackets. One after a backslash does not count. */
const BRACKETS = /\\[\s\S]|[[\]]/g;
/** Control and invisible characters, which become spaces. Only line breaks are kept, because comments end there. */
const INVISIBLE = /[\p{Cc}\u00ad\u200b\u2060\ufeff]/gu;

/** The page's TeX, ready to go between dollar signs: it has none of its own. Line breaks are kept. */
export function cleanTex(source: string): string {
  const lines = source.replace(/\r\n?/g, '\n').replace(INVISIBLE, (char) => (char === '\n' ? char : ' '));
  const tex = withoutDisplayStyle(withoutComments(lines).trim());
  return inert(tex);
}

/** The lines of a display formula. None of them begins a Markdown block. */
export function linesOfTex(tex: string): string[] {
  return tex
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => (BLOCK_START.test(line) ? `{}${line}` : line));
}

/** TeX on one line. In a table cell each bar would begin the next cell, so `\|` is written as `\Vert`. */
export function lineOfTex(tex: string, inCell: boolean): string {
  const line = tex.replace(/\s+/g, ' ');
  return inCell ? line.replace(/\\[\s\S]/g, (found) => (found === '\\|' ? '\\Vert ' : found)).trimEnd() : line;
}

/** TeX for use in a link, which an unpaired bracket would end. */
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

/** Whether a control word for a link or the like begins there. Between two dollar signs in text it would take effect. */
export function isTexLink(text: string, index: number): boolean {
  LINKING.lastIndex = index;
  return LINKING.test(text);
}

/** Whether markup other than a formula holds anything that could end a formula or be a link in one. */
export function touchesMath(markdown: string): boolean {
  return MAY_BE_MATH.test(markdown);
}

/** Escapes text for TeX's text mode. */
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

/** Removes the `\displaystyle` group that Wikipedia puts around each formula. */
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
      // A bare address before it would swallow the backslash.
      case '\\<':
      case '\\]':
        // White space has no meaning there.
        return `${found} `;
      case '%':
        // Otherwise the rest would be a comment.
        return '\\%';
      case '`':
        return '‘';
      case '``':
        return '“';
      case '$':
        // A formula in text within a formula: the other way to write it.
        inMath = !inMath;
        return inMath ? '\\)' : '\\(';
      case '\\$':
        return '\\text{\\textdollar}';
      case '\\\n':
        return '\\ ';
      case '\\':
        // The end of the formula. A backslash there would keep the closing delimiter from ending it.
        return '{}';
      default:
        return isTexLink(found, 0) ? '\\text' : found;
    }
  });
}
