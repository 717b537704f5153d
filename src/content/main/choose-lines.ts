import type { ElementNode } from '../tree.ts';
import type { Block, PageBlocks } from './blocks.ts';
import { chooseRegions } from './choose-regions.ts';
import { settleContentsLists } from './contents-lists.ts';
import { dropCopies } from './drop-copies.ts';
import { keepWithText } from './keep-with-text.ts';
import { levelLikeLines } from './like-lines.ts';
import { dropLoneTitles } from './lone-titles.ts';
import { withLooseText } from './loose-text.ts';
import type { MainContentOptions } from './main-content.ts';
import { Part } from './vocabulary.ts';

/** How much more a word too many costs than a word too few. */
const CLEAN_CAUTION = 1.5;

/** Below 1, even the least likely lines worth keeping have some value. At 1, cross-validated F1 is only 0.0001 higher. */
const LOWEST_SHARE = 0.8;

const MAX_TITLE = 300;

/** Details next to a text: author, date, captions, categories. */
const BESIDE_TEXT = Part.Author | Part.Caption | Part.Tags | Part.Signature;
/** Parts with a larger share of the page are more than their name says. */
const MAX_BESIDE_SHARE = 0.2;
const MAX_CLEAN_LINK = 40;
const ITEMS = new Set('li td th h1 h2 h3 h4 h5 h6'.split(' '));

/** Marks the lines that are content, by their likelihood and by the regions that they are in. */
export function chooseLines(
  blocks: PageBlocks,
  logOdds: readonly number[],
  { url, title, clean }: Pick<MainContentOptions, 'url' | 'title' | 'clean'>,
): void {
  const { root, lines } = blocks;
  const levelled = levelLikeLines(lines, logOdds).map((odds) => 1 / (1 + Math.exp(-odds)));
  const likelihoods = withLooseText(lines, levelled);
  chooseRegions(blocks, likelihoods, leastLikelihood(lines, likelihoods, clean ? CLEAN_CAUTION : 1));
  dropCopies(lines);
  settleContentsLists(lines, likelihoods, url);
  keepWithText(blocks, likelihoods);
  dropLoneTitles(lines, likelihoods);
  if (clean) for (const line of lines) line.isKept &&= !isBesideText(line, root.text);
  keepTitle(lines, title);
}

/**
 * The likelihood above which a line is worth keeping. It gives the highest expected F1 of the words: 2 × kept words that are
 * content ÷ (kept words + words that are content). A page of likely lines keeps them all; a page of doubtful lines keeps the
 * better ones, where a fixed limit would keep nothing. In theory a line pays from half of that F1 on, but the least likely
 * line that pays is often far above that.
 */
function leastLikelihood(lines: readonly Block[], likelihoods: readonly number[], caution: number): number {
  const order = lines.map((_, index) => index).sort((one, other) => at(likelihoods, other) - at(likelihoods, one));
  let content = 0;
  for (const [index, line] of lines.entries()) content += at(likelihoods, index) * line.words;
  let kept = 0;
  let keptContent = 0;
  let best = 0;
  let lowest = 1;
  for (const index of order) {
    const words = lines[index]?.words ?? 0;
    kept += words;
    keptContent += words * at(likelihoods, index);
    const f1 = keptContent / (caution * kept + content);
    if (f1 <= best) continue;
    best = f1;
    lowest = at(likelihoods, index);
  }
  const paying = caution * best;
  return paying + LOWEST_SHARE * (lowest - paying);
}

/**
 * Keeps the title of the page: the heading named by the metadata, else the first one in the content, else the last one
 * above it. A heading that is entirely a link is the name of the site.
 */
function keepTitle(lines: readonly Block[], title: ElementNode | undefined): void {
  // A title alone is not content. If no line was kept, the whole page is.
  if (!lines.some(({ isKept }) => isKept)) return;
  let above: Block | undefined;
  for (const line of lines) {
    if (title ? line.element === title : isTitle(line)) above = line;
    if (title ? above : line.isKept) break;
  }
  if (above) above.isKept = true;
}

function isTitle({ element, size, linkSize }: Block): boolean {
  return element.name === 'h1' && size <= MAX_TITLE && linkSize < 0.9 * size;
}

function isBesideText(line: Block, total: number): boolean {
  if (line.isProse) return false;
  if (line.linkSize > 0.9 * line.size && line.size < MAX_CLEAN_LINK && !ITEMS.has(line.element.name)) return true;
  for (let block: Block | undefined = line; block && block.text < MAX_BESIDE_SHARE * total; block = block.parent) {
    if ((block.parts & BESIDE_TEXT) !== 0) return true;
  }
  return false;
}

function at(values: readonly number[], index: number): number {
  return values[index] ?? 0;
}
