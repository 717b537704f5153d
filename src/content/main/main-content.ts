import type { PageMetadata } from '../page-content.ts';
import type { ElementNode, PageTree, TreeNode } from '../tree.ts';
import { type PageBlocks, readBlocks } from './blocks.ts';
import { chooseLines } from './choose-lines.ts';
import { readDeclarations } from './declarations.ts';
import { keepLines } from './keep-lines.ts';
import { LineFeatures } from './line-features.ts';
import { MODEL, type Model } from './model.ts';
import { pageSteps } from './page-steps.ts';

export interface MainContentOptions {
  /** The address of the page. */
  url: string;
  metadata: PageMetadata;
  /** The heading named by the metadata. */
  title?: ElementNode | undefined;
  /** Also removes the details around the text of an article: author, date, captions, tags, lists of links. */
  clean: boolean;
}

/**
 * The main content of a page: the lines that a model, trained on labelled pages, considers likely enough to be content,
 * in the elements around them. Changes the tree. Some text always survives: if no line is likely, everything that is
 * not boilerplate by name stays, or else the whole page.
 */
export function mainContent(
  { root }: PageTree,
  { url, metadata, title, clean }: MainContentOptions,
  model: Model = MODEL,
): readonly TreeNode[] {
  const { aroundMain, schemaTypes } = readDeclarations(root);
  const blocks = readBlocks(root, aroundMain, model);
  const features = new LineFeatures(blocks, { url, metadata, schemaTypes }, model);
  const isHopeless = blocks.lines.map((_, index) => features.isHopeless(index));
  const steps = pageSteps(blocks.lines, isHopeless);
  const logOdds = blocks.lines.map((line, index) =>
    isHopeless[index] || steps.has(line) ? Number.NEGATIVE_INFINITY : model.logOdds(features.read(index)),
  );
  chooseLines(blocks, logOdds, { url, title, clean });
  if (!hasKept(blocks)) keepAllUnnamed(blocks);
  if (!hasKept(blocks)) return root.children;
  return keepLines(blocks);
}

function hasKept({ lines }: PageBlocks): boolean {
  return lines.some(({ isKept }) => isKept);
}

function keepAllUnnamed({ lines }: PageBlocks): void {
  for (const line of lines) line.isKept = !line.isNamedBoilerplate;
}
