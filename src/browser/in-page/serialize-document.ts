import type {
  ClosedShadowRoot,
  FrameElement,
  InputElement,
  OptionElement,
  PageDocument,
  PageElement,
  PageShadowRoot,
  Queryable,
  TextAreaElement,
} from './dom.ts';

declare const document: PageDocument;
declare const DOMParser: new () => { parseFromString(html: string, type: 'text/html'): PageDocument };
declare const URL: { parse(address: string, base: string): { href: string } | null };

export interface SerializeOptions {
  /** The most characters of HTML. */
  limit: number;
  /** Marks places in the HTML. The page does not know it. */
  token: string;
}

export interface SerializedDocument {
  /** Null when the page is longer than the limit. */
  html: string | null;
  /** Whether elements may have shadow roots that were not given. */
  mayHaveClosed: boolean;
}

/**
 * Runs in the page: its HTML as it is shown. Native serialization does the work, which takes half of what a walk in script
 * takes; what it would leave out is written into the document before and taken back after, in the same turn, so that the page
 * and its frameworks find everything as it was.
 * @param closed shadow roots that scripts of the page alone can reach
 */
export function serializeDocument(
  { limit, token }: SerializeOptions,
  ...closed: readonly ClosedShadowRoot[]
): SerializedDocument {
  /** Looking for shadow roots in more elements than this takes longer than they are worth. */
  const MAX_ELEMENTS = 300_000;
  const MAX_FRAMES = 20;
  const MAX_FRAME_DEPTH = 3;
  /** Longer `data:` addresses are pictures that no format needs. */
  const MAX_DATA = 50_000;
  const undo: (() => void)[] = [];
  const frames: string[] = [];
  const closedRoots = new Map(closed.map((root) => [root.host, root]));
  let mayHaveClosed = false;

  function setAttribute(element: PageElement, name: string, value: string | null): void {
    const before = element.getAttribute(name);
    if (before === value) return;
    undo.push(() => (before === null ? element.removeAttribute(name) : element.setAttribute(name, before)));
    if (value === null) element.removeAttribute(name);
    else element.setAttribute(name, value);
  }

  /** The scopes of a document: itself and all shadow trees. */
  function scopesOf(root: PageDocument): [PageDocument, ...PageShadowRoot[]] {
    const scopes: [PageDocument, ...PageShadowRoot[]] = [root];
    let left = MAX_ELEMENTS;
    for (let at = 0; at < scopes.length; at++) {
      const elements = [...(scopes[at]?.querySelectorAll('*') ?? [])];
      left -= elements.length;
      if (left < 0) break;
      for (const element of elements) {
        const shadowRoot = element.shadowRoot ?? closedRoots.get(element);
        if (shadowRoot !== undefined) scopes.push(shadowRoot);
        else mayHaveClosed ||= element.localName.includes('-');
      }
    }
    return scopes;
  }

  function showValues(scope: Queryable): void {
    for (const input of scope.querySelectorAll<InputElement>('input')) {
      const { type } = input;
      if (type === 'checkbox' || type === 'radio') setAttribute(input, 'checked', input.checked ? '' : null);
      else if (type !== 'password' && type !== 'file' && type !== 'hidden' && input.value !== '')
        setAttribute(input, 'value', input.value);
    }
    for (const area of scope.querySelectorAll<TextAreaElement>('textarea')) {
      const { value, defaultValue } = area;
      if (value === defaultValue) continue;
      undo.push(() => {
        area.defaultValue = defaultValue;
      });
      area.defaultValue = value;
    }
    for (const option of scope.querySelectorAll<OptionElement>('option')) {
      // The first option of a list is selected as long as no other one is.
      const isChosen = option.selected && (option.index > 0 || option.getAttribute('selected') !== null);
      setAttribute(option, 'selected', isChosen ? '' : null);
    }
  }

  /** What a page says to readers without scripts is not shown. */
  function emptyNoscripts(scope: Queryable): void {
    for (const noscript of scope.querySelectorAll('noscript')) {
      const text = noscript.textContent;
      if (text === null || text === '') continue;
      undo.push(() => {
        noscript.textContent = text;
      });
      noscript.textContent = '';
    }
  }

  function placeFrames(owner: PageDocument, scope: Queryable, depth: number): void {
    for (const frame of scope.querySelectorAll<FrameElement>('iframe, frame')) {
      if (frames.length >= MAX_FRAMES || depth >= MAX_FRAME_DEPTH) return;
      const inner = frame.contentDocument;
      const { width, height } = frame.getBoundingClientRect();
      // One pixel is for counting visitors.
      if (inner?.body == null || width < 2 || height < 2 || inner.body.textContent?.trim() === '') continue;
      const name = `${token} ${frames.length}`;
      const place = frames.push('') - 1;
      frames[place] = contentOf(inner, owner, depth + 1);
      const start = owner.createComment(name);
      const end = owner.createComment(`/${name}`);
      undo.push(() => {
        start.remove();
        end.remove();
      });
      frame.before(start);
      frame.after(end);
    }
  }

  /** The body of a frame, with addresses that hold in the page around it. */
  function contentOf(inner: PageDocument, owner: PageDocument, depth: number): string {
    // A document of the parser loads nothing and runs nothing.
    const copy = new DOMParser().parseFromString(htmlOf(inner, depth), 'text/html');
    if (inner.baseURI !== owner.baseURI) {
      for (const name of ['href', 'src', 'poster', 'action', 'data-src']) {
        for (const element of copy.querySelectorAll(`[${name}]`)) {
          const address = URL.parse(element.getAttribute(name) ?? '', inner.baseURI);
          if (address !== null) element.setAttribute(name, address.href);
        }
      }
    }
    return `<div>${copy.body?.getHTML({ shadowRoots: [] }) ?? ''}</div>`;
  }

  function htmlOf(root: PageDocument, depth: number): string {
    const [, ...shadowRoots] = scopesOf(root);
    for (const scope of [root, ...shadowRoots]) {
      showValues(scope);
      emptyNoscripts(scope);
      placeFrames(root, scope, depth);
    }
    const { documentElement, doctype } = root;
    const tags = documentElement.cloneNode(false).outerHTML;
    const end = tags.lastIndexOf('</');
    const inner = documentElement.getHTML({ shadowRoots });
    return `${doctype === null ? '' : '<!DOCTYPE html>'}${tags.slice(0, end)}${inner}${tags.slice(end)}`;
  }

  /** Puts frames in the place of their elements. */
  function withFrames(html: string): string {
    if (frames.length === 0) return html;
    const parts = html.split(new RegExp(`<!--${token} (\\d+)-->[^]*?<!--/${token} \\1-->`));
    return parts.map((part, at) => (at % 2 === 0 ? part : withFrames(frames[Number(part)] ?? ''))).join('');
  }

  function withoutLongData(html: string): string {
    if (html.length <= MAX_DATA || !html.includes('"data:')) return html;
    return html.replace(/"data:[^"]*"/g, (address) => (address.length > MAX_DATA ? '"data:,"' : address));
  }

  try {
    const html = withoutLongData(withFrames(htmlOf(document, 0)));
    return { html: html.length > limit ? null : html, mayHaveClosed };
  } finally {
    for (const restore of undo.reverse()) restore();
  }
}
