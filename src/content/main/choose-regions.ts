import type { Block, PageBlocks } from './blocks.ts';

/**
 * The cost, in words, of a border: a block is content and the block around it is not, or the other way round. These tags mark
 * parts of the text around them, so their border costs more: a text keeps its headings, terms and code.
 */
const BORDER = 0.3;
const STRUCTURE_BORDER = 1;
const STRUCTURE = new Set(
  (
    'p h1 h2 h3 h4 h5 h6 dl dt dd pre ul ol li table caption thead tbody tfoot tr td th blockquote figure figcaption ' +
    'details summary'
  ).split(' '),
);

/**
 * What each word of structure inside content is worth in addition, as a share of the likelihood that lines need. Dense content
 * has the higher bonus: on documentation generators left out of training, it cuts lost headings from 4.0 to 3.2 % and lost
 * code from 1.8 to 1.5 %, and costs 0.0015 of F1.
 */
const BONUS = 0.1;
const DENSE_BONUS = 0.5;
/** The bonus grows with the mean likelihood of a region's words, from the first of these values to the second. */
const SPARSE = 0.6;
const DENSE = 0.9;
/** An element with at least this share of the expected content is a region with a density of its own. */
const REGION_SHARE = 0.8;

/** Text with at least this share of links counts as links. */
const LINKS = 0.9;

/** Of the text of a list of terms. Dates and tags are in such lists too, without paragraphs. */
const TERMS_PROSE = 0.5;

const CHARACTERS_PER_WORD = 6;

/** The value of a block and everything below it, in words: if it is content, and if it is not. */
interface Worth {
  content: number;
  rest: number;
}

/**
 * Marks the lines of the regions that are content. Of all ways to split the tree of blocks into content and the rest, it takes
 * the one with the highest value: a line is worth its words times its likelihood above `least`, and each border has a cost.
 * Because the blocks are a tree, one pass up and one pass down find the exact optimum.
 *
 * @param likelihoods of the lines, by index; 0 for those that are never content
 */
export function chooseRegions(blocks: PageBlocks, likelihoods: readonly number[], least: number): void {
  const chooser = new RegionChooser(densities(blocks, likelihoods), likelihoods, least);
  const { content, rest } = chooser.weigh(blocks.root, 0);
  chooser.mark(blocks.root, content > rest);
}

/**
 * The mean likelihood of the words in each element from the whole page down to the deepest one that holds most of the content.
 * Elements named as boilerplate do not count.
 */
function densities({ root, lines }: PageBlocks, likelihoods: readonly number[]): Map<Block, number> {
  const words = new Float64Array(lines.length + 1);
  const content = new Float64Array(lines.length + 1);
  for (const [index, line] of lines.entries()) {
    const own = line.isNamedBoilerplate ? 0 : line.words;
    words[index + 1] = (words[index] ?? 0) + own;
    content[index + 1] = (content[index] ?? 0) + own * (likelihoods[index] ?? 0);
  }
  const within = (sums: Float64Array, { firstLine, lines: count }: Block) =>
    (sums[firstLine + count] ?? 0) - (sums[firstLine] ?? 0);
  const found = new Map<Block, number>();
  const least = REGION_SHARE * within(content, root);
  for (let region: Block | undefined = root; region && !found.has(region); ) {
    found.set(region, within(content, region) / Math.max(1, within(words, region)));
    region = region.children.find((child) => within(content, child) > least);
  }
  return found;
}

class RegionChooser {
  readonly #densities: ReadonlyMap<Block, number>;
  readonly #likelihoods: readonly number[];
  readonly #least: number;
  /** Blocks that differ from the block around them, if that block is content, and if it is not. */
  readonly #leaving = new Set<Block>();
  readonly #entering = new Set<Block>();
  /** The same for lines that have blocks beside them. */
  readonly #leavingLines = new Set<Block>();
  readonly #enteringLines = new Set<Block>();

  constructor(densities: ReadonlyMap<Block, number>, likelihoods: readonly number[], least: number) {
    this.#densities = densities;
    this.#likelihoods = likelihoods;
    this.#least = least;
  }

  /**
   * @param around the density of the region around the block
   * @param inTerms whether the block is in a list of terms
   */
  weigh(block: Block, around: number, inTerms = false): Worth {
    const density = this.#densities.get(block) ?? around;
    let { content, rest } = this.#weighLine(block, inTerms);
    for (const child of block.children) {
      if (child.lines === 0) continue;
      const isTerms = !child.isNamedBoilerplate && (inTerms ? isStructure(child) : isTermList(child));
      const worth = this.weigh(child, density, isTerms);
      const border = borderOf(child);
      const leaves = isTerms && Number.isFinite(worth.content) ? Number.NEGATIVE_INFINITY : worth.rest - border;
      const stays = worth.content + this.#bonusOf(child, density);
      const enters = worth.content - border;
      if (leaves > stays) this.#leaving.add(child);
      if (enters > worth.rest) this.#entering.add(child);
      content += Math.max(leaves, stays);
      rest += Math.max(enters, worth.rest);
    }
    return { content, rest };
  }

  mark(block: Block, isContent: boolean): void {
    block.isKept = block.size > 0 && (isContent ? !this.#leavingLines.has(block) : this.#enteringLines.has(block));
    for (const child of block.children) {
      this.mark(child, isContent ? !this.#leaving.has(child) : this.#entering.has(child));
    }
  }

  /** A line with blocks beside it is decided like one of them: a date in an article, without an element of its own. */
  #weighLine(block: Block, inTerms: boolean): Worth {
    if (block.size === 0) return { content: 0, rest: 0 };
    const likelihood = this.#likelihoods[block.firstLine] ?? 0;
    const worth = likelihood === 0 ? Number.NEGATIVE_INFINITY : block.words * (likelihood - this.#least);
    if (block.lines === 1) return { content: worth, rest: 0 };
    const border = borderOf(block);
    const leaves = inTerms && Number.isFinite(worth) ? Number.NEGATIVE_INFINITY : -border;
    if (worth < leaves) this.#leavingLines.add(block);
    if (worth > border) this.#enteringLines.add(block);
    return { content: Math.max(worth, leaves), rest: Math.max(0, worth - border) };
  }

  #bonusOf(block: Block, density: number): number {
    if (block.isNamedBoilerplate || !isStructure(block)) return 0;
    const denseness = Math.min(1, Math.max(0, (density - SPARSE) / (DENSE - SPARSE)));
    const bonus = BONUS + denseness * (DENSE_BONUS - BONUS);
    return (bonus * this.#least * block.text) / CHARACTERS_PER_WORD;
  }
}

/** A block that is boilerplate by its name may be cut out for free. */
function borderOf(block: Block): number {
  if (block.isNamedBoilerplate) return 0;
  return isStructure(block) ? STRUCTURE_BORDER : BORDER;
}

/**
 * A list of terms with paragraphs below them is content where the text around it is, as a whole. A reference has sections of
 * nothing else, which look like the comments below an article. None of the labelled pages has such a list to drop.
 */
function isTermList({ element, prose, text }: Block): boolean {
  return element.name === 'dl' && prose >= TERMS_PROSE * text;
}

/** Lists and cells that consist of links are menus as often as content. Counting them as structure costs 0.001 of F1. */
function isStructure({ element, link, text, isHeading }: Block): boolean {
  if (!STRUCTURE.has(element.name)) return false;
  return isHeading || element.name === 'dt' || link < LINKS * text;
}
