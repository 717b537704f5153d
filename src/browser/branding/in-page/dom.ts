/** The part of the DOM that functions in this folder use. They run in the page; the rest of the program has no DOM. */

export interface PageElement {
  readonly localName: string;
  readonly id: string;
  readonly childNodes: Iterable<{ readonly nodeType: number; readonly nodeValue: string | null }>;
  readonly textContent: string | null;
  readonly outerHTML: string;
  readonly parentElement: PageElement | null;
  readonly shadowRoot: Queryable | null;
  getAttribute(name: string): string | null;
  hasAttribute(name: string): boolean;
  setAttribute(name: string, value: string): void;
  prepend(node: PageElement): void;
  cloneNode(deep: boolean): PageElement;
  matches(selector: string): boolean;
  closest(selector: string): PageElement | null;
  checkVisibility(options?: { opacityProperty?: boolean; visibilityProperty?: boolean }): boolean;
  getBoundingClientRect(): { top: number; left: number; width: number; height: number };
  querySelectorAll(selector: string): Iterable<PageElement> & { length: number };
  querySelector(selector: string): PageElement | null;
}

export interface Queryable {
  querySelectorAll(selector: string): Iterable<PageElement> & { length: number };
  querySelector(selector: string): PageElement | null;
}

export interface PageDocument extends Queryable {
  readonly documentElement: PageElement & {
    readonly scrollHeight: number;
    computedStyleMap(): Iterable<[name: string, values: unknown]>;
  };
  readonly body: PageElement | null;
  readonly baseURI: string;
  getElementById(id: string): PageElement | null;
  createElementNS(namespace: string, name: string): PageElement;
}

/** Computed values, as the browser writes them. */
export interface PageStyle {
  readonly color: string;
  readonly backgroundColor: string;
  readonly backgroundImage: string;
  readonly borderTopColor: string;
  readonly borderTopWidth: string;
  readonly borderTopLeftRadius: string;
  readonly fontFamily: string;
  readonly fontSize: string;
  readonly fontWeight: string;
  readonly lineHeight: string;
  readonly padding: string;
  readonly paddingTop: string;
  readonly paddingLeft: string;
  readonly marginTop: string;
  readonly marginBottom: string;
  readonly rowGap: string;
  readonly maxWidth: string;
  readonly display: string;
  readonly gridTemplateColumns: string;
  readonly transitionDuration: string;
  readonly transitionTimingFunction: string;
  readonly fill: string;
  readonly stroke: string;
  getPropertyValue(name: string): string;
}
