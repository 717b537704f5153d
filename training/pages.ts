import { createHash } from 'node:crypto';
import type { DocumentationPackage } from '../bench/content/documentation/packages.ts';
import { documentationPages, readDocumentation } from '../bench/content/documentation/pages.ts';
import { domainOf, FOLDS, foldOf } from '../bench/content/folds.ts';
import { type LabelledPage, readHtml, readLabels } from '../bench/content/labelled-pages.ts';
import { wordsOf } from '../bench/content/score.ts';
import type { Block } from '../src/content/main/blocks.ts';
import { selectAll } from '../src/content/selectors.ts';
import type { ElementNode } from '../src/content/tree.ts';
import { labelLines } from './labels.ts';

/** The label of a line, and its weight in training. */
export interface LineLabel {
  /** 1 is content, 0 is not. */
  label: number;
  /** 0: the line is not used. */
  weight: number;
}

/** A page for training. */
export interface TrainingPage {
  id: string;
  url: string;
  /** A domain or a documentation generator. Its pages look alike, so they share a fold, and a word counts once for all. */
  group: string;
  fold: number;
  /** The label, if people labelled the page. */
  labelled?: LabelledPage;
  /** The content element, if the markup shows it. */
  marked?: DocumentationPackage;
  html(): string;
  /** @param texts the words of each line */
  label(root: ElementNode, lines: readonly Block[], texts: readonly string[][]): LineLabel[];
}

/** A line counts as content if at least this share of it is in the label. */
const MIN_SHARE = 0.5;
/** The longer the label, the less each word weighs. Labels shorter than this count as this long. */
const MIN_LABEL_WORDS = 20;
/** A page weighs at most this many times its label, however much other text it has. */
const MAX_PAGE_WEIGHT = 3;
/**
 * In documentation a line of two words, such as a function's signature, weighs nearly as much as a paragraph, because losses
 * are counted by element there.
 */
const STRUCTURE_WORDS = 3;
const MAX_STRUCTURE_WORDS = 60;

/** The pages of a folder in the layout of WCXB. Byte-for-byte copies of an earlier page are left out. */
export function labelledPages(folder: string): TrainingPage[] {
  const seen = new Set<string>();
  return readLabels(folder)
    .filter(({ id }) => {
      const hash = createHash('sha256').update(readHtml(folder, id)).digest('hex');
      return !seen.has(hash) && seen.add(hash);
    })
    .map((page) => ({
      id: page.id,
      url: page.url || 'https://example.com/',
      group: domainOf(page.url),
      fold: foldOf(page.url),
      labelled: page,
      html: () => readHtml(folder, page.id).toString(),
      label: (_, __, texts) => labelByText(texts, page.content),
    }));
}

/** Pages of documentation. All pages of a generator are in one fold. */
export function markedPages(): TrainingPage[] {
  const pages = documentationPages(({ isLearned }) => isLearned);
  const generators = [...new Set(pages.map((page) => page.package.generator))];
  return pages.map((page) => ({
    id: page.id,
    url: page.url,
    group: page.package.generator,
    fold: generators.indexOf(page.package.generator) % FOLDS,
    marked: page.package,
    html: () => readDocumentation(page),
    label: (root, lines, texts) => labelByMarkup(root, lines, texts, page.package),
  }));
}

function labelByText(texts: readonly string[][], content: string): LineLabel[] {
  const shares = labelLines(texts, content);
  const scale = scaleOf(wordsOf(content).length, texts);
  return texts.map(({ length }, index) => ({
    label: Number((shares[index] ?? 0) >= MIN_SHARE),
    weight: (length + 1) * scale,
  }));
}

function labelByMarkup(
  root: ElementNode,
  lines: readonly Block[],
  texts: readonly string[][],
  { main, drop }: DocumentationPackage,
): LineLabel[] {
  const content = new Set(selectAll(root, main));
  const dropped = new Set(selectAll(root, drop));
  const labels = lines.map(({ element }) => {
    let label = 0;
    for (let node: ElementNode | null = element; node; node = node.parent) {
      if (dropped.has(node)) return 0;
      if (content.has(node)) label = 1;
    }
    return label;
  });
  const labelWords = texts.reduce((sum, { length }, index) => sum + (labels[index] ?? 0) * length, 0);
  const scale = scaleOf(labelWords, texts);
  return labels.map((label, index) => {
    const words = Math.min(texts[index]?.length ?? 0, MAX_STRUCTURE_WORDS) + STRUCTURE_WORDS;
    return { label, weight: words * scale };
  });
}

function scaleOf(labelWords: number, texts: readonly string[][]): number {
  const pageWords = texts.reduce((sum, { length }) => sum + length + 1, 0);
  return 100 * Math.min(1 / Math.max(MIN_LABEL_WORDS, labelWords), MAX_PAGE_WEIGHT / pageWords);
}
