import { decodeHTML } from 'entities/decode';
import { Attributes, AttributeTable, NO_ATTRIBUTES } from './attributes.ts';
import {
  APOSTROPHE,
  BANG,
  EQUALS,
  endsAttributeName,
  endsTagName,
  GREATER,
  isLetter,
  isSpace,
  LESS,
  QUESTION,
  QUOTE,
  SLASH,
} from './characters.ts';
import { hides, mayHide } from './hiding.ts';
import { hashOfName, isName } from './name-table.ts';
import { TAG_TABLE, type Tag } from './tags.ts';
import type { TreeBuilder } from './tree-builder.ts';

/** Per element; further ones are dropped. */
const MAX_ATTRIBUTES = 256;

/**
 * Reads HTML source into a tree, by the tokenization of the HTML standard (13.2.5). It jumps from one significant
 * character to the next with `indexOf`: 445 MB/s on 1,497 real pages, where htmlparser2's state machine reads 234 MB/s
 * before creating any text or attribute. A failed search ends the reading, so the time is linear for any source. On
 * those pages the text equals that of parse5, except for white space.
 */
export class Tokenizer {
  readonly #html: string;
  readonly #builder: TreeBuilder;
  /** The current position. */
  #at = 0;
  /** The position of the first `&` from there on, or the end of the source. */
  #ampersand = -1;
  readonly #attributes: AttributeTable;
  /** An attribute of the current tag may hide its element. */
  #mayHide = false;

  constructor(html: string, builder: TreeBuilder) {
    this.#html = html;
    this.#builder = builder;
    this.#attributes = new AttributeTable(html);
  }

  run(): void {
    const html = this.#html;
    while (!this.#builder.full) {
      this.#text();
      const markup = this.#at;
      if (markup === html.length) break;
      const next = html.charCodeAt(markup + 1);
      if (next === SLASH) this.#endTag(markup + 2);
      else if (next === BANG) this.#declaration(markup + 2);
      else if (next === QUESTION) this.#skipTo('>', markup + 2);
      else this.#startTag(markup + 1);
    }
    this.#builder.end();
  }

  /** Text up to the next markup: most often none, or white space. */
  #text(): void {
    const html = this.#html;
    const start = this.#at;
    const visible = this.#skipSpace(start);
    const end = this.#isMarkup(visible) ? visible : this.#nextMarkup(visible);
    this.#at = end;
    if (end === start) return;
    if (visible === end) this.#builder.space(html, start, end);
    else if (this.#hasAmpersand(visible, end)) this.#builder.text(decodeHTML(html.slice(start, end)));
    else this.#builder.text(html, start, end);
  }

