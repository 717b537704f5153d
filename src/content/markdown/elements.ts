import { BLOCK, isBlock, TAGS } from '../tree/tags.ts';
import type { ElementNode } from '../tree.ts';
import { wroteAdmonition } from './admonitions.ts';
import { renderHeading, renderQuote, renderRule, renderSummary } from './blocks.ts';
import { renderCode, renderPre } from './code.ts';
import { isBoxOfLines } from './code-lines.ts';
import { isNumbersOfLines } from './code-text.ts';
import { renderDefinitionList } from './definitions.ts';
import { renderEmbed, renderFrame, renderMedia, renderObject } from './embeds.ts';
import { renderFootnote, wroteNote } from './footnote-text.ts';
import { renderHidden } from './hidden.ts';
import { renderImage } from './images.ts';
import {
  renderEmphasis,
  renderQuotation,
  renderRubyText,
  renderStrikethrough,
  renderStrong,
  renderStyled,
  renderSubscript,
  renderSuperscript,
} from './inline.ts';
import { renderLink } from './links.ts';
import { renderCheckbox, renderList, renderStrayItem } from './lists.ts';
import { renderMath } from './math.ts';
import type { ElementRenderer, Renderer } from './renderer.ts';
import { renderTable } from './tables.ts';

/** Controls, drawings and elements of the head. None of them holds text to read. */
const LEFT_OUT =
  'area base canvas col colgroup datalist head link map meta meter noembed noframes optgroup option param progress select source style svg template textarea title track';

/** By element name. An element that is not listed is inline and shows its children. */
export const RENDERERS: ReadonlyMap<string, ElementRenderer> = new Map([
  ...blockNames().map((name): [string, ElementRenderer] => [name, renderBlock]),
  ...group(LEFT_OUT, () => {}),
  ...group('h1 h2 h3 h4 h5 h6', renderHeading),
  ...group('strong b', renderStrong),
  ...group('em i cite dfn var', renderEmphasis),
  ...group('del s strike', renderStrikethrough),
  ...group('code kbd samp tt', renderCode),
  ...group('pre listing xmp plaintext', renderPre),
  ...group('ul ol menu dir', renderList),
  ...group('img amp-img', renderImage),
  ...group('video audio amp-video', renderMedia),
  ...group('iframe amp-iframe frame', renderFrame),
  ...group('object', renderObject),
  ...group('embed', renderEmbed),
  ...group('rt rtc', renderRubyText),
  ...group('a', renderLink),
  ...group('blockquote', renderQuote),
  ...group('br', (_element, page) => page.out.lineBreak()),
  ...group('button', renderButton),
  ...group('dl', renderDefinitionList),
  ...group('hr', renderRule),
  ...group('input', renderCheckbox),
  ...group('li', renderStrayItem),
  ...group('math', renderMath),
  ...group('q', renderQuotation),
  ...group('script', renderHidden),
  ...group('sub', renderSubscript),
  ...group('summary', renderSummary),
  ...group('sup', renderSuperscript),
  ...group('table', renderTable),
]);

/** Elements without a renderer of their own. Custom elements and labels are at least separate words. */
export function renderInline(element: ElementNode, page: Renderer): void {
  const isApart = element.name === 'label' || element.name.includes('-');
  if (isApart) page.out.space();
  renderStyled(element, page, page.bold.has(element), false);
  if (isApart) page.out.space();
}

/** Buttons are left out, because nothing can be clicked here. A button that folds a section is the section's title. */
function renderButton(element: ElementNode, page: Renderer): void {
  const { attributes } = element;
  const folds = attributes['aria-expanded'] !== undefined || attributes['aria-controls'] !== undefined;
  if (!folds && !isAboveList(element) && page.out.flow !== 'line') return;
  page.out.space();
  page.children(element);
  page.out.space();
}

/** Whether the button is above the list that it opens, as in a menu. */
function isAboveList(button: ElementNode): boolean {
  if (button.parent?.name !== 'li') return false;
  const [first, second] = button.parent.children.slice(0, 4).filter((child) => child.kind === 'element');
  return first === button && (second?.name === 'ul' || second?.name === 'ol' || second?.name === 'div');
}

function renderBlock(element: ElementNode, page: Renderer): void {
  const footnote = page.footnotes.definition(element);
  const names = element.attributes.class;
  if (isBoxOfLines(element, names)) renderPre(element, page);
  else if (names !== undefined && isNumbersOfLines(element, names)) return;
  else if (footnote !== null) renderFootnote(element, footnote, page);
  else if (!wroteAdmonition(element, page) && !wroteNote(element, page)) renderPlainBlock(element, page);
}

function renderPlainBlock(element: ElementNode, page: Renderer): void {
  page.out.block();
  if (isParagraph(element)) renderStyled(element, page, false, false);
  else page.children(element);
  page.out.block();
}

/** Whether the element is a paragraph. Mail programs write paragraphs as `<div>`. */
function isParagraph({ name, children, attributes }: ElementNode): boolean {
  if (name === 'p') return true;
  if (name !== 'div' || attributes.style === undefined) return false;
  return children.every((child) => child.kind === 'text' || child.name === 'br' || !isBlock(child.name));
}

function group(names: string, renderer: ElementRenderer): [string, ElementRenderer][] {
  return names.split(' ').map((name) => [name, renderer]);
}

function blockNames(): string[] {
  return [...TAGS.values()].filter(({ bits }) => (bits & BLOCK) !== 0).map(({ name }) => name);
}
