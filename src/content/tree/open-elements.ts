import type { ElementNode, TreeNode } from '../tree.ts';
import { carryUp } from './count-text.ts';
import { BUTTON, FOREIGN, INTEGRATION, ITEM_FLOW, LIST, SCOPE, SPECIAL, TABLE_SCOPE, TAGS, type Tag } from './tags.ts';

/** One slot on the stack. Slots are reused, so that opening an element allocates only the element. */
export interface Place {
  element: ElementNode;
  tag: Tag;
  /**
   * The children so far: the first `count` entries. The element gets an array of the right size when it is closed. A
   * growing array reserves 17 entries from its first child on, which was half of the memory of a page.
   */
  children: TreeNode[];
  count: number;
  /** The index of the previous open element of the same name, or -1. */
  shadowed: number;
  /** The content of this element is SVG or MathML. */
  foreign: boolean;

  // The nearest slot, from this one downwards, that bounds a scope of the standard:
  /** "has an element in scope" */
  scope: number;
  /** "… in button scope", for paragraphs */
  buttonScope: number;
  /** "… in list item scope", for `</li>` */
  listScope: number;
  /** "… in table scope" */
  tableScope: number;
  /** any special element, for the end tags of inline elements */
  special: number;
  /** a special element other than address, div and p, for the start tags of items */
  itemScope: number;
}

/**
 * The stack of open elements (HTML standard, 13.2.4.2). Every query takes constant time, so 100,000 stray end tags
 * inside 100,000 open elements cost no more than 100,000 others.
 */
export class OpenElements {
  readonly #places: Place[] = [];
  /** By tag id, the index of the innermost open element of that name. */
  readonly #innermost: number[] = new Array<number>(TAGS.size + 1).fill(-1);
  #top = -1;

  constructor(root: ElementNode, tag: Tag) {
    this.push(root, tag);
  }

  /** The index of the current node. That of the root is 0. */
  get top(): number {
    return this.#top;
  }

  /** The slot of the current node. */
  get current(): Place {
    return this.at(this.#top);
  }

  at(index: number): Place {
    const place = this.#places[index];
    if (place === undefined) throw new RangeError(`no open element at ${index}`);
    return place;
  }

  /** The index of the innermost open element of that name, or -1. */
  find(tag: Tag): number {
    return this.#innermost[tag.id] ?? -1;
  }

  /** The innermost index of any of these, or -1. */
  findAny(tags: readonly Tag[]): number {
    let found = -1;
    for (const tag of tags) found = Math.max(found, this.find(tag));
    return found;
  }

  /** @param children the children of an element that is reopened */
  push(element: ElementNode, tag: Tag, children?: TreeNode[]): void {
    const below = this.#places[this.#top];
    const index = ++this.#top;
    const place = this.#place(index, element, tag);
    const { bits } = tag;
    place.count = children?.length ?? 0;
    if (children !== undefined) place.children = children;
    place.shadowed = this.find(tag);
    const inherited = below?.foreign === true && (bits & INTEGRATION) === 0;
    place.foreign = inherited || (bits & FOREIGN) !== 0;
    const isScope = below === undefined || (bits & SCOPE) !== 0;
    const isSpecial = isScope || (bits & SPECIAL) !== 0;
    place.scope = isScope ? index : below.scope;
    place.buttonScope = isScope || (bits & BUTTON) !== 0 ? index : below.buttonScope;
    place.listScope = isScope || (bits & LIST) !== 0 ? index : below.listScope;
    place.tableScope = below === undefined || (bits & TABLE_SCOPE) !== 0 ? index : below.tableScope;
    place.special = isSpecial ? index : below.special;
    place.itemScope = below === undefined || (isSpecial && (bits & ITEM_FLOW) === 0) ? index : below.itemScope;
    this.#innermost[tag.id] = index;
  }

  /** Closes the elements from the top down to and with that at `index`. */
  popTo(index: number): void {
    while (this.#top >= index) {
      const { element, tag, shadowed, children, count } = this.current;
      element.children = count === 0 ? [] : children.slice(0, count);
      carryUp(element);
      this.#innermost[tag.id] = shadowed;
      this.#top--;
    }
  }

  /** Removes the elements above `index` without closing them, and returns them from the bottom up. */
  lift(index: number): Pick<Place, 'element' | 'tag' | 'children'>[] {
    const lifted: Pick<Place, 'element' | 'tag' | 'children'>[] = [];
    while (this.#top > index) {
      const { element, tag, shadowed, children, count } = this.current;
      lifted.push({ element, tag, children: children.slice(0, count) });
      this.#innermost[tag.id] = shadowed;
      this.#top--;
    }
    return lifted.reverse();
  }

  /** The element stays open, but its end tag no longer finds it. */
  forget(index: number): void {
    const place = this.at(index);
    this.#innermost[place.tag.id] = place.shadowed;
  }

  #place(index: number, element: ElementNode, tag: Tag): Place {
    const place = this.#places[index];
    if (place === undefined) {
      const fresh: Place = {
        element,
        tag,
        children: [],
        count: 0,
        shadowed: -1,
        foreign: false,
        scope: 0,
        buttonScope: 0,
        listScope: 0,
        tableScope: 0,
        special: 0,
        itemScope: 0,
      };
      this.#places.push(fresh);
      return fresh;
    }
    place.element = element;
    place.tag = tag;
    return place;
  }
}
