import type { ElementNode } from '../tree.ts';

/** The labels of one set of tabs, in document order. */
export interface TabSet {
  list: ElementNode;
  tabs: ElementNode[];
  /** Radio buttons switch the panels, and nothing says which elements these are but their place. */
  isRadio: boolean;
}

/** Documents have some ten sets, and shops show one for each of a hundred products. */
const MAX_SETS = 300;
const TAB_NAME = /(?:^|[\s_-])tab(?:s|bed|set)?(?:$|[\s_-])|code-?group/i;
const TOGGLES = new Set(['tab', 'pill']);
/** Boxes between a tab and its list, or a label and what is named after tabs. */
const MAX_BOXES = 4;
const MAX_NAMED_BOXES = 2;
