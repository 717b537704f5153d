import { readImages } from './images.ts';
import { readLinks } from './links.ts';
import { readMetadata } from './metadata.ts';
import type { PageContent, PageInput, ReadOptions } from './page-content.ts';
import { parseHtml } from './parse-html.ts';

/** A page in the formats asked for: its metadata from the whole page, the rest from the part of it that is asked for. */
export function readPage(page: PageInput, options: ReadOptions): PageContent {
  const tree = parseHtml(page.html, page.url);
  const content: PageContent = { metadata: readMetadata(tree, page) };
  const { formats } = options;

  const nodes = tree.root.children;
  if (formats.includes('links')) content.links = readLinks(nodes, tree.baseUrl);
  if (formats.includes('images')) content.images = readImages(nodes, tree.baseUrl);
  return content;
}
