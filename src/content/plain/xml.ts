import { Parser } from 'htmlparser2';
import { collapse } from '../walk.ts';

/** Feeds and sitemaps are 5 levels deep. The limit also keeps the parser's search for the matching tag short. */
const MAX_DEPTH = 100;
/** A sitemap holds at most 50,000 addresses of up to 5 elements each. */
const MAX_ELEMENTS = 500_000;
const MAX_LENGTH = 50_000_000;

/** An element of an XML document: names as written, with their prefix. */
export class XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** Elements and pieces of text and CDATA (references decoded), in order. */
  readonly content: (XmlElement | string)[] = [];

  constructor(name: string, attributes: Readonly<Record<string, string>>) {
    this.name = name;
    this.attributes = attributes;
  }

  get children(): XmlElement[] {
    return this.content.filter((node) => typeof node !== 'string');
  }

  /** The element's own text. */
  get text(): string {
    return this.content.filter((node) => typeof node === 'string').join('');
  }

  all(name: string): XmlElement[] {
    return this.children.filter((child) => child.name === name);
  }

  first(...names: string[]): XmlElement | undefined {
    for (const name of names) {
      const found = this.children.find((child) => child.name === name);
      if (found) return found;
    }
    return undefined;
  }

  /** The text of the first child with one of these names and any text, with white space collapsed. */
  textOf(...names: string[]): string | undefined {
    for (const name of names) {
      const text = collapse(this.first(name)?.text ?? '');
      if (text !== '') return text;
    }
    return undefined;
  }

  /** All text inside, at any depth. */
  deepText(): string {
    return collapse(this.content.map((node) => (typeof node === 'string' ? node : ` ${node.deepText()} `)).join(''));
  }
}

class TooLarge extends Error {}

/**
 * The root element of an XML document (XML 1.0), read tolerantly: no document type, no entity declarations (so nothing
 * can expand), no validation. Undefined when there is none or the document exceeds the limits on depth and size.
 */
export function readXml(source: string): XmlElement | undefined {
  if (source.length > MAX_LENGTH) return undefined;
  const document = new XmlElement('', {});
  const open = [document];
  let count = 0;
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        if (open.length > MAX_DEPTH || ++count > MAX_ELEMENTS) throw new TooLarge();
        const element = new XmlElement(name, attributes);
        open.at(-1)?.content.push(element);
        open.push(element);
      },
      ontext(text) {
        open.at(-1)?.content.push(text);
      },
      onclosetag() {
        if (open.length > 1) open.pop();
      },
    },
    { xmlMode: true },
  );
  try {
    parser.end(source);
  } catch (error) {
    if (error instanceof TooLarge) return undefined;
    throw error;
  }
  return document.children[0];
}
