import type { Block, PageBlocks } from './blocks.ts';

/**
 * What it costs, in words, when a block is content and the one around it is not, or the other way round. What these tags
 * mark is part of what stands around it: a text does not go without its headings, its terms and its code.
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
 * In content, structure is worth so much more a word, as a share of the likelihood that lines need; and more where the
 * content is dense. On generators of documentation that training has not seen, the higher bonus brings lost headings from
 * 4.0 to 3.2 % and lost code from 1.8 to 1.5 %, and costs 0.0015 of F1.
 */
const BONUS = 0.1;
const DENSE_BONUS = 0.5;
/** The mean likelihood of the words from which on content begins to be dense, and where it is. */
const SPARSE = 0.6;
const DENSE = 0.9;
/** An element that holds so much of the content, as is expected, is a region of its own. */
const REGION_SHARE = 0.8;

/** From this share of links on, text is links. */
const LINKS = 0.9;

const CHARACTERS_PER_WORD = 6;

/** Of a block and all below it, in words: what it is worth as content, and what as anything else. */
interface Worth {
  content: number;
  rest: number;
}

/**
 * Marks the lines of the regions that are content: of all ways to part the tree of blocks into content and the rest, the
 * one that is worth most. A line is worth its words times how much likelier than `least` it is, and each border between
 * the two costs. It is exact in one pass up and one down, because the blocks are a tree.
 *
 * @param likelihoods of the lines, by index; 0 for those that are never content
 */
export function chooseRegions(blocks: PageBlocks, likelihoods: readonly number[], least: number): void {
  const chooser = new RegionChooser(densities(blocks, likelihoods), likelihoods, least);
  const { content, rest } = chooser.weigh(blocks.root, 0);
  chooser.mark(blocks.root, content > rest);
}

/**
 * From the whole page down to the deepest element that holds most of the content: the mean likelihood of the words in it,
 * without what is boilerplate by its name.
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
  /** Blocks that are better off unlike the block around them, if that is content, and if it is not. */
  readonly #leaving = new Set<Block>();
  readonly #entering = new Set<Block>();
  /** The same of lines that have blocks beside them. */
  readonly #leavingLines = new Set<Block>();
  readonly #enteringLines = new Set<Block>();

  constructor(densities: ReadonlyMap<Block, number>, likelihoods: readonly number[], least: number) {
    this.#densities = densities;
    this.#likelihoods = likelihoods;
    this.#least = least;
  }

  /** @param around the density of the region around the block */
  weigh(block: Block, around: number): Worth {
    const density = this.#densities.get(block) ?? around;
    let { content, rest } = this.#weighLine(block);
    for (const child of block.children) {
      if (child.lines === 0) continue;
      const worth = this.weigh(child, density);
      const border = borderOf(child);
      const leaves = worth.rest - border;
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

  /** Beside blocks below it, a line is like one of them: a date in an article that is not in a block of its own. */
  #weighLine(block: Block): Worth {
    if (block.size === 0) return { content: 0, rest: 0 };
    const likelihood = this.#likelihoods[block.firstLine] ?? 0;
    const worth = likelihood === 0 ? Number.NEGATIVE_INFINITY : block.words * (likelihood - this.#least);
    if (block.lines === 1) return { content: worth, rest: 0 };
    const border = borderOf(block);
    if (worth < -border) this.#leavingLines.add(block);
    if (worth > border) this.#enteringLines.add(block);
    return { content: Math.max(worth, -border), rest: Math.max(0, worth - border) };
  }

  #bonusOf(block: Block, density: number): number {
    if (block.isNamedBoilerplate || !isStructure(block)) return 0;
    const denseness = Math.min(1, Math.max(0, (density - SPARSE) / (DENSE - SPARSE)));
    const bonus = BONUS + denseness * (DENSE_BONUS - BONUS);
    return (bonus * this.#least * block.text) / CHARACTERS_PER_WORD;
  }
}

/** A name that tells that a block is boilerplate is a border already. */
function borderOf(block: Block): number {
  if (block.isNamedBoilerplate) return 0;
  return isStructure(block) ? STRUCTURE_BORDER : BORDER;
}

/** Lists and cells of links are menus as often as content: with them, F1 is 0.001 lower. */
function isStructure({ element, link, text, isHeading }: Block): boolean {
  if (!STRUCTURE.has(element.name)) return false;
  return isHeading || element.name === 'dt' || link < LINKS * text;
}
