import { decodeHTML, decodeHTMLAttribute } from 'entities/decode';
import { Attributes, NO_ATTRIBUTES } from '../tree.ts';
import { hides } from './hiding.ts';
import type { TreeBuilder } from './tree-builder.ts';

const SPACE = 32;
const BANG = 33;
const QUOTE = 34;
const APOSTROPHE = 39;
const SLASH = 47;
const EQUALS = 61;
const GREATER = 62;
const QUESTION = 63;

/** Of one element; what comes after them is left out. */
const MAX_ATTRIBUTES = 256;

/**
 * Reads HTML source into a tree, by the tokenization of the HTML standard (13.2.5). It goes from one character that
 * matters to the next with `indexOf`: 445 MB/s on 1,497 real pages, where htmlparser2's state machine takes 234 before
 * any text or attribute is made of what it finds. A search that fails ends the reading, so the time is linear in the
 * source whatever is in it. On those pages the text is that of parse5, but for white space.
 */
export class Tokenizer {
  readonly #html: string;
  readonly #builder: TreeBuilder;
  /** Where reading goes on. */
  #at = 0;
  /** Whether a `/` stands before the `>` of the tag that is being read. */
  #selfClosing = false;
  /** Names of attributes as written, and in lower case. For one page only: as keys they keep its source alive. */
  readonly #names = new Map<string, string>();

  constructor(html: string, builder: TreeBuilder) {
    this.#html = html;
    this.#builder = builder;
  }

  run(): void {
    const html = this.#html;
    while (!this.#builder.full) {
      const markup = this.#nextMarkup();
      this.#text(markup);
      if (markup === html.length) break;
      const next = html.charCodeAt(markup + 1);
      if (next === SLASH) this.#endTag(markup + 2);
      else if (next === BANG) this.#declaration(markup + 2);
      else if (next === QUESTION) this.#skipTo('>', markup + 2);
      else this.#startTag(markup + 1);
    }
    this.#builder.end();
  }

  /** Where the next `<` stands that is not just a character, or the end of the source. */
  #nextMarkup(): number {
    const html = this.#html;
    let index = html.indexOf('<', this.#at);
    while (index >= 0) {
      const next = html.charCodeAt(index + 1);
      if (isLetter(next) || next === SLASH || next === BANG || next === QUESTION) return index;
      index = html.indexOf('<', index + 1);
    }
    return html.length;
  }

  /** Text from where reading is up to `end`. */
  #text(end: number): void {
    if (end > this.#at) this.#builder.text(decoded(this.#html.slice(this.#at, end)));
    this.#at = end;
  }