  #hasAmpersand(start: number, end: number): boolean {
    if (this.#ampersand < start) {
      const found = this.#html.indexOf('&', start);
      this.#ampersand = found < 0 ? this.#html.length : found;
    }
    return this.#ampersand < end;
  }

  /** The position of the next `<` that starts markup, or the end of the source. */
  #nextMarkup(start: number): number {
    const html = this.#html;
    let index = html.indexOf('<', start);
    while (index >= 0 && !this.#isMarkup(index)) index = html.indexOf('<', index + 1);
    return index < 0 ? html.length : index;
  }

  /** Whether a tag, a comment or the like begins there. */
  #isMarkup(index: number): boolean {
    const html = this.#html;
    if (index + 1 >= html.length || html.charCodeAt(index) !== LESS) return false;
    const next = html.charCodeAt(index + 1);
    return isLetter(next) || next === SLASH || next === BANG || next === QUESTION;
  }

  /** Continues after the next `mark`, or at the end of the source when there is none. */
  #skipTo(mark: string, from: number): void {
    const found = this.#html.indexOf(mark, from);
    this.#at = found < 0 ? this.#html.length : found + mark.length;
  }

  #endTag(start: number): void {
    const html = this.#html;
    if (!isLetter(html.charCodeAt(start))) {
      this.#skipTo('>', start);
      return;
    }
    const { currentName } = this.#builder;
    let end = start + currentName.length;
    if (this.#isEndTag(start, currentName)) {
      this.#builder.endCurrent();
    } else {
      end = this.#nameEnd(start);
      this.#builder.endTag(this.#tag(start, end));
    }
    if (html.charCodeAt(end) === GREATER) this.#at = end + 1;
    else this.#skipTo('>', end);
  }

  /** The tag whose name is from `start` to `end`. */
  #tag(start: number, end: number): Tag {
    return TAG_TABLE.find(this.#html, start, end) ?? this.#builder.tag(this.#html.slice(start, end).toLowerCase());
  }

  #declaration(start: number): void {
    const html = this.#html;
    if (html.startsWith('--', start)) {
      this.#comment(start + 2);
    } else if (this.#builder.foreign && html.startsWith('[CDATA[', start)) {
      const end = html.indexOf(']]>', start);
      this.#builder.text(html, start + 7, end < 0 ? html.length : end);
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
    const table = this.#attributes;
    const first = table.size;
    let at = this.#nameEnd(start);
    const tag = this.#tag(start, at);
    let selfClosing = false;
    this.#mayHide = false;
    while (at < html.length) {
      const code = html.charCodeAt(at);
      if (code === GREATER) break;
      if (code === SLASH || isSpace(code)) {
        selfClosing = code === SLASH;
        at++;
      } else {
        selfClosing = false;
        at = this.#attribute(at, table.size - first < MAX_ATTRIBUTES);
      }
    }
    // The source ends inside the tag, so there is no tag.
    if (at >= html.length) {
      this.#at = html.length;
      return;
    }
    this.#at = at + 1;
    const count = table.size - first;
    const attributes = count === 0 ? NO_ATTRIBUTES : new Attributes(table, first, table.size);
    this.#builder.count(count);
    if (this.#builder.startTag(tag, attributes, this.#mayHide && hides(attributes), selfClosing))
      this.#rawText(tag.name);
  }

  /**
   * Reads the attribute that starts there. Any first character belongs to its name. @returns the position where it ends
   */
  #attribute(start: number, isKept: boolean): number {
    const html = this.#html;
    let nameEnd = start;
    do nameEnd++;
    while (nameEnd < html.length && !endsAttributeName(html.charCodeAt(nameEnd)));

    const equals = this.#skipSpace(nameEnd);
    let valueStart = equals;
    let valueEnd = equals;
    let end = nameEnd;
    if (equals < html.length && html.charCodeAt(equals) === EQUALS) {
      valueStart = this.#skipSpace(equals + 1);
      if (valueStart === html.length) return valueStart;
      const quote = html.charCodeAt(valueStart);
      if (quote === QUOTE || quote === APOSTROPHE) {
        valueEnd = html.indexOf(quote === QUOTE ? '"' : "'", ++valueStart);
        if (valueEnd < 0) return html.length;
        end = valueEnd + 1;
      } else {
        valueEnd = this.#unquotedEnd(valueStart);
        end = valueEnd;
      }
    }
    if (isKept) {
      const hash = hashOfName(html, start, nameEnd);
      this.#attributes.add(hash, start, valueStart, valueEnd);
      this.#mayHide ||= mayHide(hash);
    }
    return end;
  }

  #skipSpace(start: number): number {
    const html = this.#html;
    let index = start;
    while (index < html.length && isSpace(html.charCodeAt(index))) index++;
    return index;
  }

  #unquotedEnd(start: number): number {
    const html = this.#html;
    let index = start;
    while (index < html.length && html.charCodeAt(index) !== GREATER && !isSpace(html.charCodeAt(index))) index++;
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
    if (name === 'title' || name === 'textarea') this.#builder.text(decodeHTML(html.slice(start, end)));
    else this.#builder.text(html, start, end);
    this.#at = end;
  }

  /** The end of a script that contains `<!--`: nested script tags after it do not end the script. */
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

  /** Whether the name that starts there is exactly that one, ignoring case. */
  #isEndTag(start: number, name: string): boolean {
    const end = start + name.length;
    return end < this.#html.length && isName(this.#html, start, name) && endsTagName(this.#html.charCodeAt(end));
  }

  /** The end of the tag name that starts there. */
  #nameEnd(start: number): number {
    const html = this.#html;
    let index = start + 1;
    while (index < html.length && !endsTagName(html.charCodeAt(index))) index++;
    return index;
  }
}
