import type { Block, PageBlocks } from './blocks.ts';
import { levelLikeLines } from './like-lines.ts';
import { Part } from './vocabulary.ts';

/** How much more a word too many costs than a word too few. */
const CLEAN_CAUTION = 1.5;

/** Rows of data are kept or dropped as a whole; a row with more lines, or of more of the page, is there for the layout. */
const MAX_ROW_LINES = 30;
const MAX_ROW_SHARE = 0.2;

/** Code needs so much of the likelihood that other lines need. */
const CODE_SHARE = 0.3;

const MAX_TITLE = 300;

/** What stands beside a text: who wrote it and when, what pictures show, what it is filed under. */
const BESIDE_TEXT = Part.Author | Part.Caption | Part.Tags | Part.Signature;
/** Larger shares of a page are more than what their name says. */
const MAX_BESIDE_SHARE = 0.2;
const MAX_CLEAN_LINK = 40;
const ITEMS = new Set('li td th h1 h2 h3 h4 h5 h6'.split(' '));

/** Marks the lines that are content, by how likely each is. */
export function chooseLines({ root, lines }: PageBlocks, logOdds: readonly number[], clean: boolean): void {
  const likelihoods = levelLikeLines(lines, logOdds).map((odds) => 1 / (1 + Math.exp(-odds)));
  levelRows(lines, likelihoods, root.text);
  const least = leastLikelihood(lines, likelihoods, clean ? CLEAN_CAUTION : 1);
  for (const [index, line] of lines.entries()) line.isKept = (likelihoods[index] ?? 0) >= least;
  if (clean) for (const line of lines) line.isKept &&= !isBesideText(line, root.text);
  keepCode(lines, likelihoods, least * CODE_SHARE);
  keepTitle(lines);
}

/**
 * The likelihood from which on lines are kept such that the expected F1 of the words is the highest: 2 × kept words
 * that are content ÷ (kept words + words that are content). A page that is all likely keeps all, one of doubtful
 * lines keeps the better of them, where one limit for all pages would keep nothing.
 */
function leastLikelihood(lines: readonly Block[], likelihoods: readonly number[], caution: number): number {
  const order = lines.map((_, index) => index).sort((one, other) => at(likelihoods, other) - at(likelihoods, one));
  let content = 0;
  for (const [index, line] of lines.entries()) content += at(likelihoods, index) * line.words;
  let kept = 0;
  let keptContent = 0;
  let best = 0;
  let least = 1;
  for (const index of order) {
    const words = lines[index]?.words ?? 0;
    kept += words;
    keptContent += words * at(likelihoods, index);
    const f1 = keptContent / (caution * kept + content);
    if (f1 <= best) continue;
    best = f1;
    least = at(likelihoods, index);
  }
  return least;
}

/** A row with a hole is no row: all its lines get their mean. */
function levelRows(lines: readonly Block[], likelihoods: number[], total: number): void {
  for (let index = 0; index < lines.length; ) {
    const row = rowOf(lines[index]);
    const end = row ? row.firstLine + row.lines : index + 1;
    if (row && row.lines > 1 && row.lines <= MAX_ROW_LINES && row.text < MAX_ROW_SHARE * total) {
      let sum = 0;
      let words = 0;
      for (let inside = index; inside < end; inside++) {
        const weight = (lines[inside]?.words ?? 0) + 1;
        sum += weight * at(likelihoods, inside);
        words += weight;
      }
      likelihoods.fill(sum / words, index, end);
    }
    index = Math.max(end, index + 1);
  }
}

function rowOf(line: Block | undefined): Block | undefined {
  let row = line;
  while (row && row.element.name !== 'tr') row = row.parent;
  return row;
}

/** Code belongs to the text that leads to it, however short it is. */
function keepCode(lines: readonly Block[], likelihoods: readonly number[], least: number): void {
  for (const [index, line] of lines.entries()) {
    if (line.element.name !== 'pre' || !lines[index - 1]?.isKept) continue;
    if (at(likelihoods, index) >= least) line.isKept = true;
  }
}

/** The first heading in the content, else the last one above it. One that is a link as a whole is the name of the site. */
function keepTitle(lines: readonly Block[]): void {
  let above: Block | undefined;
  for (const line of lines) {
    const isTitle = line.element.name === 'h1' && line.size <= MAX_TITLE && line.linkSize < 0.9 * line.size;
    if (isTitle) above = line;
    if (line.isKept) break;
  }
  if (above) above.isKept = true;
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
