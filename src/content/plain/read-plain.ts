import { isRecord, parseJson } from '../structured/json.ts';
import { csvMarkdown } from './csv.ts';
import { type Feed, feedMarkdown, titleText } from './feed.ts';
import { fenced } from './fence.ts';
import { prettyJson } from './json.ts';
import { readJsonFeed } from './json-feed.ts';
import { sitemapMarkdown } from './sitemap.ts';
import { textMarkdown } from './text.ts';
import { readXml } from './xml.ts';
import { readXmlFeed } from './xml-feed.ts';

/** The answer of an address that is not a web page. */
export type PlainKind = 'json' | 'xml' | 'text' | 'csv';

export interface PlainDocument {
  markdown: string;
  /** Only for a feed. */
  title?: string;
}

/** Many servers send every file as text/plain. Then the file extension says more. */
const KIND_OF_EXTENSION = new Map<string, PlainKind>([
  ['json', 'json'],
  ['geojson', 'json'],
  ['xml', 'xml'],
  ['rss', 'xml'],
  ['atom', 'xml'],
  ['svg', 'xml'],
  ['csv', 'csv'],
  ['tsv', 'csv'],
]);

/**
 * Markdown of an address that is not HTML: JSON and XML in fenced blocks, except feeds (RSS, Atom, JSON Feed) as
 * headings and text and sitemaps as lists; comma-separated values as tables; text unchanged. Never throws; time and
 * memory are linear in the text.
 */
export function readPlain(kind: PlainKind, text: string, url: string): PlainDocument {
  const source = text
    .replace(/^\ufeff/, '')
    .replaceAll('\0', '')
    .replace(/\r\n?/g, '\n');
  // An empty code block would look like content.
  if (source.trim() === '') return { markdown: '' };
  const extension = extensionOf(url);
  switch (kind === 'text' ? (KIND_OF_EXTENSION.get(extension) ?? 'text') : kind) {
    case 'json':
      return readJson(source, url);
    case 'xml':
      return readXmlDocument(source, url);
    case 'csv':
      return { markdown: csvMarkdown(source) };
    case 'text':
      return { markdown: textMarkdown(source, extension) };
  }
}

function readJson(source: string, url: string): PlainDocument {
  const value = parseJson(source);
  const feed = isRecord(value) ? readJsonFeed(value) : undefined;
  if (feed) return feedDocument(feed, url);
  return { markdown: fenced((value === undefined ? undefined : prettyJson(source)) ?? source, 'json') };
}

function readXmlDocument(source: string, url: string): PlainDocument {
  const root = readXml(source);
  const feed = root && readXmlFeed(root);
  if (feed) return feedDocument(feed, url);
  return { markdown: (root && sitemapMarkdown(root)) ?? fenced(source, 'xml') };
}

function feedDocument(feed: Feed, url: string): PlainDocument {
  const markdown = feedMarkdown(feed, url);
  return feed.title === undefined ? { markdown } : { markdown, title: titleText(feed.title) };
}

function extensionOf(url: string): string {
  const path = URL.parse(url)?.pathname ?? '';
  const name = path.slice(path.lastIndexOf('/') + 1);
  return name.includes('.') ? name.slice(name.lastIndexOf('.') + 1).toLowerCase() : '';
}
