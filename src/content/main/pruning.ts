import type { ContentRules } from './content-rules.ts';
import { ancestorsOf, type OutlineNode, walkOutline } from './outline.ts';
import { Part } from './vocabulary.ts';

/** The discussion below an article is often longer than the article. */
const MAX_COMMENTS_SHARE = 0.8;
const MAX_PAGE_HEADER_SHARE = 0.5;

/** Drops the elements that are named after parts that this kind of page does not count as content. */
export function dropParts(outline: OutlineNode, { drops, maxDroppedShare }: ContentRules): void {
  for (const top of outline.children) {
    walkOutline(top, (node) => {
      const named = node.parts & drops;
      if (named === 0 || (node.parts & Part.Prose) !== 0 || isInSentence(node)) return;
      let maxShare = maxDroppedShare;
      if ((named & Part.PageHeader) !== 0) maxShare = MAX_PAGE_HEADER_SHARE;
      if ((named & Part.Comments) !== 0) maxShare = MAX_COMMENTS_SHARE;
      if (node.text < maxShare * outline.text) node.dropped = true;
    });
  }
}

/** A date or a name amid a text belongs to it. */
function isInSentence(node: OutlineNode): boolean {
  if (node.isBlock) return false;
  let block = node.parent;
  while (block && !block.isBlock) block = block.parent;
  return block?.isProse ?? false;
}

/** Drops what the rules do not count as content inside the container. */
export function prune(container: OutlineNode, title: OutlineNode | undefined, rules: ContentRules): void {
  if (rules.startsAtTitle && title) dropBefore(container, title);
  if (rules.maxLinkShare < 1) dropLinkBlocks(container, rules.maxLinkShare);
  if (rules.minLinkLine > 0) dropShortLinks(container, rules.minLinkLine);
  if (rules.endsWithProse) dropAfterProse(container);
}

/** Breadcrumbs, dates and sections above the title. Prose there, a summary or a standfirst, stays. */
function dropBefore(container: OutlineNode, title: OutlineNode): void {
  const aroundTitle = ancestorsOf(title);
  if (!aroundTitle.has(container)) return;
  for (const outer of aroundTitle) {
    for (const child of outer.children) {
      if (aroundTitle.has(child)) break;
      walkOutline(child, (node) => {
        if (node.line > 0 && !node.isProse) node.dropped = true;
      });
    }
    if (outer === container) return;
  }
}

/** A list item, a cell or a heading may be a link as a whole. */
const LINKABLE = new Set('p li dt dd table tbody tr td th h1 h2 h3 h4 h5 h6'.split(' '));

function dropLinkBlocks(container: OutlineNode, maxLinkShare: number): void {
  for (const top of container.children) {
    walkOutline(top, (node) => {
      if (node.text === 0 || !node.isBlock || LINKABLE.has(node.name)) return;
      if (node.link > maxLinkShare * node.text) node.dropped = true;
    });
  }
}

const ITEMS = new Set('li td th h1 h2 h3 h4 h5 h6'.split(' '));

/** Breadcrumbs of one link, "read more", names of authors. */
function dropShortLinks(container: OutlineNode, minLinkLine: number): void {
  walkOutline(container, (node) => {
    const isShortLink = node.line > 0 && node.line < minLinkLine && node.lineLink > 0.9 * node.line;
    if (isShortLink && node.text === node.line && !ITEMS.has(node.name)) node.dropped = true;
  });
}

/** A list of other products, of the recently viewed and the like, unless it makes up half of the content or more. */
const MAX_TAIL_SHARE = 0.5;

function dropAfterProse(container: OutlineNode): void {
  let last: OutlineNode | undefined;
  walkOutline(container, (node) => {
    if (node.isProse) last = node;
  });
  const tail: OutlineNode[] = [];
  for (let node = last?.parent; node && node !== container; node = node.parent) {
    const siblings = node.parent?.children ?? [];
    tail.push(...siblings.slice(siblings.indexOf(node) + 1));
  }
  const length = tail.reduce((sum, { text }) => sum + text, 0);
  if (length < MAX_TAIL_SHARE * container.text) for (const node of tail) node.dropped = true;
}
