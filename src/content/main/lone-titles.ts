import type { Block } from './blocks.ts';
import { sectionEnds } from './section-ends.ts';

/** The minimum text of a section without its heading. Less could be the button below the name of a product. */
const MIN_LINES = 3;
const MIN_SIZE = 200;
/** Headings with a higher likelihood are names. Of 74 below it on the labelled pages, 63 are not content. */
const MAX_LIKELIHOOD = 0.6;

/** A label above a list of links, such as `Table of contents`. */
const MAX_LABEL = 40;
const MIN_LINKS = 0.7;

/** Drops headings that were kept without anything of their section, such as `Related products`. */
export function dropLoneTitles(lines: readonly Block[], likelihoods: readonly number[]): void {
  const sections = new Sections(lines);
  for (const [index, line] of lines.entries()) {
    if (!line.isKept || (!line.isHeading && line.size > MAX_LABEL)) continue;
    const { count, size, linkSize } = sections.below(index, line);
    if (count < MIN_LINES || size < MIN_SIZE) continue;
    const isTitle = line.isHeading ? (likelihoods[index] ?? 0) < MAX_LIKELIHOOD : linkSize >= MIN_LINKS * size;
    if (isTitle) line.isKept = false;
  }
}

/** The dropped lines of a section; none if one of its lines was kept. */
interface Dropped {
  count: number;
  size: number;
  linkSize: number;
}
const NOTHING: Dropped = { count: 0, size: 0, linkSize: 0 };

class Sections {
  readonly #ends: Uint32Array;
  /** Of all lines before each. */
  readonly #kept: Uint32Array;
  readonly #sizes: Float64Array;
  readonly #linkSizes: Float64Array;

  constructor(lines: readonly Block[]) {
    this.#ends = sectionEnds(lines);
    this.#kept = new Uint32Array(lines.length + 1);
    this.#sizes = new Float64Array(lines.length + 1);
    this.#linkSizes = new Float64Array(lines.length + 1);
    for (const [index, { isKept, size, linkSize }] of lines.entries()) {
      this.#kept[index + 1] = (this.#kept[index] ?? 0) + Number(isKept);
      this.#sizes[index + 1] = (this.#sizes[index] ?? 0) + size;
      this.#linkSizes[index + 1] = (this.#linkSizes[index] ?? 0) + linkSize;
    }
  }

  /**
   * The lines that follow a heading in its parent element, up to the next heading, or those after a label that comes
   * first in its element.
   */
  below(index: number, line: Block): Dropped {
    let box = line;
    while (box.parent && box.lines === line.lines) box = box.parent;
    if (!line.isHeading && box.firstLine !== index) return NOTHING;
    const start = index + 1;
    const end = Math.min(this.#ends[index] ?? 0, box.firstLine + box.lines);
    if (end <= start || this.#kept[start] !== this.#kept[end]) return NOTHING;
    return {
      count: end - start,
      size: (this.#sizes[end] ?? 0) - (this.#sizes[start] ?? 0),
      linkSize: (this.#linkSizes[end] ?? 0) - (this.#linkSizes[start] ?? 0),
    };
  }
}
