import type { PageMetadata } from '../page-content.ts';
import type { PageTree, TreeNode } from '../tree.ts';
import { findContainer } from './container.ts';
import { CLEAN_RULES, type ContentRules, LOOSE_RULES, RULES } from './content-rules.ts';
import { readDeclarations } from './declarations.ts';
import { keepContent } from './keep.ts';
import { ancestorsOf, keptLength, type OutlineNode, outlineOf, restore } from './outline.ts';
import { shapeOf } from './page-shape.ts';
import { guessPageType } from './page-type.ts';
import { dropParts, prune } from './pruning.ts';
import { findTitle, keepTitle } from './title.ts';

export interface MainContentOptions {
  /** The address of the page. */
  url: string;
  metadata: PageMetadata;
  /** Also without what an article has beside its text: author, date, captions, tags, lists of links. */
  clean: boolean;
}

/** What the outline keeps of a page. */
interface Selection {
  container: OutlineNode;
  title: OutlineNode | undefined;
}

/** Less than this many characters may be a mistake … */
const MIN_CONTENT = 250;
/** … when it is less than this share of what is no boilerplate by its name. */
const MIN_CONTENT_SHARE = 0.25;

/**
 * The main content of a page: its title, if that stands apart, and the element with the content, from which all that
 * is not content has been taken out. Text survives: rules that leave next to nothing give way to looser ones, and
 * those to the whole page.
 */
export function mainContent({ root }: PageTree, { url, metadata, clean }: MainContentOptions): readonly TreeNode[] {
  const { aroundMain, schemaTypes } = readDeclarations(root);
  const outline = outlineOf(root, aroundMain, metadata.language);
  const shape = shapeOf(outline);
  let selection = select(outline, RULES.article);
  const articleShare = keptLength(selection.container) / Math.max(1, outline.text);
  const type = guessPageType({ url, metadata, schemaTypes, shape, articleShare });
  for (const rules of [clean ? CLEAN_RULES[type] : RULES[type], LOOSE_RULES]) {
    if (rules !== RULES.article) {
      restore(outline);
      selection = select(outline, rules);
    }
    if (isEnough(selection, outline)) return contentOf(selection);
  }
  return root.children;
}

function select(outline: OutlineNode, rules: ContentRules): Selection {
  dropParts(outline, rules);
  const container = findContainer(outline, rules);
  const title = findTitle(outline, container);
  prune(container, title, rules);
  if (title) keepTitle(title);
  return { container, title };
}

function isEnough({ container }: Selection, outline: OutlineNode): boolean {
  const length = keptLength(container);
  return length > 0 && (length >= MIN_CONTENT || length >= MIN_CONTENT_SHARE * outline.text);
}

function contentOf({ container, title }: Selection): TreeNode[] {
  keepContent(container);
  if (title === undefined || ancestorsOf(title).has(container)) return [container.element];
  keepContent(title);
  return [title.element, container.element];
}
