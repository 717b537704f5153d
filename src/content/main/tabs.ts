import type { ElementNode, TreeNode } from '../tree.ts';
import { collapse, walkElements } from '../walk.ts';
import { isHolder } from './tab-labels.ts';

/** A panel and the tabs that open it. */
export interface TabPanel {
  /** The tab, or the label of a radio button that acts as one. A second may be for narrow screens. */
  tabs: ElementNode[];
  label: string;
  panel: ElementNode;
}

/** Documents have about ten tabs, product pages about a hundred. */
const MAX_TABS = 2_000;
/** A longer label is a card that happens to switch something. In characters. */
const MAX_LABEL = 100;
const LETTER = /\p{L}/u;
/** The labels of slides in a carousel. */
const SLIDE = /^(?:go to )?(?:slide|item|image|photo|picture|banner|page)? ?\d+(?: ?(?:of|\/) ?\d+)?$/i;

/** Classes of panels, and of elements around labels. */
const PANEL_NAME = /(?:^|[\s_-])tabs?[_-]{0,2}(?:pane|panel|content|body|block)?(?:$|[\s_-])/i;
const SET_NAME = /(?:^|[\s_-])tab(?:s|bed|set)?(?:$|[\s_-])|code-?group/i;
const ANY_PANEL_NAME = /tab|panel|pane|content/i;
const SELECTED_NAME = /(?:^|[\s_-])(?:active|selected|current)(?:$|[\s_-])/i;

/** How many elements up from a tab its list may be. */
const MAX_BOXES = 4;
/** How many elements are checked for a class of tabs: the tab itself and those around it. */
const MAX_NAMED_BOXES = 3;
/** How many levels up from a list its panels are searched for. */
const MAX_LEVELS = 3;
/** How many boxes may surround a panel. */
const MAX_PANEL_BOXES = 2;
/** How many elements are searched for panels. */
const MAX_LOOKED_AT = 200;

/** An element with more children than this does not hold tabs. */
const MAX_SIBLINGS = 1_000;
const PICTURES = new Set(['img', 'picture', 'video', 'iframe', 'object', 'embed']);
const NO_PANELS = new Set(['input', 'label', 'script', 'style', 'template']);

/** Finds the tabs of a page and their panels by WAI-ARIA and addresses within the page, or else by their order. */
export class Tabs {
  readonly #tabs: ElementNode[] = [];
  readonly #links: ElementNode[] = [];
  readonly #labels: ElementNode[] = [];

