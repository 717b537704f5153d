import type { PageMetadata } from '../page-content.ts';
import type { Block, PageBlocks } from './blocks.ts';
import { pageTypePoints } from './page-type.ts';

/** What a page declares about itself. */
export interface PageSigns {
  url: string;
  metadata: PageMetadata;
  /** The number of occurrences of each schema.org type. */
  schemaTypes: ReadonlyMap<string, number>;
}

/** Facts about all lines of a page together. Indices refer to lines; -1 means none. */
export interface PageFacts {
  /** Sizes of all lines. */
  total: number;
  /** The total size of all lines before each line, and before the end. */
  before: Float64Array;
  linkBefore: Float64Array;
  /** The first `<h1>` that is not entirely a link, because such a link is the name of the site. */
  title: number;
  firstProse: number;
  lastProse: number;
  /** The nearest prose before and after each line. */
  previousProse: Int32Array;
  nextProse: Int32Array;
  /** The nearest heading before or at each line. */
  headings: Int32Array;
  /** The number of lines with the same text, by hash. */
  copies: ReadonlyMap<number, number>;
  /** The deepest elements that hold most of the prose, and most of the text outside links. */
  proseContainer: Block;
  textContainer: Block;
  /** Numbers about the page as a whole. */
  page: readonly number[];
}

const PROSE_SHARE = 0.7;
const TEXT_SHARE = 0.85;

/** Parts of a text, of a list or of a table, which are never the content as a whole. */
const TOO_SMALL = new Set('p li ul ol dl table tbody tr pre h1 h2 h3 h4 h5 h6'.split(' '));

const MAX_PRICE_LINE = 60;

export function readPageFacts({ root, lines }: PageBlocks, signs: PageSigns): PageFacts {
  const count = lines.length;
  const before = new Float64Array(count + 1);
  const linkBefore = new Float64Array(count + 1);
  const previousProse = new Int32Array(count);
  const nextProse = new Int32Array(count);
  const headings = new Int32Array(count);
  const copies = new Map<number, number>();
  let title = -1;
  let firstProse = -1;
  let lastProse = -1;
  let previous = -1;
  let heading = -1;
  for (const [index, line] of lines.entries()) {
    before[index + 1] = (before[index] ?? 0) + line.size;
    linkBefore[index + 1] = (linkBefore[index] ?? 0) + line.linkSize;
    copies.set(line.hash, (copies.get(line.hash) ?? 0) + 1);
    if (title < 0 && line.element.name === 'h1' && line.linkSize < 0.9 * line.size) title = index;
    if (line.isHeading) heading = index;
    headings[index] = heading;
    previousProse[index] = previous;
    if (!line.isProse) continue;
    previous = index;
    if (line.isNamedBoilerplate) continue;
    if (firstProse < 0) firstProse = index;
    lastProse = index;
  }
  let next = -1;
  for (let index = count - 1; index >= 0; index--) {
    nextProse[index] = next;
    if (lines[index]?.isProse) next = index;
  }
  const proseContainer = containerOf(root, PROSE_SHARE, 'unnamedProse');
  const textContainer = containerOf(root, TEXT_SHARE, 'unnamedText');
  return {
    total: Math.max(1, root.text),
    before,
    linkBefore,
    title,
    firstProse,
    lastProse,
    previousProse,
    nextProse,
    headings,
    copies,
    proseContainer,
    textContainer,
    page: [
      ...shapeOf(lines, proseContainer),
      textContainer.text / Math.max(1, root.text),
      textContainer.prose / Math.max(1, textContainer.text),
      ...pageTypePoints(signs),
    ],
  };
}

/** Descends from the root as long as one child holds that share of its parent's amount. */
function containerOf(root: Block, share: number, weight: 'unnamedProse' | 'unnamedText'): Block {
  let container = root;
  for (;;) {
    const least = Math.max(1, container[weight] * share);
    const next = container.children.find((child) => child[weight] >= least);
    if (!next || TOO_SMALL.has(next.element.name)) return container;
    container = next;
  }
}

/** Counts only blocks that are not boilerplate by name. */
function shapeOf(lines: readonly Block[], container: Block): number[] {
  let text = 0;
  let prose = 0;
  let link = 0;
  let count = 0;
  let prices = 0;
  const inside = { text: 0, prose: 0, link: 0, count: 0, headings: 0 };
  for (const [index, line] of lines.entries()) {
    if (line.isNamedBoilerplate) continue;
    text += line.size;
    link += line.linkSize;
    count++;
    if (line.isProse) prose += line.size;
    if (line.currencies > 0 && line.size < MAX_PRICE_LINE) prices++;
    if (!container.holds(index)) continue;
    inside.text += line.size;
    inside.link += line.linkSize;
    inside.count++;
    if (line.isProse) inside.prose += line.size;
    if (line.isHeading) inside.headings++;
  }
  const whole = Math.max(1, text);
  const held = Math.max(1, inside.text);
  return [
    text,
    prose / whole,
    link / whole,
    count,
    prices,
    inside.text / whole,
    inside.prose / held,
    inside.link / held,
    inside.count,
    inside.headings / Math.max(1, inside.count),
  ];
}
