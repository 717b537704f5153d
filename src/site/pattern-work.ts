/** The cost of a Unicode class such as `\pL`, which has 700 ranges, compared with one character. */
const UNICODE_CLASS = 20;
/** The same when case is ignored: each character of the class is folded, which takes 0.3 to 1 ms. */
const FOLDED_CLASS = 200;
/** A range such as `[b-\x{1e942}]` when case is ignored: folding it takes 4 to 7 ms. */
const FOLDED_RANGE = 1_000;
/** This many characters inside a class cost as much as one outside. */
const CLASS_CHARACTERS = 8;

const IGNORES_CASE = /\(\?[a-z]*i/i;
/** Flags such as `(?i)` are not an element: a repetition after them applies to what stands before. */
const FLAGS = /\?[a-z-]*\)/iy;
const GROUP_START = /\?(?:P?<\w*>|[a-z-]*:?)/iy;
const REPETITION = /\{(\d+)(?:(,)(\d*))?\}/y;
const UNICODE_NAME = /\{[^}]{0,100}\}|./sy;
const HEX_CODE = /\{[^}]{0,100}\}/y;
const POSIX_NAME = /\[:\^?\w*:\]/y;

interface OpenGroup {
  /** The work of all elements but the last. */
  work: number;
  /** The work of the last element, to which a repetition applies. */
  last: number;
  captures: boolean;
}

/**
 * Estimates the work of compiling and matching a regular expression in RE2 syntax, in one pass over its text. The
 * estimate is at least the number of instructions of the compiled expression. It adds the length of the text, and
 * weighs Unicode classes by the size of their tables. For an invalid expression, the result is meaningless.
 */
export function patternWork(pattern: string): number {
  return new PatternReader(pattern).work();
}

class PatternReader {
  readonly #text: string;
  readonly #ignoresCase: boolean;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
    this.#ignoresCase = IGNORES_CASE.test(text);
  }

  work(): number {
    const outer: OpenGroup[] = [];
    let group: OpenGroup = { work: 0, last: 0, captures: false };
    const add = (work: number) => {
      group.work += group.last;
      group.last = work;
    };
    while (this.#at < this.#text.length) {
      const character = this.#text[this.#at++];
      switch (character) {
        case '(':
          if (this.#read(FLAGS) !== undefined) break;
          outer.push(group);
          group = { work: 0, last: 0, captures: this.#readGroupStart() };
          break;
        case ')': {
          const work = Math.max(1, group.work + group.last) + (group.captures ? 2 : 0);
          group = outer.pop() ?? group;
          add(work);
          break;
        }
        case '[':
          add(this.#readClass());
          break;
        case '\\':
          add(this.#readEscape());
          break;
        case '*':
        case '+':
        case '?':
          group.last += 2;
          break;
        case '{':
          group.last = this.#repeat(group.last);
          break;
        default:
          // An alternative is one instruction, and an empty one is another.
          add(character === '|' ? 2 : 1);
      }
    }
    const open = [...outer, group].reduce((sum, { work, last }) => sum + work + last, 0);
    return this.#text.length + open + 3;
  }

  /** Reads what follows the parenthesis. Returns whether the group captures. */
  #readGroupStart(): boolean {
    const start = this.#read(GROUP_START);
    return start === undefined || start[0].endsWith('>');
  }

  /** Reads a repetition. `{2,5}` compiles to two copies and three optional ones. */
  #repeat(work: number): number {
    this.#at -= 1;
    const found = this.#read(REPETITION);
    if (found === undefined) {
      this.#at += 1;
      return work + 1;
    }
    const [, min, comma, max] = found;
    const copies = Math.max(1, Number(min), Number(max ?? 0));
    return work * copies + (comma === undefined ? 0 : copies + 2);
  }

  /** Reads what follows a backslash outside a class. */
  #readEscape(): number {
    if (this.#text[this.#at] !== 'Q') return this.#readEscaped();
    const end = this.#text.indexOf('\\E', this.#at);
    const quoted = (end === -1 ? this.#text.length : end) - this.#at;
    this.#at += quoted;
    return quoted;
  }

  /** Reads what follows a backslash. */
  #readEscaped(): number {
    const character = this.#text[this.#at++];
    if (character === 'x') this.#read(HEX_CODE);
    if (character !== 'p' && character !== 'P') return 1;
    this.#read(UNICODE_NAME);
    return this.#ignoresCase ? FOLDED_CLASS : UNICODE_CLASS;
  }

  /** Reads what follows the bracket of a class. */
  #readClass(): number {
    const start = this.#at;
    let tables = 0;
    if (this.#text[this.#at] === '^') this.#at += 1;
    // A closing bracket at the start of a class is a literal.
    let isFirst = true;
    while (this.#at < this.#text.length) {
      const character = this.#text[this.#at++];
      if (character === ']' && !isFirst) break;
      isFirst = false;
      if (character === '\\') tables += this.#readEscaped() - 1;
      if (character === '[') {
        this.#at -= 1;
        if (this.#read(POSIX_NAME) === undefined) this.#at += 1;
      }
      if (character === '-' && this.#ignoresCase && this.#endsWideRange()) tables += FOLDED_RANGE;
    }
    return 1 + tables + Math.floor((this.#at - start) / CLASS_CHARACTERS);
  }

  /** Whether the range after a hyphen may end beyond ASCII. */
  #endsWideRange(): boolean {
    const end = this.#text[this.#at] ?? '';
    return end === '\\' || end > '\x7f';
  }

  /** Reads what the expression matches here, if anything. */
  #read(what: RegExp): RegExpExecArray | undefined {
    what.lastIndex = this.#at;
    const found = what.exec(this.#text) ?? undefined;
    if (found !== undefined) this.#at = what.lastIndex;
    return found;
  }
}
