import { wordsOf } from '../bench/content/score.ts';
import { type Block, isShown, readBlocks } from '../src/content/main/blocks.ts';
import { readDeclarations } from '../src/content/main/declarations.ts';
import { LineFeatures } from '../src/content/main/line-features.ts';
import { type LearnedWeights, Model } from '../src/content/main/model.ts';
import { showContent } from '../src/content/main/visibility.ts';
import { readMetadata } from '../src/content/metadata.ts';
import { parseHtml } from '../src/content/parse-html.ts';
import type { ElementNode } from '../src/content/tree.ts';
import { type Levels, wordsAround } from './evidence.ts';
import type { LineLabel, TrainingPage } from './pages.ts';

/** A line of a page, for training. */
export interface Line extends LineLabel {
  page: TrainingPage;
  features: Float32Array;
  words: Levels;
}

const NOTHING: LearnedWeights = {
  names: { hashes: [], weights: [] },
  words: { hashes: [], weights: [] },
  trees: { base: 0, roots: [], feature: [], threshold: [], left: [], value: [] },
};

/** The lines of all pages, except those that are skipped without the model. */
export function readLines(pages: readonly TrainingPage[]): Line[] {
  const model = new Model(NOTHING);
  const found: Line[] = [];
  for (const page of pages) {
    const { tree, metadata } = parsed(page);
    const { aroundMain, schemaTypes } = readDeclarations(tree.root);
    const blocks = readBlocks(tree.root, aroundMain, model);
    const features = new LineFeatures(blocks, { url: page.url, metadata, schemaTypes }, model);
    const texts = blocks.lines.map((line) => (line.isSkipped ? [] : wordsOf(lineText(line))));
    const labels = page.label(tree.root, blocks.lines, texts);
    let heading: Block | undefined;
    for (const [index, line] of blocks.lines.entries()) {
      const label = labels[index];
      if (line.isSkipped || !label) continue;
      if (line.isHeading) heading = line;
      found.push({ ...label, page, features: features.read(index).slice(), words: wordsAround(line, heading) });
    }
  }
  return found;
}

/** A page in the form that mainContent accepts. */
export function parsed(page: TrainingPage) {
  const html = page.html();
  const tree = parseHtml(html, page.url);
  const metadata = readMetadata(tree, { html, url: page.url });
  showContent(tree);
  return { tree, metadata };
}

/** The text of the block's own line. */
function lineText(line: Block): string {
  const blocks = new Set(line.children.map(({ element }) => element));
  let text = '';
  const add = (element: ElementNode): void => {
    for (const child of element.children) {
      if (child.kind === 'text') text += child.text;
      else if (child.name === 'br' || blocks.has(child)) text += ' ';
      else if (isShown(child)) add(child);
    }
  };
  add(line.element);
  return text;
}
