import { type Attributes, ElementNode, MAX_DEPTH, NO_ATTRIBUTES, TextNode, type TreeNode } from '../tree.ts';
import { countText } from './count-text.ts';
import { OpenElements, type Place } from './open-elements.ts';
import {
  BLOCK,
  BREAKS_OUT,
  ENDS_P,
  FORMATTING,
  HEADING,
  HIDDEN,
  INTEGRATION,
  METADATA,
  NO_TEXT,
  OWN_RULE,
  PREFORMATTED,
  RAW_TEXT,
  ROOT_ID,
  SCOPE,
  SPECIAL,
  TAGS,
  type Tag,
  tagOf,
  VOID,
} from './tags.ts';

/**
 * A misplaced end tag can move content a level deeper (see `#adopt`), at most this often per page. The remaining depth
 * is for open elements.
 */
const MAX_WRAPS = 64;
const MAX_OPEN = MAX_DEPTH - MAX_WRAPS;

/** Elements, texts and attributes. The one-page HTML standard has a million; two million are 0.5 GB of memory at worst. */
const MAX_NODES = 2_000_000;

/** The children of an element until it is closed. */
const NOT_CLOSED: TreeNode[] = [];

const ROOT: Tag = { name: '', id: ROOT_ID, bits: SPECIAL | SCOPE | BLOCK };
const A = tagOf('a');
const BASE = tagOf('base');
const BODY = tagOf('body');
const BR = tagOf('br');
const BUTTON = tagOf('button');
const FORM = tagOf('form');
const HEAD = tagOf('head');
const HTML = tagOf('html');
const IMG = tagOf('img');
const LI = tagOf('li');
const NOSCRIPT = tagOf('noscript');
const OPTION = tagOf('option');
const OPTGROUP = tagOf('optgroup');
const P = tagOf('p');
const PRE = tagOf('pre');
const RUBY = tagOf('ruby');
const SELECT = tagOf('select');
const TABLE = tagOf('table');
const TEMPLATE = tagOf('template');
const TR = tagOf('tr');
const CELLS = ['td', 'th', 'caption'].map(tagOf);
const DEFINITION_PARTS = ['dd', 'dt'].map(tagOf);
const HEADINGS = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map(tagOf);
const ROW_GROUPS = ['tbody', 'thead', 'tfoot'].map(tagOf);
const RUBY_PARTS = ['rb', 'rt', 'rtc', 'rp'].map(tagOf);
const TABLE_PARTS = new Set(['table', 'caption', 'colgroup', 'tbody', 'thead', 'tfoot', 'tr', 'td', 'th']);
const LINE_FEED = 10;
/** Classes of elements that hold one line of code. */
const CODE_LINE = /(?:^|[\s_-])(?:blob-code|lines-code|code-line|line)(?:[\s_-]|$)/i;
/** Elements that `</form>` also closes. */
const OPTIONAL_ENDS = new Set(['p', 'li', 'dd', 'dt', 'option', 'optgroup', 'rb', 'rp', 'rt', 'rtc']);

/**
 * Puts tags and text into a tree as browsers do, by the tree construction of the HTML standard (13.2.6) with these
 * deviations: missing html, head, body and tbody elements are not created; content in a table outside its cells stays
 * there; of the formatting that ends with a paragraph, only links continue in the next block; white space that no
 * browser shows is dropped.
 */
export class TreeBuilder {
  readonly root = new ElementNode(ROOT, NO_ATTRIBUTES, NOT_CLOSED);
  /** MAX_NODES is reached, so the rest of the page is dropped. */
  full = false;
  /** The first `<base>` with an address. */
  base: ElementNode | null = null;
  /** The page has templates that declare shadow roots. */
  hasShadowRoots = false;
  readonly #open = new OpenElements(this.root, ROOT);
  /** Tags that are not in the table, by name. */
  readonly #otherTags = new Map<string, Tag>();
  /** Tags found in SVG and MathML, by name. */
  readonly #foreignTags = new Map<string, Tag>();
  #nextId = ROOT_ID + 1;
  #nodes = 0;
  #wraps = 0;

  /** Whether the current node is `<svg>`, `<math>` or something in it. */
  get foreign(): boolean {
    return this.#open.current.foreign;
  }

  get currentName(): string {
    return this.#open.current.tag.name;
  }

