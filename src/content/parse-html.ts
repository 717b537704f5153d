import { composeShadowRoots } from './tree/shadow-roots.ts';
import { Tokenizer } from './tree/tokenizer.ts';
import { TreeBuilder } from './tree/tree-builder.ts';
import type { ElementNode, PageTree } from './tree.ts';

/**
 * HTML source to the light tree. Never throws on markup; time and memory are linear in the source.
 * @param url the address of the page, absolute
 */
export function parseHtml(html: string, url: string): PageTree {
  const builder = new TreeBuilder();
  new Tokenizer(html.includes('\0') ? html.replaceAll('\0', '') : html, builder).run();
  if (builder.hasShadowRoots) composeShadowRoots(builder.root);
  return { root: builder.root, baseUrl: baseUrlOf(builder.base, url), truncated: builder.full };
}

/** The first `<base href>`, resolved against the page's address, when it is http or https (HTML standard, 4.2.3). */
function baseUrlOf(base: ElementNode | null, url: string): string {
  const address = URL.parse(base?.attributes.href ?? '', url);
  return base && (address?.protocol === 'http:' || address?.protocol === 'https:') ? address.href : url;
}
