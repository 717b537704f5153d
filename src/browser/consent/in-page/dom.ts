/** The part of the DOM that functions in this folder use. They run in the page; the rest of the program has no DOM. */

export interface BannerElement {
  readonly localName: string;
  readonly innerText?: string;
  readonly textContent: string | null;
  readonly parentElement: BannerElement | null;
  readonly shadowRoot: { elementFromPoint(x: number, y: number): BannerElement | null } | null;
  readonly style?: { setProperty(name: string, value: string, priority: 'important'): void };
  getAttribute(name: string): string | null;
  checkVisibility(): boolean;
  contains(other: BannerElement): boolean;
  matches(selector: string): boolean;
  querySelector(selector: string): BannerElement | null;
  querySelectorAll(selector: string): Iterable<BannerElement>;
  getBoundingClientRect(): { width: number; height: number };
}

export interface BannerDocument {
  readonly body: BannerElement | null;
  readonly documentElement: BannerElement & { readonly scrollHeight: number };
  querySelectorAll(selector: string): Iterable<BannerElement>;
  elementFromPoint(x: number, y: number): BannerElement | null;
  elementsFromPoint(x: number, y: number): BannerElement[];
  createTreeWalker(
    root: BannerElement,
    kinds: 4,
  ): { nextNode(): { nodeValue: string | null; parentElement: BannerElement | null } | null };
}
