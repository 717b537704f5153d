import { resolveAddress } from './address.ts';
import { mapSrcset } from './images/srcset.ts';
import { isBlock, PREFORMATTED, TAGS, VOID } from './tree/tags.ts';
import type { ElementNode, TreeNode } from './tree.ts';

export interface HtmlOptions {
  /** The base of relative addresses. */
  baseUrl: string;
  /** Images with a `data:` address lose it and keep their alt text. */
  removeBase64Images: boolean;
}

/** Schemes that a link can have. Links with others, above all `javascript:`, lose their address. */
const LINK_SCHEMES: ReadonlySet<string> = new Set(['http:', 'https:', 'mailto:', 'tel:', 'sms:', 'ftp:']);
const WEB_SCHEMES: ReadonlySet<string> = new Set(['http:', 'https:']);
const LINK_ATTRIBUTES = new Set(['href', 'xlink:href', 'action', 'formaction', 'cite', 'longdesc']);
const SOURCE_ATTRIBUTES = new Set(['src', 'data-src', 'poster', 'data', 'background']);
const SRCSET_ATTRIBUTES = new Set(['srcset', 'data-srcset', 'imagesrcset']);
/** Style and behaviour that mean nothing outside the page. */
const NOISE_ATTRIBUTES = new Set([
  'style',
  'srcdoc',
  'ping',
  'nonce',
  'integrity',
  'crossorigin',
  'jsaction',
  'bgcolor',
]);
/** Names that are safe to write. The parser accepts any character except space, `/`, `>` and `=`. */
const PLAIN_NAME = /^[a-z_:@][\w:.@-]*$/;
/** Drawings mean nothing in text, and the others do not work without their scripts. */
const DROPPED = new Set(['svg', 'canvas', 'base', 'link', 'meta', 'param']);
/** Elements whose raw text would not survive escaping. */
const RENAMED: ReadonlyMap<string, string> = new Map([
  ['xmp', 'pre'],
  ['listing', 'pre'],
  ['plaintext', 'pre'],
]);

/**
 * The nodes as cleaned HTML: without scripts, styles, hidden elements, drawings, event handlers and inline styles,
 * with absolute addresses. The serialization of the HTML standard (13.3), with a line break behind each block.
 */
export function toHtml(nodes: readonly TreeNode[], options: HtmlOptions): string {
  const parts: string[] = [];
  writeAll(nodes, options, parts);
  return parts.join('').trim();
}

function writeAll(nodes: readonly TreeNode[], options: HtmlOptions, parts: string[]): void {
  for (const [index, node] of nodes.entries()) {
    if (node.kind === 'text') {
      parts.push(escapeText(node.text));
      continue;
    }
    writeElement(node, options, parts);
    if (endsLine(node) && nodes[index + 1]?.kind !== 'text') parts.push('\n');
  }
}

function writeElement(element: ElementNode, options: HtmlOptions, parts: string[]): void {
  if (element.hidden || DROPPED.has(element.name)) return;
  const name = RENAMED.get(element.name) ?? element.name;
  if (!PLAIN_NAME.test(name)) {
    writeAll(element.children, options, parts);
    return;
  }
  const bits = TAGS.get(name)?.bits ?? 0;
  parts.push('<', name);
  for (const [attribute, written] of element.attributes.entries()) {
    const value = cleanAttribute(element.name, attribute, written, options);
    if (value !== undefined) parts.push(' ', attribute, '="', escapeAttribute(value), '"');
  }
  parts.push('>');
  if ((bits & VOID) === 0) {
    // The parser of whoever reads this drops the first line break in these.
    if ((bits & PREFORMATTED) !== 0 && startsWithBreak(element)) parts.push('\n');
    if (name !== 'iframe') writeAll(element.children, options, parts);
    parts.push('</', name, '>');
  }
}

/** After body and html, a line break would become text of the body again. */
function endsLine({ name, hidden }: ElementNode): boolean {
  return !hidden && name !== 'body' && name !== 'html' && isBlock(name);
}

function startsWithBreak({ children }: ElementNode): boolean {
  const first = children[0];
  return first?.kind === 'text' && first.text.startsWith('\n');
}

/** The value to write, or undefined when the attribute is dropped. */
function cleanAttribute(name: string, attribute: string, value: string, options: HtmlOptions): string | undefined {
  if (!PLAIN_NAME.test(attribute)) return undefined;
  if (attribute.startsWith('on') || NOISE_ATTRIBUTES.has(attribute)) return undefined;
  if (LINK_ATTRIBUTES.has(attribute)) return resolveAddress(value.trim(), options.baseUrl, LINK_SCHEMES);
  if (SOURCE_ATTRIBUTES.has(attribute)) return cleanSource(name, value.trim(), options);
  if (SRCSET_ATTRIBUTES.has(attribute))
    return mapSrcset(value, (address) => cleanSource(name, address, options)) || undefined;
  return value;
}

function cleanSource(name: string, address: string, { baseUrl, removeBase64Images }: HtmlOptions): string | undefined {
  if (!/^data:image\//i.test(address)) return resolveAddress(address, baseUrl, WEB_SCHEMES);
  return name === 'iframe' || removeBase64Images ? undefined : address;
}

function escapeText(text: string): string {
  return /[&<>]/.test(text) ? text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;') : text;
}

function escapeAttribute(value: string): string {
  return /[&"<>]/.test(value) ? escapeText(value).replaceAll('"', '&quot;') : value;
}
