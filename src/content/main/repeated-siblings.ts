import type { OutlineNode } from './outline.ts';

/** Like-built siblings with links: the cards of a list of products, the teasers of a news page. */
export interface Cards {
  count: number;
  text: number;
}

const MIN_CARDS = 4;
const MIN_CARD_TEXT = 15;
/** Of their text; less is a text with references. */
const MIN_LINK_SHARE = 0.15;

/** Parts of a text repeat too. */
const TEXT_PARTS = new Set('p h1 h2 h3 h4 h5 h6 br tr td pre ul ol table blockquote'.split(' '));

/** The cards among the children of a node: the group of like name and class with the most text, if there is one. */
export function cardsOf({ children }: OutlineNode): Cards | undefined {
  if (children.length < MIN_CARDS) return undefined;
  const groups = new Map<string, Cards & { link: number }>();
  for (const { element, text, link, isBlock } of children) {
    if (text < MIN_CARD_TEXT || !isBlock || TEXT_PARTS.has(element.name)) continue;
    const key = `${element.name}.${firstClass(element.attributes.class)}`;
    const group = groups.get(key);
    if (group === undefined) {
      groups.set(key, { count: 1, text, link });
      continue;
    }
    group.count++;
    group.text += text;
    group.link += link;
  }
  let largest: Cards | undefined;
  for (const group of groups.values()) {
    if (group.count < MIN_CARDS || group.link < MIN_LINK_SHARE * group.text) continue;
    if (group.text > (largest?.text ?? 0)) largest = group;
  }
  return largest;
}

function firstClass(classes = ''): string {
  const end = classes.indexOf(' ');
  return end < 0 ? classes : classes.slice(0, end);
}