  /**
   * @param hidden whether an attribute hides the element
   * @returns whether text up to the end tag follows
   */
  startTag(tag: Tag, attributes: Attributes, hidden: boolean, selfClosing: boolean): boolean {
    const open = this.#open;
    if (open.current.foreign) {
      if ((tag.bits & BREAKS_OUT) === 0) {
        this.#insert(this.#foreignTag(tag), attributes, hidden, !selfClosing);
        return false;
      }
      while (open.current.foreign) open.popTo(open.top);
    }
    return this.#startHtml(tag.name === 'image' ? IMG : tag, attributes, hidden);
  }

  #startHtml(tag: Tag, attributes: Attributes, hidden: boolean): boolean {
    const { bits } = tag;
    if ((bits & METADATA) === 0) this.#endHead();
    const link = (bits & ENDS_P) === 0 ? null : this.#endParagraph();
    if ((bits & OWN_RULE) !== 0 && !this.#makeWay(tag)) return false;
    if ((bits & HEADING) !== 0 && (this.#open.current.tag.bits & HEADING) !== 0) this.#open.popTo(this.#open.top);
    this.#insert(tag, attributes, hidden, (bits & VOID) === 0);
    if (link !== null && (bits & (NO_TEXT | VOID)) === 0) this.#insert(A, link.attributes, link.hidden, true);
    return (bits & RAW_TEXT) !== 0;
  }

  endTag(tag: Tag): void {
    const open = this.#open;
    const index = open.find(tag);
    const foreign = this.#foreignTags.size === 0 ? undefined : this.#foreignTags.get(tag.name);
    const foreignIndex = foreign === undefined ? -1 : open.find(foreign);
    if (foreignIndex > index) open.popTo(foreignIndex);
    else if (index < 0) this.#strayEndTag(tag);
    else if (tag === FORM) this.#endForm(index);
    else if (tag === BODY || tag === HTML) return;
    else if (tag === TEMPLATE || tag.name === 'svg' || tag.name === 'math') open.popTo(index);
    else if ((tag.bits & FORMATTING) !== 0) this.#endFormatting(index);
    else if (index >= this.#scopeOf(tag)) open.popTo(index);
  }

  /** The end tag of the current node, which is what most end tags are. */
  endCurrent(): void {
    const open = this.#open;
    const { tag } = open.current;
    if (tag !== BODY && tag !== HTML && open.find(tag) === open.top) open.popTo(open.top);
    else this.endTag(tag);
  }

  /** @param source that has the text from `start` to `end`, with character references decoded */
  text(source: string, start = 0, end = source.length): void {
    if (isWhiteSpace(source, start, end)) {
      this.space(source, start, end);
      return;
    }
    if (this.#open.current.tag === HEAD) this.#endHead();
    const { element, tag } = this.#open.current;
    this.#appendText(source.slice(start, end));
    if ((tag.bits & HIDDEN) === 0) countText(element, source, start, end);
  }

  /** The same for white space alone. */
  space(source: string, start: number, end: number): void {
    const place = this.#open.current;
    const isPreformatted = (place.tag.bits & PREFORMATTED) !== 0 || this.#open.find(PRE) >= 0;
    if (isPreformatted || !isUnseen(place) || isIndent(place, source, start, end)) {
      this.#appendText(source.slice(start, end));
    }
  }

  /** Counts nodes or attributes against MAX_NODES. */
  count(more: number): void {
    this.#nodes += more;
    if (this.#nodes >= MAX_NODES) this.full = true;
  }

  /** Closes all elements that are still open. */
  end(): void {
    this.#open.popTo(0);
  }

  /** @param name in lower case */
  tag(name: string): Tag {
    const known = TAGS.get(name) ?? this.#otherTags.get(name);
    if (known !== undefined) return known;
    const tag: Tag = { name, id: this.#nextId++, bits: 0 };
    this.#otherTags.set(name, tag);
    return tag;
  }

  #strayEndTag(tag: Tag): void {
    const open = this.#open;
    if (tag === BR) this.#insert(BR, NO_ATTRIBUTES, false, false);
    if ((tag.bits & HEADING) === 0) return;
    const heading = open.findAny(HEADINGS);
    if (heading > open.current.scope) open.popTo(heading);
  }

  /** The index below which the end tag of an element has no effect. */
  #scopeOf(tag: Tag): number {
    const { special, scope, buttonScope, listScope, tableScope } = this.#open.current;
    if (tag === P) return buttonScope;
    if (tag === LI) return listScope;
    if (TABLE_PARTS.has(tag.name)) return tableScope;
    return (tag.bits & SPECIAL) === 0 ? special : scope;
  }

  /** In SVG and MathML, names do not have their HTML meaning: `<a>` there ends no link. */
  #foreignTag({ name, bits }: Tag): Tag {
    const known = this.#foreignTags.get(name);
    if (known !== undefined) return known;
    const integration = (bits & INTEGRATION) === 0 ? 0 : INTEGRATION | SCOPE | SPECIAL;
    const tag: Tag = { name, id: this.#nextId++, bits: integration | (bits & HIDDEN) };
    this.#foreignTags.set(name, tag);
    return tag;
  }

  #insert(tag: Tag, attributes: Attributes, hidden: boolean, open: boolean): void {
    const element = new ElementNode(tag, attributes, open ? NOT_CLOSED : []);
    element.hidden = isHidden(tag, attributes, hidden);
    if (tag === BASE && attributes.href !== undefined) this.base ??= element;
    if (tag === TEMPLATE && !element.hidden) this.hasShadowRoots = true;
    this.#append(this.#open.at(Math.min(this.#open.top, MAX_OPEN - 1)), element);
    if (open) this.#open.push(element, tag);
  }

  #appendText(text: string): void {
    const place = this.#open.current;
    const isFirst = place.count === 0 && (place.tag.bits & PREFORMATTED) !== 0;
    const kept = isFirst ? text.replace(/^\r?\n/, '') : text;
    if (kept !== '') this.#append(place, new TextNode(kept));
  }

  #append(place: Place, child: TreeNode): void {
    child.parent = place.element;
    place.children[place.count++] = child;
    this.count(1);
  }

  /** Content ends the head, unless it is inside an element that is still open there. */
  #endHead(): void {
    const head = this.#open.find(HEAD);
    if (head >= 0 && this.#open.find(NOSCRIPT) < head && this.#open.find(TEMPLATE) < head) this.#open.popTo(head);
  }

  /** @returns the link that was open in the paragraph */
  #endParagraph(): ElementNode | null {
    const open = this.#open;
    const paragraph = open.find(P);
    if (paragraph < open.current.buttonScope) return null;
    const link = open.find(A);
    const element = link > paragraph ? open.at(link).element : null;
    open.popTo(paragraph);
    return element?.attributes.href === undefined ? null : element;
  }