  /** Call this with each element, in document order. */
  meet(element: ElementNode): void {
    const { name, attributes } = element;
    if (attributes.role === 'tab') add(this.#tabs, element);
    else if (name === 'a' && attributes.href?.startsWith('#') && isNamedForTabs(element)) add(this.#links, element);
    else if (name === 'label' && isNamedForTabs(element)) add(this.#labels, element);
  }

  /** The panels that a tab opens, each with its tabs. All tabs of a panel have the same label. */
  pair(root: ElementNode): TabPanel[] {
    if (this.#tabs.length === 0 && this.#links.length === 0 && this.#labels.length === 0) return [];
    return new Pairs(root, this.#tabs, this.#links, this.#labels).all();
  }
}

function add(elements: ElementNode[], element: ElementNode): void {
  if (elements.length < MAX_TABS) elements.push(element);
}

/** Whether a class marks a tab. Other links within a page lead to sections; other radio labels are answers or sizes. */
function isNamedForTabs(tab: ElementNode): boolean {
  let element: ElementNode | null = tab;
  for (let level = 0; element !== null && level < MAX_NAMED_BOXES; level++, element = element.parent) {
    if (SET_NAME.test(element.attributes.class ?? '')) return true;
  }
  return false;
}

class Pairs {
  readonly #byId = new Map<string, ElementNode>();
  /** Panels by the id of their tab. */
  readonly #byTab = new Map<string, ElementNode>();
  readonly #byPanel = new Map<ElementNode, TabPanel>();
  /** Whether a panel has content, and a place for its label. */
  readonly #isGood = new Map<ElementNode, boolean>();
  readonly #tabs: readonly ElementNode[];
  readonly #links: readonly ElementNode[];
  readonly #labels: readonly ElementNode[];

  constructor(
    root: ElementNode,
    tabs: readonly ElementNode[],
    links: readonly ElementNode[],
    labels: readonly ElementNode[],
  ) {
    this.#tabs = tabs;
    this.#links = links;
    this.#labels = labels;
    walkElements(root.children, (element) => {
      const { id, role } = element.attributes;
      if (id !== undefined && !this.#byId.has(id)) this.#byId.set(id, element);
      if (role === 'tabpanel') this.#byTab.set(element.attributes.get('aria-labelledby') ?? '', element);
    });
    this.#byTab.delete('');
  }

  all(): TabPanel[] {
    for (const [list, tabs] of groupsOf(this.#tabs)) this.#pairSet(list, tabs);
    for (const link of this.#links) this.#pairLink(link);
    for (const [parent, labels] of groupsBy(this.#labels, (label) => label.parent)) this.#pairLabels(parent, labels);
    return [...this.#byPanel.values()];
  }

  #pairSet(list: ElementNode, tabs: readonly ElementNode[]): void {
    const byPanel = groupsBy(tabs, (tab) => this.#panelOf(tab));
    const named = [...byPanel].filter(([panel]) => panel !== undefined);
    for (const [panel, group] of named) {
      // Several tabs of one panel filter its content, as in Javadoc. They are clearest as a row above it.
      const isFilter = new Set(group.map(labelIn)).size > 1;
      if (!isFilter) for (const tab of group) this.#add(tab, panel, list);
    }
    if (named.length > 0) return;
    if (tabs.some(leadsElsewhere)) return;
    const behind = panelsBehind(list);
    if (behind.length === tabs.length) {
      for (const [index, tab] of tabs.entries()) this.#add(tab, behind[index], list);
    } else if (behind.length === 1) {
      // The page has only the open panel.
      this.#add(tabs.find(isSelected), behind[0], list);
    }
  }

  #panelOf({ attributes, children }: ElementNode): ElementNode | undefined {
    const { id, href } = attributes;
    const controlled = attributes['aria-controls'] ?? attributes.get('data-bs-target') ?? attributes.get('data-target');
    const link = children.find((child) => child.kind === 'element' && child.name === 'a');
    const inner = link?.kind === 'element' ? link.attributes.href : undefined;
    const names = [controlled, href, inner].filter((name) => name !== undefined);
    const found = names.map((name) => this.#byId.get(name.startsWith('#') ? name.slice(1) : name));
    return found.find((panel) => panel !== undefined) ?? (id === undefined ? undefined : this.#byTab.get(id));
  }

  /** Bootstrap 3 and the like: `<ul class="nav-tabs"><li><a href="#x">`, `<div class="tab-pane" id="x">`. */
  #pairLink(link: ElementNode): void {
    const panel = this.#byId.get(link.attributes.href?.slice(1) ?? '');
    if (panel === undefined || !PANEL_NAME.test(panel.attributes.class ?? '')) return;
    this.#add(link, panel, link.parent?.name === 'li' ? link.parent.parent : link.parent);
  }

  #pairLabels(parent: ElementNode | null, labels: readonly ElementNode[]): void {
    if (parent === null || !labels.every((label) => this.#isOfRadio(label))) return;
    const panels = panelsOfLabels(parent, labels);
    for (const [index, label] of labels.entries()) this.#add(label, panels[index], null);
  }

  #isOfRadio(label: ElementNode): boolean {
    const button = this.#byId.get(label.attributes.get('for') ?? '');
    return button?.name === 'input' && button.attributes.type === 'radio';
  }

  #isPanel(panel: ElementNode): boolean {
    const known = this.#isGood.get(panel);
    if (known !== undefined) return known;
    const siblings = panel.parent?.children.length ?? 0;
    const isGood = (isHolder(panel) || siblings <= MAX_SIBLINGS) && hasContent(panel);
    this.#isGood.set(panel, isGood);
    return isGood;
  }

  /** @param list the element around the tabs; a panel inside it is folded below its tab and needs no label */
  #add(tab: ElementNode | undefined, panel: ElementNode | undefined, list: ElementNode | null): void {
    if (tab === undefined || panel === undefined || !this.#isPanel(panel)) return;
    const label = labelIn(tab);
    if (label.length > MAX_LABEL || !LETTER.test(label) || SLIDE.test(label)) return;
    if (isWithin(panel, tab) || isWithin(tab, panel) || (list !== null && isWithin(panel, list))) return;
    const other = this.#byPanel.get(panel);
    if (other?.label === label) {
      if (!other.tabs.some((outer) => isWithin(tab, outer))) other.tabs.push(tab);
    } else if (other === undefined || isSelected(tab)) {
      this.#byPanel.set(panel, { tabs: [tab], label, panel });
    }
  }
}

/** Tabs by their list: the element with that role, or else their parent. */
function groupsOf(tabs: readonly ElementNode[]): Map<ElementNode, ElementNode[]> {
  const groups = new Map<ElementNode, ElementNode[]>();
  for (const [list, group] of groupsBy(tabs, listOf)) if (list !== null) groups.set(list, group);
  return groups;
}

function groupsBy<Key>(
  elements: readonly ElementNode[],
  keyOf: (element: ElementNode) => Key,
): Map<Key, ElementNode[]> {
  const groups = new Map<Key, ElementNode[]>();
  for (const element of elements) {
    const key = keyOf(element);
    const group = groups.get(key);
    if (group) group.push(element);
    else groups.set(key, [element]);
  }
  return groups;
}

function listOf(tab: ElementNode): ElementNode | null {
  let list = tab.parent;
  for (let level = 0; list !== null && level < MAX_BOXES; level++, list = list.parent) {
    if (list.attributes.role === 'tablist') return list;
  }
  return tab.parent;
}

/** The panels after a list of tabs and before the next list, beside the list or beside an element around it. */
function panelsBehind(list: ElementNode): ElementNode[] {
  let box = list;
  for (let level = 0; level < MAX_LEVELS; level++) {
    const siblings = behind(box);
    const next = siblings.findIndex(({ attributes }) => attributes.role === 'tablist');
    const panels = panelsIn(next < 0 ? siblings : siblings.slice(0, next));
    if (panels.length > 0) return panels;
    // The panels beside the panel that holds the tabs belong to another list.
    if (box.parent === null || box.parent.attributes.role === 'tabpanel') return [];
    box = box.parent;
  }
  return [];
}

/** The panels among these elements or a few boxes below. */
function panelsIn(elements: readonly ElementNode[]): ElementNode[] {
  const panels: ElementNode[] = [];
  let looked = 0;
  const look = (element: ElementNode, boxes: number): void => {
    if (++looked > MAX_LOOKED_AT) return;
    if (element.attributes.role === 'tabpanel') panels.push(element);
    else if (boxes > 0) for (const child of elementsOf(element.children)) look(child, boxes - 1);
  };
  for (const element of elements) look(element, MAX_PANEL_BOXES);
  return panels;
}

/** The elements after an element in the same parent. */
function behind(element: ElementNode): ElementNode[] {
  const siblings = element.parent?.children ?? [];
  if (siblings.length > MAX_SIBLINGS) return [];
  return elementsOf(siblings.slice(siblings.indexOf(element) + 1));
}

function elementsOf(nodes: readonly TreeNode[]): ElementNode[] {
  return nodes.filter((node) => node.kind === 'element');
}

/**
 * The panels of labels with the same parent. Each panel is after its label, or all are after the labels or after their
 * parent, perhaps in an element of their own.
 */
function panelsOfLabels(parent: ElementNode, labels: readonly ElementNode[]): readonly ElementNode[] {
  if (parent.children.length > MAX_SIBLINGS) return [];
  const inside = elementsOf(parent.children).filter(({ name }) => name === 'label' || !NO_PANELS.has(name));
  const nexts = labels.map((label) => inside[inside.indexOf(label) + 1]);
  const between = nexts.filter((next) => next !== undefined && next.name !== 'label');
  if (between.length === labels.length) return between.filter((next) => next !== undefined);
  const last = labels.at(-1);
  const below = last === undefined ? [] : inside.slice(inside.indexOf(last) + 1);
  const panels = below.length > 0 ? below : behind(parent).filter(({ name }) => !NO_PANELS.has(name));
  const [box] = panels;
  const boxed = elementsOf(box?.children ?? []);
  if (boxed.length === labels.length) return boxed;
  const first = panels.slice(0, labels.length);
  const isNamed = first.every(({ attributes }) => ANY_PANEL_NAME.test(attributes.class ?? ''));
  return isNamed && first.length === labels.length ? first : [];
}

function isSelected({ attributes, parent }: ElementNode): boolean {
  if (attributes.get('aria-selected') !== undefined) return attributes.get('aria-selected') === 'true';
  return [attributes.class, parent?.attributes.class].some((name) => SELECTED_NAME.test(name ?? ''));
}

/** Whether the tab is a link to another page, where another panel is open. */
function leadsElsewhere({ attributes: { href } }: ElementNode): boolean {
  return href !== undefined && href !== '' && !href.startsWith('#') && !href.startsWith('javascript:');
}

function hasContent({ textLength, children }: ElementNode): boolean {
  return (
    textLength > 0 ||
    children.some((child) => child.kind === 'element' && (PICTURES.has(child.name) || hasContent(child)))
  );
}

/** The visible text of a tab. Its parts are separate words. */
function labelIn(tab: ElementNode): string {
  const parts: string[] = [];
  const read = (element: ElementNode): void => {
    for (const child of element.children) {
      if (parts.length > MAX_LABEL) return;
      if (child.kind === 'text') parts.push(child.text);
      else if (!child.hidden && child.name !== 'svg') {
        parts.push(' ');
        read(child);
        parts.push(' ');
      }
    }
  };
  read(tab);
  return once(collapse(parts.join('')));
}

/** The label without its second copy. Some pages add a bold copy so that a tab keeps its width when selected. */
function once(label: string): string {
  const half = label.slice(0, (label.length - 1) / 2);
  return label === `${half} ${half}` ? half : label;
}

function isWithin(inner: ElementNode, outer: ElementNode): boolean {
  for (let element: ElementNode | null = inner; element; element = element.parent) if (element === outer) return true;
  return false;
}
