import type { ContentRules } from './content-rules.ts';
import { ancestorsOf, type OutlineNode } from './outline.ts';
import { firstTitle } from './title.ts';

/** Parts of a text, of a list or of a table, which are never the content as a whole. */
const TOO_SMALL = new Set(
  'p span a b i em strong h1 h2 h3 h4 h5 h6 pre ul ol li dl dt dd table tbody tr th'.split(' '),
);
const AROUND_CELLS = new Set(['table', 'tbody', 'tr']);

/**
 * The element that holds the main content: from the root downwards, as long as one child holds the share of the
 * weight that the rules ask for. It stops where the content forks, so nothing large is lost on the way.
 */
export function findContainer(outline: OutlineNode, rules: ContentRules): OutlineNode {
  weigh(outline, rules.weight);
  const aroundTitle = rules.holdsTitle ? ancestorsOf(firstTitle(outline)) : undefined;
  const heavyChild = (node: OutlineNode): OutlineNode | undefined => {
    const least = Math.max(1, node.weight * rules.containerShare);
    return node.children.find(({ weight }) => weight >= least);
  };
  let container = outline;
  for (;;) {
    let next = heavyChild(container);
    // Of a table the one cell that holds all: then it is there for the layout.
    while (next && AROUND_CELLS.has(next.name)) next = heavyChild(next);
    if (next === undefined || TOO_SMALL.has(next.name)) return container;
    if (aroundTitle?.size && !aroundTitle.has(next)) return container;
    container = next;
  }
}

function weigh(node: OutlineNode, kind: ContentRules['weight']): void {
  node.weight = 0;
  if (node.dropped) return;
  node.weight = ownWeight(node, kind);
  for (const child of node.children) {
    weigh(child, kind);
    node.weight += child.weight;
  }
}

function ownWeight({ line, lineLink, isProse }: OutlineNode, kind: ContentRules['weight']): number {
  if (kind === 'text') return line;
  if (kind === 'plain') return line - lineLink;
  return isProse ? line : 0;
}
