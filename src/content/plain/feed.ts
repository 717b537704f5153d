import { resolveAddress } from '../address.ts';
import { toMarkdown } from '../markdown/to-markdown.ts';
import { parseHtml } from '../parse-html.ts';
import { truncate } from '../truncate.ts';
import { textOf } from '../walk.ts';

/** A feed of any syntax: RSS, Atom or JSON Feed. Texts are trimmed; absent values are undefined. */
export interface Feed {
  title: string | undefined;
  /** HTML. */
  description: string | undefined;
  link: string | undefined;
  items: FeedItem[];
}

export interface FeedItem {
  title: string | undefined;
  link: string | undefined;
  /** As written in the feed. */
  date: string | undefined;
  author: string | undefined;
  /** HTML. */
  summary: string | undefined;
}

/** A longer text is not a summary. Feeds with whole articles would make a page of megabytes. */
const MAX_SUMMARY = 20_000;

/** A feed as a Markdown page: its title, then a heading with link, a line with date and author, and the summary of each item. */
export function feedMarkdown(feed: Feed, url: string): string {
  const base = absolute(feed.link, url) ?? url;
  const head = [heading(1, feed.title, absolute(feed.link, url)), paragraph(feed.description)];
  const pages = [head, ...feed.items.map((item) => itemHtml(item, base))].map((parts) => parts.join(''));
  // Each item is parsed separately, so that unclosed markup ends with its item.
  return pages
    .map((html) => markdownOf(html, base))
    .filter((markdown) => markdown !== '')
    .join('\n\n');
}

/** The text of a title, which feeds write as plain text or as HTML. */
export function titleText(title: string): string {
  return /[<&]/.test(title) ? textOf(parseHtml(title, 'about:blank').root) : title;
}

function itemHtml({ title, link, date, author, summary }: FeedItem, base: string): string[] {
  const address = absolute(link, base);
  const byline = [date === undefined ? undefined : isoDate(date), author].filter((part) => part);
  return [
    heading(2, title ?? address ?? date, address),
    `<p>${escapeHtml(byline.join(' · '))}</p>`,
    paragraph(summary),
  ];
}

function heading(level: number, title: string | undefined, link: string | undefined): string {
  if (title === undefined) return '';
  const text = escapeHtml(titleText(title));
  return `<h${level}>${link === undefined ? text : `<a href="${escapeHtml(link)}">${text}</a>`}</h${level}>`;
}

function paragraph(html: string | undefined): string {
  return html === undefined ? '' : `<div>${truncate(html, MAX_SUMMARY)}</div>`;
}

/** RSS dates are RFC 822, Atom and JSON Feed dates RFC 3339; anything else stays as written. */
function isoDate(date: string): string {
  const time = Date.parse(date);
  return Number.isNaN(time) ? date : new Date(time).toISOString();
}

function absolute(link: string | undefined, base: string): string | undefined {
  return link === undefined ? undefined : resolveAddress(link, base);
}

function markdownOf(html: string, baseUrl: string): string {
  return toMarkdown(parseHtml(html, baseUrl).root.children, { baseUrl, removeBase64Images: true }).trim();
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
