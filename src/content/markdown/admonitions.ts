import { type Admonition, type AdmonitionKind, readAdmonition } from '../admonitions.ts';
import type { ElementNode } from '../tree.ts';
import { strong } from './inline.ts';
import type { Renderer } from './renderer.ts';

/** Sphinx: `<div class="versionadded"><p><span class="versionmodified">New in version 3.5:</span> …`. */
const VERSION_NOTE = /(?:^|\s)(?:versionadded|versionchanged|versionremoved|deprecated)(?:$|\s)/;
const VERSION_LABEL = /(?:^|\s)versionmodified(?:$|\s)/;

/** Writes the element as an admonition, if it is one. @returns whether it is */
export function wroteAdmonition(element: ElementNode, page: Renderer): boolean {
  const admonition = readAdmonition(element);
  if (admonition === null || !hasText(element, admonition)) return wroteVersionNote(element, page);
  const { out } = page;
  out.block();
  out.nested('> ', '> ', () => writeInside(admonition, page));
  out.block();
  return true;
}

/** GitHub's alerts: the kind on a line of its own, and the author's title in bold. */
function writeInside({ kind, title, heads, bodies }: Admonition, page: Renderer): void {
  const { out } = page;
  const isQuoted = out.flow === 'block';
  if (kind !== null && isQuoted) out.headLine(`[!${kind.toUpperCase()}]`);
  if (title !== null) writeTitle(() => page.children(title), page);
  else if (kind !== null && !isQuoted) writeTitle(() => out.text(nameOf(kind)), page);
  for (const head of heads) page.written.add(head);
  for (const body of bodies) page.block(body);
}

function writeTitle(content: () => void, page: Renderer): void {
  page.out.block();
  page.inFlow('line', () => strong(page, content));
  page.out.block();
}

function nameOf(kind: AdmonitionKind): string {
  return kind.charAt(0).toUpperCase() + kind.slice(1);
}

function hasText({ textLength }: ElementNode, { heads }: Admonition): boolean {
  const headLength = heads.reduce((sum, head) => sum + (head.hidden ? 0 : head.textLength), 0);
  return textLength > headLength;
}

function wroteVersionNote(element: ElementNode, page: Renderer): boolean {
  const name = element.attributes.class;
  if (name === undefined || !VERSION_NOTE.test(name)) return false;
  const label = labelOf(element);
  if (label === null) return false;
  const { out } = page;
  page.bold.add(label);
  out.block();
  out.nested('> ', '> ', () => page.children(element));
  out.block();
  return true;
}

/** The label of a version note, in the element itself or in its first paragraph. */
function labelOf(element: ElementNode): ElementNode | null {
  const first = element.children.find((child) => child.kind === 'element');
  if (first === undefined) return null;
  if (VERSION_LABEL.test(first.attributes.class ?? '')) return first;
  return first.name === 'p' ? labelOf(first) : null;
}
