import { resolveAddress } from '../address.ts';
import { readJsonLd } from '../structured/json-ld.ts';
import { readScripts } from '../structured/scripts.ts';
import { isThing, type Thing, valuesOf } from '../structured/thing.ts';
import type { ElementNode, PageTree } from '../tree.ts';
import { walkElements } from '../walk.ts';
import { addSource, type MediaKind, type MediaSources, mediaAt } from './media-source.ts';

/** schema.org data is flat. */
const MAX_DEPTH = 8;

/**
 * The recordings that a page plays, describes or links to, in this order: its players, its JSON-LD, its Open Graph tags, its
 * enclosures, its links.
 */
export function readMedia(tree: PageTree): MediaSources {
  const players: MediaSources = { audio: [], video: [] };
  const tags: MediaSources = { audio: [], video: [] };
  const links: MediaSources = { audio: [], video: [] };
  const add = (to: MediaSources, address: string | undefined, type?: string, kind?: MediaKind) => {
    const absolute = address === undefined ? undefined : resolveAddress(address, tree.baseUrl);
    if (absolute !== undefined) addSource(to, mediaAt(absolute, type, kind));
  };

  walkElements(tree.root.children, (element) => {
    const { name, attributes } = element;
    if (name === 'video' || name === 'audio') {
      add(players, attributes.src ?? attributes.get('data-src'), attributes.type, name);
    } else if (name === 'source') {
      const player = playerOf(element);
      if (player !== undefined) add(players, attributes.src ?? attributes.get('data-src'), attributes.type, player);
    } else if (name === 'meta') {
      const property = (attributes.property ?? attributes.name ?? '').toLowerCase();
      const [, kind] = /^og:(audio|video)(?::url|:secure_url)?$/.exec(property) ?? [];
      // Many name a page with a player there: only a path that ends like a recording is one.
      if (kind !== undefined || property === 'twitter:player:stream') add(tags, attributes.content);
    } else if (name === 'link' && /\benclosure\b/i.test(attributes.rel ?? '')) {
      add(tags, attributes.href, attributes.type);
    } else if (name === 'a') {
      add(links, attributes.href, attributes.type);
    }
  });
  const described: MediaSources = { audio: [], video: [] };
  for (const thing of readJsonLd(readScripts(tree).jsonLd)) readThing(thing, 0);

  function readThing(thing: Thing, depth: number): void {
    const [, kind] =
      /^(audio|video)object$/.exec(thing.types.find((type) => /^(?:audio|video)object$/.test(type)) ?? '') ?? [];
    for (const address of valuesOf(thing, 'contentUrl')) {
      if (typeof address === 'string')
        add(described, address, typeOf(thing), kind === 'audio' || kind === 'video' ? kind : undefined);
    }
    if (depth >= MAX_DEPTH) return;
    for (const value of [...thing.properties.values()].flat()) if (isThing(value)) readThing(value, depth + 1);
  }

  const sources: MediaSources = { audio: [], video: [] };
  for (const group of [players, described, tags, links]) {
    for (const kind of ['audio', 'video'] as const) {
      for (const source of group[kind]) addSource(sources, { kind, source });
    }
  }
  return sources;
}

function playerOf({ parent }: ElementNode): MediaKind | undefined {
  const name = parent?.name;
  return name === 'audio' || name === 'video' ? name : undefined;
}

function typeOf(thing: Thing): string | undefined {
  const [type] = valuesOf(thing, 'encodingFormat');
  return typeof type === 'string' ? type : undefined;
}
