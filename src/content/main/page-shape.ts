import { type OutlineNode, walkOutline } from './outline.ts';
import { cardsOf } from './repeated-siblings.ts';
import { Part } from './vocabulary.ts';

/** What a page looks like without its boilerplate. Shares are of its text. */
export interface PageShape {
  proseShare: number;
  paragraphs: number;
  linkShare: number;
  codeBlocks: number;
  /** Posts, replies and comments. */
  posts: number;
  commentShare: number;
  /** Of the largest group of cards. */
  cardShare: number;
  /** Short texts with a price. */
  prices: number;
}

const MIN_POST = 60;
const MAX_PRICE_TEXT = 60;
const PRICE = /\p{Sc}\s?\d|\d\s?(?:\p{Sc}|kr|zł|Kč|lei|лв|руб|EUR|USD|GBP|CHF)(?!\p{L})/u;

/** Cards are looked for where there is enough text for them to matter. */
const MIN_CARDS_SHARE = 0.1;

export function shapeOf(outline: OutlineNode): PageShape {
  const total = Math.max(1, outline.text);
  let prose = 0;
  let cards = 0;
  let comments = 0;
  const shape: PageShape = {
    proseShare: 0,
    paragraphs: 0,
    linkShare: outline.link / total,
    codeBlocks: 0,
    posts: 0,
    commentShare: 0,
    cardShare: 0,
    prices: 0,
  };
  walkOutline(outline, (node) => {
    if (node.text === 0) return false;
    if (node.isProse) {
      prose += node.line;
      shape.paragraphs++;
    }
    if (node.name === 'pre') shape.codeBlocks++;
    if ((node.parts & (Part.Post | Part.Comments)) !== 0 && node.text > MIN_POST) shape.posts++;
    if ((node.parts & Part.Comments) !== 0 && !isInComments(node)) comments += node.text;
    if (node.text > total * MIN_CARDS_SHARE) cards = Math.max(cards, cardsOf(node)?.text ?? 0);
    if (node.text <= MAX_PRICE_TEXT && hasPrice(node)) shape.prices++;
    return true;
  });
  shape.proseShare = prose / total;
  shape.cardShare = cards / total;
  shape.commentShare = comments / total;
  return shape;
}

function isInComments(node: OutlineNode): boolean {
  for (let outer = node.parent; outer; outer = outer.parent) if ((outer.parts & Part.Comments) !== 0) return true;
  return false;
}

function hasPrice({ element }: OutlineNode): boolean {
  return element.children.some(
    (child) => child.kind === 'text' && child.text.length <= MAX_PRICE_TEXT && PRICE.test(child.text),
  );
}