  /** Closes the elements that this start tag closes, and opens a missing row. @returns false to ignore the tag */
  #makeWay(tag: Tag): boolean {
    const open = this.#open;
    const { scope, special, itemScope, tableScope } = open.current;
    const inTable = open.at(tableScope).tag === TABLE;
    switch (tag.name) {
      case 'html':
        return open.find(HTML) < 0;
      case 'head':
        return open.find(HEAD) < 0 && open.find(BODY) < 0;
      case 'body':
        return open.top === Math.max(0, open.find(HTML));
      case 'a':
        if (open.find(A) > scope) this.#endFormatting(open.find(A));
        return true;
      case 'button':
        if (open.find(BUTTON) > scope) open.popTo(open.find(BUTTON));
        return true;
      case 'form':
        return open.find(FORM) < 0 && !(inTable && open.findAny(CELLS) < tableScope);
      case 'li':
        if (open.find(LI) === itemScope) open.popTo(itemScope);
        return true;
      case 'dd':
      case 'dt':
        if (open.findAny(DEFINITION_PARTS) === itemScope) open.popTo(itemScope);
        return true;
      case 'select':
        if (open.find(SELECT) <= scope) return true;
        open.popTo(open.find(SELECT));
        return false;
      case 'optgroup':
        if (open.find(OPTGROUP) > special) open.popTo(open.find(OPTGROUP));
        if (open.find(OPTION) > special) open.popTo(open.find(OPTION));
        return true;
      case 'option':
        if (open.find(OPTION) > special) open.popTo(open.find(OPTION));
        return true;
      case 'table':
        if (inTable && open.findAny(CELLS) < tableScope) open.popTo(tableScope);
        return true;
      case 'tr':
        if (inTable) this.#clearToRows(tableScope);
        return true;
      case 'td':
      case 'th':
        if (inTable) this.#clearToRow(tableScope);
        return true;
      case 'caption':
      case 'colgroup':
      case 'tbody':
      case 'thead':
      case 'tfoot':
        if (inTable) open.popTo(tableScope + 1);
        return true;
      default: {
        const part = open.findAny(RUBY_PARTS);
        if (part > open.find(RUBY)) open.popTo(part);
        return true;
      }
    }
  }

  #clearToRows(table: number): void {
    const group = this.#open.findAny(ROW_GROUPS);
    this.#open.popTo(Math.max(group, table) + 1);
  }

  #clearToRow(table: number): void {
    const row = this.#open.find(TR);
    if (row > table) {
      this.#open.popTo(row + 1);
      return;
    }
    this.#clearToRows(table);
    this.#insert(TR, NO_ATTRIBUTES, false, true);
  }

  /** A form that ends in the middle of other elements leaves them open. */
  #endForm(index: number): void {
    const open = this.#open;
    if (index < open.current.scope) return;
    while (OPTIONAL_ENDS.has(open.current.tag.name)) open.popTo(open.top);
    if (index === open.top) open.popTo(index);
    else open.forget(index);
  }

  #endFormatting(index: number): void {
    const { scope, special } = this.#open.current;
    if (special < index) this.#open.popTo(index);
    else if (scope < index && this.#open.top < MAX_OPEN) this.#adopt(index);
  }

  /**
   * The adoption agency of the standard in one pass: formatting that ends inside a block that it contains is removed
   * from around the block. The block moves out after it, and the block's content so far gets its own copy of the
   * formatting.
   */
  #adopt(index: number): void {
    const open = this.#open;
    let first = index + 1;
    while ((open.at(first).tag.bits & SPECIAL) === 0) first++;
    const formatting = open.at(index).element;
    const blocks = open.lift(first - 1);
    // An open element is the last child of its parent.
    open.current.count--;
    open.popTo(index);
    for (const [at, { element, tag, children }] of blocks.entries()) {
      if (at === 0) this.#append(open.current, element);
      if ((tag.bits & NO_TEXT) === 0) this.#wrap(element, children, formatting, at < blocks.length - 1);
      open.push(element, tag, children);
    }
  }

  /** Wraps the children of an element so far, except the open one, in a copy of the formatting. */
  #wrap(element: ElementNode, children: TreeNode[], formatting: ElementNode, exceptLast: boolean): void {
    const content = children.length - (exceptLast ? 1 : 0);
    if (content === 0 || formatting.hidden || this.#wraps >= MAX_WRAPS) return;
    this.#wraps++;
    const wrapper = new ElementNode(formatting, formatting.attributes, children.splice(0, content));
    for (const child of wrapper.children) child.parent = wrapper;
    this.count(content);
    wrapper.parent = element;
    children.unshift(wrapper);
    if (wrapper.name === 'a' && wrapper.attributes.href !== undefined) element.linkLength = element.textLength;
    wrapper.textLength = element.textLength;
    wrapper.linkLength = element.linkLength;
    wrapper.commas = element.commas;
    wrapper.hasCode = element.hasCode;
  }
}

