import type { ElementNode } from '../tree.ts';
import type { Block } from './blocks.ts';

/** Siblings of the same tag and first class: the cards of a list, the posts of a thread, the paragraphs of a text. */
export interface LikeSiblings {
  count: number;
  text: number;
  link: number;
}

/** Fewer do not make a list. */
export const MIN_LIKE = 3;

export function markLikeSiblings(blocks: readonly Block[]): void {
  if (blocks.length < MIN_LIKE) return;
  const groups = new Map<string, LikeSiblings>();
  for (const block of blocks) {
    if (block.text === 0) continue;
    const key = kindOf(block.element);
    let group = groups.get(key);
    if (group === undefined) {
      group = { count: 0, text: 0, link: 0 };
      groups.set(key, group);
    }
    block.likeSiblings = group;
    block.likeIndex = group.count;
    group.count++;
    group.text += block.text;
    group.link += block.link;
  }
}

/** Its tag and first class. */
export function kindOf({ name, attributes: { class: classes = '' } }: ElementNode): string {
  const end = classes.indexOf(' ');
  return `${name}.${end < 0 ? classes : classes.slice(0, end)}`;
}
