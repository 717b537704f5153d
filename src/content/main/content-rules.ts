import type { PageType } from './page-type.ts';
import { Part } from './vocabulary.ts';

/** What the main content of a kind of page is. The figures are those that served the labelled pages best. */
export interface ContentRules {
  /** What is no content by its name, besides what never is. */
  readonly drops: number;
  /** Of larger shares of the page the name is not believed. */
  readonly maxDroppedShare: number;
  /** Which text tells where the content is: paragraphs, all text, or all text outside links. */
  readonly weight: 'prose' | 'text' | 'plain';
  /** The container is the deepest element that holds this share of the weight of the one around it, at every step. */
  readonly containerShare: number;
  /** The container holds the first `<h1>` too. */
  readonly holdsTitle: boolean;
  /** Blocks of which more than this share is links are no content. */
  readonly maxLinkShare: number;
  /** Lines that are one link and shorter than this are no content. */
  readonly minLinkLine: number;
  /** What stands above the title in the container is no content, unless it is prose. */
  readonly startsAtTitle: boolean;
  /** What comes after the last paragraph is no content. */
  readonly endsWithProse: boolean;
}

const ALL_LINKS = 1;

/** Keeps all but what is boilerplate by its name: for pages that are made of many parts. */
export const LOOSE_RULES: ContentRules = {
  drops: Part.PageHeader,
  maxDroppedShare: 0.3,
  weight: 'text',
  containerShare: 0.9,
  holdsTitle: true,
  maxLinkShare: ALL_LINKS,
  minLinkLine: 0,
  startsAtTitle: false,
  endsWithProse: false,
};

export const RULES: Readonly<Record<PageType, ContentRules>> = {
  article: {
    ...LOOSE_RULES,
    drops:
      Part.PageHeader |
      Part.Author |
      Part.Comments |
      Part.Caption |
      Part.Tags |
      Part.Heading |
      Part.Carousel |
      Part.Signature,
    weight: 'prose',
    containerShare: 0.7,
    holdsTitle: false,
    maxLinkShare: 0.8,
    startsAtTitle: true,
  },
  documentation: {
    ...LOOSE_RULES,
    drops: Part.PageHeader | Part.Author | Part.Comments | Part.Tags | Part.Heading | Part.Signature,
    weight: 'prose',
    containerShare: 0.8,
    startsAtTitle: true,
  },
  forum: {
    ...LOOSE_RULES,
    drops: Part.PageHeader | Part.Author | Part.Signature | Part.Tags | Part.Heading,
    maxDroppedShare: 0.5,
    weight: 'plain',
    containerShare: 0.85,
    holdsTitle: false,
    maxLinkShare: 0.8,
    minLinkLine: 80,
  },
  product: {
    ...LOOSE_RULES,
    drops: Part.PageHeader | Part.Reviews | Part.Caption | Part.Tags | Part.Heading | Part.Post,
    maxDroppedShare: 0.5,
    maxLinkShare: 0.6,
    minLinkLine: 25,
    startsAtTitle: true,
    endsWithProse: true,
  },
  collection: {
    ...LOOSE_RULES,
    drops: Part.PageHeader | Part.Author | Part.Reviews | Part.Tags,
    containerShare: 0.85,
    startsAtTitle: true,
    endsWithProse: true,
  },
  listing: LOOSE_RULES,
  service: { ...LOOSE_RULES, minLinkLine: 25 },
};

/** What stands beside a text: who wrote it and when, what pictures show, what it is filed under. */
const BESIDE_TEXT = Part.Author | Part.Caption | Part.Tags | Part.Signature;

/** The same without residual boilerplate. */
export const CLEAN_RULES: Readonly<Record<PageType, ContentRules>> = {
  article: cleaner(RULES.article),
  documentation: cleaner(RULES.documentation),
  forum: cleaner(RULES.forum),
  product: cleaner(RULES.product),
  collection: cleaner(RULES.collection),
  listing: cleaner(RULES.listing),
  service: cleaner(RULES.service),
};

function cleaner(rules: ContentRules): ContentRules {
  return { ...rules, drops: rules.drops | BESIDE_TEXT, minLinkLine: Math.max(rules.minLinkLine, 40) };
}
