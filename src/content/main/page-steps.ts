import type { ElementNode } from '../tree.ts';
import { type Block, isInline, isShown } from './blocks.ts';
import { Part } from './vocabulary.ts';

/** Longer lines are texts. In characters. */
const MAX_SIZE = 400;

const WORD = /[\p{L}\p{N}]+|[<>«»‹›←→↑⇐⇒⇑]+/gu;
const STEPS = new Set('next previous prev forward up < > << >> « » ‹ › ← → ↑ ⇐ ⇒ ⇑'.split(' '));
/** Other targets of such links, and words next to the steps: `Previous chapter`, `Top of the book`. */
const PLACES = new Set(
  'top contents index home toc first last of the to go table chapter section page topic part book about help'.split(
    ' ',
  ),
);
const NUMBER = /^\d+$/;
/** Before a link: `Next: Arrays`. The method of an iterator is `next: Item`. */
const LABEL = /^\W*(?:Next|Previous|Prev|Up)\s*:(?!:)/;

const RELATIONS = new Set('next prev previous up'.split(' '));
/** The access keys of these links in DocBook manuals of any language. */
const KEYS = new Set('n p u'.split(' '));

/** Of the links in a line. */
const MIN_NEIGHBOURS = 0.5;

const NAVIGATION = Part.Navigation | Part.Pagination | Part.Footer;

/** Lines of one word each. Two could be the methods of an iterator. */
const MIN_RUN = 3;

/** A line of links to neighbours of the page, one whose only link may be such a link, or another line. */
type Kind = 'steps' | 'step' | 'place' | 'other';

/**
 * The lines that lead to the next page, the previous one and those above: `Next: Arrays, Up: Types [Contents]`. Their
 * links have such a relation or access key, or the line has no other words. In manuals such lines have no name, and are
 * inside the element that holds the text.
 *
 * @param isHopeless lines that are not content wherever they lead
 */
export function pageSteps(lines: readonly Block[], isHopeless: readonly boolean[]): ReadonlySet<Block> {
  const found = new Set<Block>();
  for (const line of stepLines(lines, isHopeless)) {
    if (found.has(line)) continue;
    found.add(line);
    const around = navigationAround(line);
    if (!around) continue;
    for (const inside of lines.slice(around.firstLine, around.firstLine + around.lines)) found.add(inside);
  }
  return found;
}

/** The block around the line that is navigation by its name. It also holds the titles of those pages. */
function navigationAround(line: Block): Block | undefined {
  for (let block: Block | undefined = line; block?.isNamedBoilerplate; block = block.parent) {
    if ((block.parts & NAVIGATION) !== 0) return block;
  }
  return undefined;
}

/** The lines themselves. */
function stepLines(lines: readonly Block[], isHopeless: readonly boolean[]): Block[] {
  const found: Block[] = [];
  const run: { line: Block; kind: Kind }[] = [];
  const endRun = () => {
    const isLong = run.length >= MIN_RUN && run.some(({ kind }) => kind === 'step');
    if (isLong || run.some(({ kind }) => kind === 'steps')) found.push(...run.map(({ line }) => line));
    run.length = 0;
  };
  for (const [index, line] of lines.entries()) {
    const kind = isHopeless[index] ? 'other' : kindOf(line);
    if (kind === 'other') endRun();
    else run.push({ line, kind });
  }
  endRun();
  return found;
}

function kindOf(line: Block): Kind {
  if (line.links === 0 || line.size > MAX_SIZE || line.isProse || line.isHeading) return 'other';
  const { beside, labels, neighbours } = readLinks(line);
  // The others are the contents, the index, or the language of the page itself.
  if (neighbours >= MIN_NEIGHBOURS * line.links) return 'steps';
  const words = knownWords(beside);
  if (!words) return 'other';
  if (LABEL.test(beside)) return 'steps';
  const more = knownWords(labels);
  if (!more) return 'other';
  words.push(...more);
  if (!words.some((word) => STEPS.has(word))) return 'place';
  return words.length > 1 ? 'steps' : 'step';
}

interface LineLinks {
  /** The text beside the links, and in them. */
  beside: string;
  labels: string;
  /** The number of links marked as leading to a neighbour. */
  neighbours: number;
}

function readLinks(line: Block): LineLinks {
  const links: LineLinks = { beside: '', labels: '', neighbours: 0 };
  const read = (element: ElementNode, inLink: boolean): void => {
    for (const child of element.children) {
      if (child.kind === 'text') links[inLink ? 'labels' : 'beside'] += child.text;
      else if (isShown(child) && isInline(child)) {
        const isLink = child.name === 'a' && child.attributes.href !== undefined;
        if (isLink && leadsToNeighbour(child)) links.neighbours++;
        if (isLink) links.labels += ' ';
        // Code is not a label, because method names appear in lists of links too.
        if (child.name === 'code') links.beside += ' code ';
        else read(child, inLink || isLink);
      }
    }
  };
  read(line.element, false);
  return links;
}

/** Whether a link leads to a sibling or parent of this page, or to this page in another language. */
function leadsToNeighbour({ attributes }: ElementNode): boolean {
  const relation = attributes.rel?.toLowerCase();
  if (relation === 'alternate') return attributes.get('hreflang') !== undefined;
  if (relation !== undefined) return RELATIONS.has(relation);
  return KEYS.has(attributes.get('accesskey') ?? '');
}

/** The words of a text, if it has only words of such lines. */
function knownWords(text: string): string[] | undefined {
  const words: string[] = [];
  for (const [match] of text.matchAll(WORD)) {
    const word = match.toLowerCase();
    if (!STEPS.has(word) && !PLACES.has(word) && !NUMBER.test(word)) return undefined;
    words.push(word);
  }
  return words;
}
