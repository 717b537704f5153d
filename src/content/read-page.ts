import { readAttributes } from './attributes.ts';
import { discover } from './discover.ts';
import { FootnoteTexts } from './footnote-texts.ts';
import { toHtml } from './html.ts';
import { readImages } from './images.ts';
import { readLinks } from './links.ts';
import { dropAdverts } from './main/adverts.ts';
import { BoxTitles } from './main/box-titles.ts';
import { mainContent } from './main/main-content.ts';
import { showContent } from './main/visibility.ts';
import { toMarkdown } from './markdown/to-markdown.ts';
import { readMedia } from './media/read-media.ts';
import { readMenu } from './menu/read-menu.ts';
import { readMetadata } from './metadata.ts';
import type { PageContent, PageInput, PageMetadata, ReadOptions } from './page-content.ts';
import { PageTitle } from './page-title.ts';
import { parseHtml } from './parse-html.ts';
import { readProduct } from './product/read-product.ts';
import { applyTags } from './selectors.ts';
import { readShell } from './shell.ts';
import { showStateContent } from './state-content.ts';
import { readStructuredData } from './structured/read-structured-data.ts';
import type { PageTree, TreeNode } from './tree.ts';
import { walkElements } from './walk.ts';

const TRUNCATED = 'The page has more elements than are read: its end is missing.';

/**
 * A page in the requested formats, all from one parse. Metadata, attributes, product, menu and discovered links cover
 * the whole page; the other formats cover the part that the options select.
 * @throws TrawlError BAD_REQUEST when a selector is invalid or takes too much work on this page
 */
export function readPage(page: PageInput, options: ReadOptions): PageContent {
  const tree = parseHtml(page.html, page.url);
  const { formats } = options;
  const content: PageContent = { metadata: readMetadata(tree, page) };
  if (formats.includes('attributes')) content.attributes = readAttributes(tree.root, options.attributes);
  if (options.discover) content.discovered = discover(tree, options.discover);
  if (formats.includes('audio') || formats.includes('video')) content.media = readMedia(tree);
  showContent(tree);
  content.shell = readShell(tree);
  if (content.shell.isShell && needsTextAlone(options) && showStateContent(tree, content.metadata)) {
    content.shell = { isShell: false, textLength: tree.root.textLength };
  }
  const warnings = readStructured(content, tree, page, formats);

  const nodes = partAskedFor(tree, page.url, content.metadata, options);
  const { baseUrl } = tree;
  if (formats.includes('markdown')) {
    content.markdown = toMarkdown(nodes, { baseUrl, removeBase64Images: options.removeBase64Images });
  }
  if (formats.includes('html')) {
    content.html = toHtml(nodes, { baseUrl, removeBase64Images: options.removeBase64Images });
  }
  if (formats.includes('links')) content.links = readLinks(nodes, baseUrl);
  if (formats.includes('images')) content.images = readImages(nodes, baseUrl);
  if (tree.truncated) warnings.push(TRUNCATED);
  if (warnings.length > 0) content.warning = warnings.join(' ');
  return content;
}

/** The state of a page has its text, but neither its menus nor what is beside the text. */
function needsTextAlone({ formats, discover, onlyMainContent, includeTags }: ReadOptions): boolean {
  if (discover !== undefined || !onlyMainContent || includeTags.length > 0) return false;
  return formats.every((format) => format === 'markdown' || format === 'html');
}

/** Adds the formats made from structured data; returns the warnings about them. */
function readStructured(
  content: PageContent,
  tree: PageTree,
  page: PageInput,
  formats: ReadOptions['formats'],
): string[] {
  if (!formats.includes('product') && !formats.includes('menu')) return [];
  const structured = readStructuredData(tree);
  const { product, warning } = formats.includes('product') ? readProduct(tree, structured, page) : {};
  const { menu, warning: menuWarning } = formats.includes('menu') ? readMenu(tree, structured, page) : {};
  if (product) content.product = product;
  if (menu) content.menu = menu;
  return [warning, menuWarning].filter((text) => text !== undefined);
}

/** Changes the tree: removes what is not requested. */
function partAskedFor(
  tree: PageTree,
  url: string,
  metadata: PageMetadata,
  { includeTags, excludeTags, blockAds, onlyMainContent, onlyCleanContent }: ReadOptions,
): readonly TreeNode[] {
  applyTags(tree, includeTags, excludeTags);
  if (onlyMainContent || onlyCleanContent) return mainPart(tree, url, metadata, onlyCleanContent);
  if (blockAds) dropAdverts(tree.root);
  return tree.root.children;
}

/** The main content with the titles that belong to it. */
function mainPart(tree: PageTree, url: string, metadata: PageMetadata, clean: boolean): readonly TreeNode[] {
  const pageTitle = new PageTitle(metadata, tree.baseUrl, url);
  const boxTitles = new BoxTitles();
  const footnoteTexts = new FootnoteTexts();
  walkElements(tree.root.children, (element) => {
    if (element.hidden) return false;
    pageTitle.meet(element);
    boxTitles.meet(element);
    footnoteTexts.meet(element);
    return true;
  });
  const content = mainContent(tree, { url, metadata, title: pageTitle.find(), clean });
  boxTitles.restore(content);
  return footnoteTexts.with(clean ? pageTitle.without(content) : pageTitle.once(content));
}
