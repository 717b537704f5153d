export interface Literal {
  /** Undefined when there is no literal, or an invalid one. */
  value: unknown;
  /** Where reading stopped: after the literal, or where it broke off. */
  end: number;
}

/**
 * Reads the JavaScript literal at `start` as data: what pages assign to a variable or push to a data layer, and JSON
 * that was written by hand. Nothing is ever evaluated, and time is linear in what is read.
 *
 * Beyond JSON (RFC 8259) it takes single quotes and back quotes, bare keys, trailing commas, comments, raw line breaks
 * in strings, `undefined` (as null) and `!0`. In a `script` a value that is an expression (`page()`, `a + b`) is
 * omitted from its object, so that the rest is still read. In `data` it makes the whole literal invalid, because there
 * it is a misplaced quote and everything after it could be misread.
 */
export function readLiteral(source: string, start: number, kind: 'script' | 'data'): Literal {
  const reader = new LiteralReader(source, start, kind === 'script');
  try {
    const value = reader.value(0);
    return { value: value === EXPRESSION ? undefined : value, end: reader.position };
  } catch (error) {
    if (error instanceof BrokenLiteral) return { value: undefined, end: reader.position };
    throw error;
  }
}

const MAX_DEPTH = 64;

const SPACE = /\s+/y;
const WORD = /[\w$.+!-]+/y;

/** Represents a value that only a JavaScript engine could compute. */
const EXPRESSION = Symbol('expression');

const WORDS = new Map<string, unknown>([
  ['true', true],
  ['false', false],
  ['!0', true],
  ['!1', false],
  ['null', null],
  ['undefined', null],
]);

const ESCAPES = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['r', '\r'],
  ['b', '\b'],
  ['f', '\f'],
  ['v', '\v'],
  ['\n', ''],
]);

class BrokenLiteral extends Error {}

class LiteralReader {
  position: number;
  readonly #source: string;
  readonly #allowExpressions: boolean;

  constructor(source: string, start: number, allowExpressions: boolean) {
    this.#source = source;
    this.position = start;
    this.#allowExpressions = allowExpressions;
  }

  value(depth: number): unknown {
    if (depth >= MAX_DEPTH) throw new BrokenLiteral();
    const value = this.#primary(this.#next(), depth);
    // The top-level value ends by itself. Inside it, a literal that continues ('a' + b) is part of an expression.
    if (depth === 0 || (value !== EXPRESSION && this.#isEnd(this.#next()))) return value;
    this.#skipExpression();
    return EXPRESSION;
  }

  #primary(char: string, depth: number): unknown {
    if (char === '{') return this.#object(depth);
    if (char === '[') return this.#array(depth);
    if (isQuote(char)) return this.#string(char);
    const word = this.#match(WORD);
    if (WORDS.has(word)) return WORDS.get(word);
    const number = word === '' ? Number.NaN : Number(word);
    return Number.isFinite(number) ? number : EXPRESSION;
  }

  #object(depth: number): Record<string, unknown> {
    // No prototype: `__proto__` is a key like any other.
    const object: Record<string, unknown> = Object.create(null);
    this.position++;
    while (this.#next() !== '}') {
      const key = this.#key();
      if (this.#next() !== ':') throw new BrokenLiteral();
      this.position++;
      const value = this.value(depth + 1);
      if (value !== EXPRESSION) object[key] = value;
      this.#comma('}');
    }
    this.position++;
    return object;
  }

  #array(depth: number): unknown[] {
    const array: unknown[] = [];
    this.position++;
    while (this.#next() !== ']') {
      const value = this.value(depth + 1);
      if (value !== EXPRESSION) array.push(value);
      this.#comma(']');
    }
    this.position++;
    return array;
  }

  #key(): string {
    const char = this.#next();
    const key = isQuote(char) ? this.#string(char) : this.#match(WORD);
    if (typeof key !== 'string' || (key === '' && !isQuote(char))) throw new BrokenLiteral();
    return key;
  }

  #string(quote: string): string | typeof EXPRESSION {
    const special = quote === '"' ? /["\\]/g : quote === "'" ? /['\\]/g : /[`\\]/g;
    let text = '';
    let from = ++this.position;
    for (;;) {
      special.lastIndex = from;
      const at = special.exec(this.#source)?.index;
      if (at === undefined) throw this.#brokenAtEnd();
      text += this.#source.slice(from, at);
      this.position = at + 1;
      if (this.#source.charAt(at) === quote) break;
      text += this.#escape();
      from = this.position;
    }
    return quote === '`' && text.includes('${') ? EXPRESSION : text;
  }

  /** Characters after a backslash (ECMAScript, "String literals"). An unknown escape is the character itself. */
  #escape(): string {
    const char = this.#source.charAt(this.position);
    const digits = char === 'u' ? 4 : char === 'x' ? 2 : 0;
    const hex = this.#source.slice(this.position + 1, this.position + 1 + digits);
    const isCode = digits > 0 && hex.length === digits && /^[\da-f]+$/i.test(hex);
    this.position += 1 + (isCode ? digits : 0);
    return isCode ? String.fromCharCode(Number.parseInt(hex, 16)) : (ESCAPES.get(char) ?? char);
  }

  #comma(closing: string): void {
    const char = this.#next();
    if (char === ',') this.position++;
    else if (char !== closing) throw new BrokenLiteral();
  }

  /** Skips to the comma or bracket that ends the expression. */
  #skipExpression(): void {
    if (!this.#allowExpressions) throw new BrokenLiteral();
    let open = 0;
    for (let char = this.#next(); open > 0 || !this.#isEnd(char); char = this.#next()) {
      if (char === '') throw this.#brokenAtEnd();
      if (isQuote(char)) {
        this.#string(char);
        continue;
      }
      if ('([{'.includes(char)) open++;
      else if (')]}'.includes(char) && --open < 0) throw new BrokenLiteral();
      this.position++;
    }
  }

  #isEnd(char: string): boolean {
    return char === ',' || char === '}' || char === ']';
  }

  /** The next character that is neither white space nor comment; empty at the end. */
  #next(): string {
    for (;;) {
      const char = this.#source.charAt(this.position);
      if (char === '/' && this.#skipComment()) continue;
      if (char > ' ' && char !== '\u00a0' && char !== '\ufeff') return char;
      if (this.#match(SPACE) === '') return char;
    }
  }

  #skipComment(): boolean {
    const ending = { '//': '\n', '/*': '*/' }[this.#source.slice(this.position, this.position + 2)];
    if (ending === undefined) return false;
    const end = this.#source.indexOf(ending, this.position + 2);
    this.position = end === -1 ? this.#source.length : end + ending.length;
    return true;
  }

  #match(pattern: RegExp): string {
    pattern.lastIndex = this.position;
    const text = pattern.exec(this.#source)?.[0] ?? '';
    this.position += text.length;
    return text;
  }

  #brokenAtEnd(): BrokenLiteral {
    this.position = this.#source.length;
    return new BrokenLiteral();
  }
}

function isQuote(char: string): boolean {
  return char === '"' || char === "'" || char === '`';
}
