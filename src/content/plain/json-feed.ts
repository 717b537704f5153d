import { isRecord } from '../structured/json.ts';
import type { Feed, FeedItem } from './feed.ts';

/** A JSON Feed (version 1 and 1.1), or undefined for any other document. */
export function readJsonFeed(document: Record<string, unknown>): Feed | undefined {
  const { version, items } = document;
  if (typeof version !== 'string' || !version.startsWith('https://jsonfeed.org/version/') || !Array.isArray(items))
    return undefined;
  return {
    title: text(document.title),
    description: text(document.description),
    link: text(document.home_page_url),
    items: items.filter(isRecord).map(readItem),
  };
}

function readItem(item: Record<string, unknown>): FeedItem {
  const authors: unknown[] = Array.isArray(item.authors) ? item.authors : [item.author];
  return {
    title: text(item.title),
    link: text(item.url) ?? text(item.external_url),
    date: text(item.date_published) ?? text(item.date_modified),
    author: authors
      .filter(isRecord)
      .map((author) => text(author.name))
      .filter((name) => name !== undefined)
      .join(', '),
    summary: text(item.summary) ?? text(item.content_html) ?? text(item.content_text),
  };
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}