function isHidden(tag: Tag, attributes: Attributes, byAttribute: boolean): boolean {
  switch (tag.name) {
    case 'html':
    case 'body':
      // The page is hidden until a script shows it. Otherwise there would be nothing to read.
      return false;
    case 'template':
      // See composeShadowRoots.
      return attributes.shadowrootmode === undefined;
    case 'dialog':
      return byAttribute || attributes.open === undefined;
    default:
      return byAttribute || (tag.bits & HIDDEN) !== 0;
  }
}

/** Whether white space there is at the edge of a line, or where no text is shown. */
function isUnseen({ tag: { bits }, children, count }: Place): boolean {
  if ((bits & NO_TEXT) !== 0) return true;
  const previous = count === 0 ? undefined : children[count - 1];
  if (previous === undefined) return (bits & BLOCK) !== 0;
  return previous.kind === 'element' && (previous.bits & BLOCK) !== 0;
}

/** Whether white space there is the indent of a line of code: in cells and boxes that highlighters make of each line. */
function isIndent({ element, count }: Place, source: string, start: number, end: number): boolean {
  if (count > 0 || (element.name !== 'td' && element.name !== 'div')) return false;
  for (let index = start; index < end; index++) if (source.charCodeAt(index) === LINE_FEED) return false;
  return CODE_LINE.test(element.attributes.class ?? '');
}

/** Only the kinds that collapse; no-break spaces do not. */
function isWhiteSpace(text: string, start: number, end: number): boolean {
  for (let index = start; index < end; index++) {
    const code = text.charCodeAt(index);
    if (code !== 32 && (code < 9 || code > 13)) return false;
  }
  return true;
}