  /** Goes on behind the next `mark`, or at the end of the source when there is none. */
  #skipTo(mark: string, from: number): void {
    const found = this.#html.indexOf(mark, from);
    this.#at = found < 0 ? this.#html.length : found + mark.length;
  }

  #endTag(start: number): void {
    const html = this.#html;
    if (isLetter(html.charCodeAt(start))) this.#builder.endTag(html.slice(start, this.#nameEnd(start)).toLowerCase());
    this.#skipTo('>', start);
  }

  #declaration(start: number): void {
    const html = this.#html;
    if (html.startsWith('--', start)) {
      this.#comment(start + 2);
    } else if (this.#builder.foreign && html.startsWith('[CDATA[', start)) {
      const end = html.indexOf(']]>', start);
      this.#builder.text(html.slice(start + 7, end < 0 ? html.length : end));
      this.#skipTo(']]>', start);
    } else {
      this.#skipTo('>', start);
    }
  }

  /** A comment ends with `-->` or `--!>`; `<!-->` and `<!--->` are whole. */
  #comment(start: number): void {
    const html = this.#html;
    let dashes = html.startsWith('>', start)
      ? start - 2
      : html.startsWith('->', start)
        ? start - 1
        : html.indexOf('--', start);
    for (; dashes >= 0; dashes = html.indexOf('--', dashes + 1)) {
      const end = html.charCodeAt(dashes + 2) === BANG ? dashes + 3 : dashes + 2;
      if (html.charCodeAt(end) !== GREATER) continue;
      this.#at = end + 1;
      return;
    }
    this.#at = html.length;
  }

  #startTag(start: number): void {
    const html = this.#html;
    this.#at = this.#nameEnd(start);
    const name = html.slice(start, this.#at).toLowerCase();
    let attributes = NO_ATTRIBUTES;
    let count = 0;
    let hidden = false;
    while (this.#toAttribute()) {
      const attribute = this.#attributeName();
      const value = this.#attributeValue();
      if (count === MAX_ATTRIBUTES || attributes[attribute] !== undefined) continue;
      if (count++ === 0) attributes = new Attributes();
      attributes[attribute] = value;
      hidden ||= hides(attribute, value);
    }
    // The source ends in the tag: there is no tag.
    if (this.#at >= html.length) return;
    this.#at++;
    this.#builder.count(count);
    if (this.#builder.startTag(name, attributes, hidden, this.#selfClosing)) this.#rawText(name);
  }

  /** Goes to the next attribute, or to the `>` of the tag or the end of the source: then there is none. */
  #toAttribute(): boolean {
    const html = this.#html;
    let index = this.#at;
    while (isSpace(html.charCodeAt(index)) || html.charCodeAt(index) === SLASH) index++;
    this.#selfClosing = index > this.#at && html.charCodeAt(index - 1) === SLASH;
    this.#at = index;
    return index < html.length && html.charCodeAt(index) !== GREATER;
  }

  #attributeName(): string {
    const start = this.#at;
    this.#at = this.#nameEnd(start, EQUALS);
    const written = this.#html.slice(start, this.#at);
    const known = this.#names.get(written);
    if (known !== undefined) return known;
    const name = written.toLowerCase();
    this.#names.set(written, name);
    return name;
  }

  /** What stands behind `=`, or '' when there is none. */
  #attributeValue(): string {
    const html = this.#html;
    let start = this.#skipSpace(this.#at);
    if (html.charCodeAt(start) !== EQUALS) return '';
    start = this.#skipSpace(start + 1);
    const quote = html.charCodeAt(start);
    let end: number;
    if (quote === QUOTE || quote === APOSTROPHE) {
      end = html.indexOf(quote === QUOTE ? '"' : "'", ++start);
      if (end < 0) end = html.length;
      this.#at = end + 1;
    } else {
      end = start;
      while (end < html.length && html.charCodeAt(end) !== GREATER && !isSpace(html.charCodeAt(end))) end++;
      this.#at = end;
    }
    const value = html.slice(start, end);
    return value.includes('&') ? decodeHTMLAttribute(value) : value;
  }

  #skipSpace(index: number): number {
    while (isSpace(this.#html.charCodeAt(index))) index++;
    return index;
  }

  /** Text up to the end tag of that name. */
  #rawText(name: string): void {
    const html = this.#html;
    const start = this.#at;
    let end = html.indexOf('</', start);
    while (end >= 0 && !this.#isEndTag(end + 2, name)) end = html.indexOf('</', end + 2);
    if (end >= 0 && name === 'script' && html.slice(start, end).includes('<!--')) end = this.#escapedScriptEnd(start);
    if (end < 0) end = html.length;
    const text = html.slice(start, end);
    this.#builder.text(name === 'title' || name === 'textarea' ? decoded(text) : text);
    this.#at = end;
  }

  /** Where a script ends that has `<!--` in it: scripts that are written out in there do not end it. */
  #escapedScriptEnd(start: number): number {
    const marks = /<!--|-->|<\/?script(?=[\s/>])/gi;
    marks.lastIndex = start;
    let state: 'plain' | 'escaped' | 'inner script' = 'plain';
    for (let match = marks.exec(this.#html); match !== null; match = marks.exec(this.#html)) {
      const [mark] = match;
      if (mark === '<!--') {
        if (state === 'plain') state = 'escaped';
        // `<!-->` ends what it begins.
        marks.lastIndex = match.index + 2;
      } else if (mark === '-->') state = 'plain';
      else if (mark.length === '<script'.length) state = state === 'escaped' ? 'inner script' : state;
      else if (state === 'inner script') state = 'escaped';
      else return match.index;
    }
    return -1;
  }

  #isEndTag(start: number, name: string): boolean {
    const html = this.#html;
    const end = start + name.length;
    if (!html.startsWith(name, start) && html.slice(start, end).toLowerCase() !== name) return false;
    const code = html.charCodeAt(end);
    return code === GREATER || code === SLASH || isSpace(code);
  }

  /** Where the name that starts there ends. Its first character belongs to it whatever it is. */
  #nameEnd(start: number, alsoEndsAt = GREATER): number {
    const html = this.#html;
    for (let index = start + 1; index < html.length; index++) {
      const code = html.charCodeAt(index);
      if (code === GREATER || code === SLASH || code === alsoEndsAt || isSpace(code)) return index;
    }
    return html.length;
  }
}

function decoded(text: string): string {
  return text.includes('&') ? decodeHTML(text) : text;
}

function isLetter(code: number): boolean {
  const lower = code | 0x20;
  return lower >= 97 && lower <= 122;
}

/** Tab, line feed, form feed, carriage return, space. */
function isSpace(code: number): boolean {
  return code === SPACE || (code <= 13 && code >= 9 && code !== 11);
}
