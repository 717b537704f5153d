/** The part of the DOM that functions in this folder use. They run in the page; the rest of the program has no DOM. */

export interface PageNode {
  textContent: string | null;
}

export interface PageComment extends PageNode {
  remove(): void;
}

export interface Queryable extends PageNode {
  querySelectorAll<Found extends PageElement = PageElement>(selector: string): Iterable<Found> & { length: number };
}

export interface PageElement extends Queryable {
  readonly localName: string;
  readonly outerHTML: string;
  readonly shadowRoot: PageShadowRoot | null;
  readonly parentElement: PageElement | null;
  readonly scrollHeight: number;
  readonly clientHeight: number;
  scrollTop: number;
  getAttribute(name: string): string | null;
  setAttribute(name: string, value: string): void;
  removeAttribute(name: string): void;
  before(node: PageComment): void;
  after(node: PageComment): void;
  cloneNode(deep: boolean): PageElement;
  checkVisibility(): boolean;
  getBoundingClientRect(): { top: number; bottom: number; width: number; height: number };
  getHTML(options: { shadowRoots: readonly PageShadowRoot[] }): string;
}

export type PageShadowRoot = Queryable;

export interface ClosedShadowRoot extends PageShadowRoot {
  readonly host: PageElement;
}

export interface PageDocument extends Queryable {
  readonly readyState: 'loading' | 'interactive' | 'complete';
  readonly documentElement: PageElement;
  readonly body: (PageElement & { innerText: string }) | null;
  readonly scrollingElement: PageElement | null;
  readonly doctype: { name: string } | null;
  readonly baseURI: string;
  readonly fonts: { ready: Promise<unknown> };
  createComment(text: string): PageComment;
  getElementsByTagName(name: string): { length: number };
  addEventListener(type: string, listener: () => void, options?: { once: boolean }): void;
}

export interface InputElement extends PageElement {
  readonly type: string;
  readonly value: string;
  readonly checked: boolean;
}

export interface TextAreaElement extends PageElement {
  readonly value: string;
  defaultValue: string;
}

export interface OptionElement extends PageElement {
  readonly selected: boolean;
  readonly index: number;
}

export interface FrameElement extends PageElement {
  /** Null for a frame of another origin. */
  readonly contentDocument: PageDocument | null;
}

export interface ImageElement extends PageElement {
  readonly complete: boolean;
  readonly loading: string;
  addEventListener(type: string, listener: () => void, options: { once: boolean }): void;
}
