import type { PageElement, PageShadowRoot } from './dom.ts';

interface Scope {
  readonly activeElement: (PageElement & { readonly shadowRoot: (PageShadowRoot & Scope) | null }) | null;
}

declare const document: Scope & { documentElement: PageElement };

/** Runs in the page: the element with the focus, also within open shadow roots. Without a focus it is the body or the root. */
export function activeElement(): PageElement {
  let { activeElement: active } = document;
  while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
  return active ?? document.documentElement;
}
