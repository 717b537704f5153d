import { resolveAddress } from '../address.ts';
import type { ElementNode, PageTree } from '../tree.ts';
import { textOf, walkElements } from '../walk.ts';
import { addValue, MAX_THINGS, type Thing, type Value, withoutVocabulary } from './thing.ts';

/** `itemref` can name one part of a page from many items. This limits the total work. */
const MAX_VISITS = 500_000;
/** The maximum length of a chain of items that refer to each other. */
const MAX_DEPTH = 1_000;

/** The attribute of an element that holds an address. */
const ADDRESS_ATTRIBUTES = new Map([
  ['a', 'href'],
  ['area', 'href'],
  ['link', 'href'],
  ['object', 'data'],
  ...['audio', 'embed', 'iframe', 'img', 'source', 'track', 'video'].map((name) => [name, 'src'] as const),
]);

/** The attribute names of one of the two syntaxes. */
interface Syntax {
  /** Present where an item begins. */
  item: string;
  types: string;
  id: string;
  property: string;
}

const MICRODATA: Syntax = { item: 'itemscope', types: 'itemtype', id: 'itemid', property: 'itemprop' };
const RDFA_LITE: Syntax = { item: 'typeof', types: 'typeof', id: 'resource', property: 'property' };

/** The items at the top of a page's microdata (HTML standard, "Microdata"), with `itemref`. */
export function readMicrodata(tree: PageTree): Thing[] {
  return new ItemReader(tree, MICRODATA).read();
}

/** The items at the top of a page's RDFa (RDFa Lite 1.1); only names of schema.org, or without a prefix, are kept. */
export function readRdfa(tree: PageTree): Thing[] {
  return new ItemReader(tree, RDFA_LITE).read();
}

class ItemReader {
  readonly #tree: PageTree;
  readonly #syntax: Syntax;
  readonly #top: Thing[] = [];
  /** Elements whose item is being read: an `itemref` back to one of them would never end. */
  readonly #open = new Set<ElementNode>();
  #byId: Map<string, ElementNode> | undefined;
  #things = 0;
  #visits = 0;

  constructor(tree: PageTree, syntax: Syntax) {
    this.#tree = tree;
    this.#syntax = syntax;
  }

  read(): Thing[] {
    this.#readChildren(this.#tree.root, undefined, 0);
    return this.#top;
  }

  #readChildren(parent: ElementNode, item: Thing | undefined, depth: number): void {
    for (const child of parent.children) if (child.kind === 'element') this.#readElement(child, item, depth);
  }

  #readElement(element: ElementNode, item: Thing | undefined, depth: number): void {
    if (++this.#visits > MAX_VISITS || depth > MAX_DEPTH || this.#open.has(element)) return;
    const { attributes } = element;
    const names = item ? propertyNames(attributes.get(this.#syntax.property)) : [];
    if (attributes.has(this.#syntax.item) && this.#things < MAX_THINGS) {
      const thing = this.#readItem(element, depth);
      for (const name of names) if (item) addValue(item, name, thing);
      if (names.length === 0) this.#top.push(thing);
      return;
    }
    if (item && names.length > 0) {
      const value = itemValue(element, this.#tree.baseUrl);
      for (const name of names) addValue(item, name, value);
    }
    this.#readChildren(element, item, depth + 1);
  }

  #readItem(element: ElementNode, depth: number): Thing {
    this.#things++;
    const { attributes } = element;
    const types = (attributes.get(this.#syntax.types) ?? '').trim().split(/\s+/);
    const thing: Thing = { types: types.map((type) => withoutVocabulary(type).toLowerCase()), properties: new Map() };
    const id = attributes.get(this.#syntax.id);
    if (id) thing.id = id;
    this.#open.add(element);
    this.#readChildren(element, thing, depth + 1);
    for (const reference of attributes.itemref?.trim().split(/\s+/) ?? []) {
      const referred = this.#elementById(reference);
      if (referred) this.#readElement(referred, thing, depth + 1);
    }
    this.#open.delete(element);
    return thing;
  }

  #elementById(id: string): ElementNode | undefined {
    this.#byId ??= indexById(this.#tree);
    return this.#byId.get(id);
  }
}

/** HTML standard, "Values" of microdata; `content` counts on every element, as in schema.org's own examples. */
function itemValue(element: ElementNode, baseUrl: string): Value {
  const { name, attributes } = element;
  const { content } = attributes;
  if (content !== undefined) return content.trim();
  const address = attributes.get(ADDRESS_ATTRIBUTES.get(name) ?? 'resource');
  if (address !== undefined) return resolveAddress(address, baseUrl) ?? address.trim();
  if (name === 'time' && attributes.datetime) return attributes.datetime.trim();
  if ((name === 'data' || name === 'meter') && attributes.value) return attributes.value.trim();
  return textOf(element);
}

function propertyNames(attribute = ''): string[] {
  const names = attribute.trim().split(/\s+/).map(withoutVocabulary);
  return names.filter((name) => name !== '' && !name.includes(':'));
}

function indexById(tree: PageTree): Map<string, ElementNode> {
  const byId = new Map<string, ElementNode>();
  walkElements(tree.root.children, (element) => {
    const { id } = element.attributes;
    if (id && !byId.has(id)) byId.set(id, element);
  });
  return byId;
}
