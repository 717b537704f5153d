import type { Feed, FeedItem } from './feed.ts';
import type { XmlElement } from './xml.ts';

/** RSS 2.0, RSS 1.0 (RDF) or Atom (RFC 4287); undefined for any other document. */
export function readXmlFeed(root: XmlElement): Feed | undefined {
  if (root.name === 'feed') return readAtom(root);
  const channel = root.first('channel');
  if (!channel || (root.name !== 'rss' && root.name !== 'rdf:RDF')) return undefined;
  return {
    title: channel.textOf('title'),
    description: channel.textOf('description'),
    link: channel.textOf('link'),
    // RSS 1.0 has the items next to the channel.
    items: [...channel.all('item'), ...root.all('item')].map(readRssItem),
  };
}

function readRssItem(item: XmlElement): FeedItem {
  return {
    title: item.textOf('title'),
    link: item.textOf('link') ?? permalink(item),
    date: item.textOf('pubDate', 'dc:date'),
    author: item.textOf('dc:creator', 'author', 'itunes:author'),
    summary: item.textOf('description', 'itunes:summary', 'content:encoded'),
  };
}

function permalink(item: XmlElement): string | undefined {
  return item.first('guid')?.attributes.isPermaLink === 'false' ? undefined : item.textOf('guid');
}

function readAtom(root: XmlElement): Feed {
  return {
    title: root.textOf('title'),
    description: root.textOf('subtitle'),
    link: atomLink(root),
    items: root.all('entry').map((entry) => ({
      title: entry.textOf('title'),
      link: atomLink(entry),
      date: entry.textOf('published', 'updated'),
      author: (entry.first('author') ?? root.first('author'))?.textOf('name'),
      summary:
        atomText(entry, 'summary') ??
        atomText(entry, 'content') ??
        entry.first('media:group')?.textOf('media:description'),
    })),
  };
}

function atomLink(element: XmlElement): string | undefined {
  const links = element.all('link').filter(({ attributes }) => attributes.href);
  const alternate = links.find(({ attributes }) => (attributes.rel ?? 'alternate') === 'alternate');
  return alternate?.attributes.href;
}

/** RFC 4287 section 3.1: text of type `xhtml` is markup inside the element. */
function atomText(entry: XmlElement, name: string): string | undefined {
  const element = entry.first(name);
  return element?.attributes.type === 'xhtml' ? element.deepText() || undefined : entry.textOf(name);
}
