/** What the tables of a Unicode class cost beside one character: it is 700 ranges, and each step of a match looks into them. */
const UNICODE_CLASS = 20;
/** Without regard to case they are folded one character after the other: 0.3 to 1 ms. */
const FOLDED_CLASS = 200;
/** A range such as `[b-\x{1e942}]` is folded in the same way: 4 to 7 ms. */
const FOLDED_RANGE = 1_000;
/** Characters of a class that cost as much as one outside of it. */
const CLASS_CHARACTERS = 8;

const IGNORES_CASE = /\(\?[a-z]*i/i;
/** They hold from here on, and are no part that could be repeated. */
const FLAGS = /\?[a-z-]*\)/iy;
const GROUP_START = /\?(?:P?<\w*>|[a-z-]*:?)/iy;
const REPETITION = /\{(\d+)(?:(,)(\d*))?\}/y;
const UNICODE_NAME = /\{[^}]{0,100}\}|./sy;
const HEX_CODE = /\{[^}]{0,100}\}/y;
const POSIX_NAME = /\[:\^?\w*:\]/y;

interface OpenGroup {
  /** Of what is complete in it. */
  work: number;
  /** Of its last part, which a repetition would repeat. */
  last: number;
  captures: boolean;
}

/**
 * How much work a regular expression in the syntax of RE2 makes, found in one pass over its text: its length, and no fewer
 * than the instructions it compiles to, where repetitions are written out and classes weigh by their tables.
 * What is not valid gets some number.
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
          // An alternative is an instruction, and an empty one is another.
          add(character === '|' ? 2 : 1);
      }
    }
    const open = [...outer, group].reduce((sum, { work, last }) => sum + work + last, 0);
    return this.#text.length + open + 3;
  }

  /** After the parenthesis. Tells whether it captures. */
  #readGroupStart(): boolean {
    const start = this.#read(GROUP_START);
    return start === undefined || start[0].endsWith('>');
  }

  /** `{2,5}` is two copies and then three that may be left out. */
  #repeat(work: number): number {
    this.#at -= 1;
    const found = this.#read(REPETITION);
    if (found === undefined) {
      this.#at += 1;
      return work + 1;
    }
    const [, least, comma, most] = found;
    const copies = Math.max(1, Number(least), Number(most ?? 0));
    return work * copies + (comma === undefined ? 0 : copies + 2);
  }

  /** After the backslash, outside of a class. */
  #readEscape(): number {
    if (this.#text[this.#at] !== 'Q') return this.#readEscaped();
    const end = this.#text.indexOf('\\E', this.#at);
    const quoted = (end === -1 ? this.#text.length : end) - this.#at;
    this.#at += quoted;
    return quoted;
  }

  /** After the backslash. */
  #readEscaped(): number {
    const character = this.#text[this.#at++];
    if (character === 'x') this.#read(HEX_CODE);
    if (character !== 'p' && character !== 'P') return 1;
    this.#read(UNICODE_NAME);
    return this.#ignoresCase ? FOLDED_CLASS : UNICODE_CLASS;
  }

  /** After the bracket. */
  #readClass(): number {
    const start = this.#at;
    let tables = 0;
    if (this.#text[this.#at] === '^') this.#at += 1;
    // A bracket at the beginning is one of its characters.
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

  /** Whether after a hyphen comes more than an ASCII character, which may be far away. */
  #endsWideRange(): boolean {
    const end = this.#text[this.#at] ?? '';
    return end === '\\' || end > '\x7f';
  }

  /** What stands here, if it is that. */
  #read(what: RegExp): RegExpExecArray | undefined {
    what.lastIndex = this.#at;
    const found = what.exec(this.#text) ?? undefined;
    if (found !== undefined) this.#at = what.lastIndex;
    return found;
  }
}
