import { resolveAddress } from '../address.ts';
import { parseHtml } from '../parse-html.ts';
import { textOf } from '../walk.ts';

/** A feed of any syntax: RSS, Atom or JSON Feed. Texts have no white space at the ends, absent ones are left out. */
export interface Feed {
  title?: string | undefined;
  description?: string | undefined;
  link?: string | undefined;
  items: FeedItem[];
}

export interface FeedItem {
  title?: string | undefined;
  link?: string | undefined;
  /** As the feed writes it. */
  date?: string | undefined;
  author?: string | undefined;
  /** HTML. */
  summary?: string | undefined;
}

const MAX_SUMMARY = 5_000;

/** A feed as a Markdown page: its title, then a heading with link, a line with date and author, and the summary of each item. */
export function feedMarkdown(feed: Feed, url: string): string {
  const base = absolute(feed.link, url) ?? url;
  const head = [
    feed.title && `# ${escaped(feed.title)}`,
    feed.description && plainText(feed.description, base),
    feed.link && `<${base}>`,
  ];
  const items = feed.items.map((item) => itemMarkdown(item, base));
  return [...head, ...items].filter((block) => block).join('\n\n');
}

function itemMarkdown(item: FeedItem, base: string): string {
  const link = absolute(item.link, base);
  const title = escaped(plainText(item.title ?? link ?? item.date ?? 'Untitled', base));
  const heading = link === undefined ? `## ${title}` : `## [${title}](<${link}>)`;
  const byline = [item.date && isoDate(item.date), item.author].filter((part) => part).join(' · ');
  return [heading, byline, item.summary && plainText(item.summary, base)].filter((block) => block).join('\n\n');
}

/** RSS dates are RFC 822, Atom and JSON Feed dates RFC 3339; what is neither stays as written. */
function isoDate(date: string): string {
  const time = Date.parse(date);
  return Number.isNaN(time) ? date : new Date(time).toISOString();
}

function absolute(link: string | undefined, base: string): string | undefined {
  return link === undefined ? undefined : resolveAddress(link, base);
}

function plainText(html: string, base: string): string {
  return /[<&]/.test(html) ? textOf(parseHtml(html, base).root, MAX_SUMMARY) : html;
}

/** What Markdown would read as a mark inside a heading (CommonMark 0.31, section 2.4). */
function escaped(text: string): string {
  return text.replace(/[\\`*_[\]<>]/g, '\\$&');
}
