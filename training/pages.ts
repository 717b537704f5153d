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

/** How a line is learned from. */
export interface LineLabel {
  /** 1 is content, 0 is not. */
  label: number;
  /** 0 is not learned from. */
  weight: number;
}

/** A page to learn from. */
export interface TrainingPage {
  id: string;
  url: string;
  /** Pages of one group look alike: they are in one fold, and a word counts once for all of them. */
  group: string;
  fold: number;
  /** People said what its content is. */
  labelled?: LabelledPage;
  /** Its markup says it. */
  marked?: DocumentationPackage;
  html(): string;
  /** @param texts the words of each line */
  label(root: ElementNode, lines: readonly Block[], texts: readonly string[][]): LineLabel[];
}

/** A line counts as content when so much of it is in the label. */
const MIN_SHARE = 0.5;
/** A word matters the less the longer the label is, but the words of a very short one do not matter endlessly. */
const MIN_LABEL_WORDS = 20;
/** No page weighs more than that many of its labels, however much else is on it. */
const MAX_PAGE_WEIGHT = 3;
/**
 * In documentation a line of two words, such as the signature of a function, is worth nearly as much as a paragraph: what is lost
 * is counted by elements there.
 */
const STRUCTURE_WORDS = 3;
const MAX_STRUCTURE_WORDS = 60;

/** The pages of a folder in the layout of WCXB. Of pages that are byte for byte the same the first is taken. */
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

/** Pages of documentation, where a fold holds whole generators. */
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
