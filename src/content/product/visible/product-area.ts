import { lettersOf } from '../../letters.ts';
import { Name } from './box-names.ts';
import { type Box, outward, type PageBoxes, shownText } from './page-boxes.ts';

/** Points for names that suggest a part of the page is not about its product. */
const FOREIGN_NAMES: readonly (readonly [name: number, points: number])[] = [
  [Name.Cart, 6],
  [Name.Filter, 6],
  [Name.Related, 5],
  [Name.Navigation, 5],
  [Name.Breadcrumbs, 5],
  [Name.Overlay, 3],
  [Name.Reviews, 3],
  [Name.Card, 2],
];
const FOREIGN_TAGS: ReadonlyMap<string, number> = new Map([
  ['nav', 6],
  ['footer', 6],
  ['dialog', 6],
  ['header', 3],
  ['aside', 2],
]);
/** Points for one of many products that each have their own page. */
const ONE_OF_MANY = 8;
/** A part with at least this many points is not about the page's product. */
const FOREIGN = 4;
/** How many links or images of an element to look at. A product card has fewer. */
const MAX_LOOKED_AT = 50;
/** This many similar elements are a list even without pictures. */
const MANY = 3;

/** Tells where things are in relation to the title of the product. */
export class ProductArea {
  /** The heading and its copies, in document order. */
  readonly titles: readonly Box[];
  readonly #around: ReadonlySet<Box>;
  readonly #page: PageBoxes;
  readonly #url: URL;
  readonly #prices = new Alike();
  readonly #buttons = new Alike();
  readonly #known = new Map<Box, number>();
  /** Lines that repeat the title. */
  readonly #repeats: readonly Box[];

  /**
   * @param prices elements with a price
   * @param buttons buy buttons
   */
  constructor(
    page: PageBoxes,
    titles: readonly Box[],
    { prices, buttons }: { prices: readonly Box[]; buttons: readonly Box[] },
    url: string,
  ) {
    this.titles = titles;
    this.#page = page;
    this.#url = new URL(url);
    this.#around = new Set([page.root, ...titles.flatMap((title) => [...outward(title)])]);
    this.#repeats = repeatsOf(titles, page);
    for (const price of prices) this.#prices.add(price);
    for (const button of buttons) this.#buttons.add(button);
  }

  isTitle(box: Box): boolean {
    return this.titles.some((title) => isWithin(box, title));
  }

  /** The innermost element that holds both the box and the title. */
  commonWithTitle(box: Box): Box {
    for (const outer of outward(box)) if (this.#around.has(outer)) return outer;
    return this.#page.root;
  }

  /**
   * Characters from the end of the nearest title above. If there is none, a negative number: the distance to the title
   * below.
   */
  distanceFromTitle(offset: number): number {
    const above = this.titles.findLast(({ end }) => end <= offset);
    if (above) return offset - above.end;
    return offset - (this.titles[0]?.end ?? offset);
  }

  /**
   * The names of the box and of the elements around it that do not contain the title.
   * @param limit characters of text; names of larger elements belong to the whole product
   */
  namesAround(box: Box, limit = Number.POSITIVE_INFINITY): number {
    let names = 0;
    for (const outer of outward(box)) {
      if (this.#around.has(outer) || outer.end - outer.start > limit) break;
      names |= outer.names;
    }
    return names;
  }

  /** Whether the box is in a part of the page that is not about the product. */
  isForeign(box: Box): boolean {
    return this.pointsAgainst(box) >= FOREIGN;
  }

  /**
   * The evidence against the box being about the product: the most points of any element around it that does not
   * contain the title.
   */
  pointsAgainst(box: Box): number {
    if (this.#around.has(box)) return 0;
    const known = this.#known.get(box);
    if (known !== undefined) return known;
    const points = Math.max(box.parent ? this.pointsAgainst(box.parent) : 0, this.#ownPoints(box));
    this.#known.set(box, points);
    return points;
  }

  #ownPoints(box: Box): number {
    let points = FOREIGN_TAGS.get(box.element.name) ?? 0;
    if ((box.names & (Name.Product | Name.Buy)) === 0) {
      for (const [name, against] of FOREIGN_NAMES) if ((box.names & name) !== 0) points = Math.max(points, against);
    }
    return this.#isOneOfMany(box) ? ONE_OF_MANY : points;
  }

  /** Whether the box offers something with its own page, next to similar boxes that do too. */
  #isOneOfMany(box: Box): boolean {
    const alike = Math.max(this.#prices.count(box), this.#buttons.count(box));
    if (alike < 2 || !this.#leadsAway(box)) return false;
    // In a list of variants or sets, the product itself is one of many.
    if (some(this.#repeats, box, () => true)) return false;
    return alike >= MANY || some(this.#page.images, box, () => true);
  }

  #leadsAway(box: Box): boolean {
    return some(this.#page.links, box, (link) => this.isElsewhere(link.element.attributes.href));
  }

  /** Whether an address leads to another page. */
  isElsewhere(href = ''): boolean {
    const url = URL.parse(href, this.#url.href);
    if (href === '' || url === null || !url.protocol.startsWith('http')) return false;
    return url.hostname !== this.#url.hostname || plainPath(url) !== plainPath(this.#url);
  }
}

function repeatsOf([title]: readonly Box[], { lines }: PageBoxes): Box[] {
  const letters = title ? lettersOf(shownText(title)) : '';
  if (letters === '') return [];
  const repeats = lines.filter(
    ({ text, box }) => box !== title && text.length <= 2 * letters.length && lettersOf(text) === letters,
  );
  return repeats.map(({ box }) => box);
}

/**
 * Counts similar siblings: for each element that holds one of the added boxes, the siblings of the same kind that do
 * too.
 */
class Alike {
  readonly #holding = new Set<Box>();
  readonly #kinds = new Map<Box, Map<string, number>>();

  add(inner: Box): void {
    for (const box of outward(inner)) {
      if (this.#holding.has(box)) return;
      this.#holding.add(box);
      if (box.parent === undefined) return;
      const kinds = this.#kinds.get(box.parent) ?? new Map<string, number>();
      this.#kinds.set(box.parent, kinds);
      kinds.set(kindOf(box), (kinds.get(kindOf(box)) ?? 0) + 1);
    }
  }

  /** Includes the box itself. Zero if it holds none of the added boxes. */
  count(box: Box): number {
    if (!this.#holding.has(box) || box.parent === undefined) return 0;
    return this.#kinds.get(box.parent)?.get(kindOf(box)) ?? 0;
  }
}

export function isWithin(box: Box, outer: Box): boolean {
  for (const each of outward(box)) if (each === outer) return true;
  return false;
}

/** Elements with the same tag and first class are of the same kind. */
function kindOf({ element: { name, attributes } }: Box): string {
  return `${name} ${attributes.class?.trim().split(/\s/, 1)[0] ?? ''}`;
}

function plainPath({ pathname }: URL): string {
  return pathname.replace(/\/$/, '');
}

/** Whether one of the first `boxes` in `outer` passes the test. `boxes` must be in document order. */
function some(boxes: readonly Box[], outer: Box, test: (box: Box) => boolean): boolean {
  const from = firstFrom(boxes, outer.start);
  return boxes
    .slice(from, from + MAX_LOOKED_AT)
    .some((box) => box.start <= outer.end && isWithin(box, outer) && test(box));
}

/** The index of the first box that starts at or after `offset`. */
function firstFrom(boxes: readonly Box[], offset: number): number {
  let [low, high] = [0, boxes.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((boxes[middle]?.start ?? 0) < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}
