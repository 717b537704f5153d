import assert from 'node:assert/strict';
import type { MapLink } from '../../src/map/site-links.ts';
import type { CallOptions, TrawlClient } from './trawl.ts';

export interface MapAnswer {
  id: string;
  links: MapLink[];
  warning?: string;
}

/** Maps a site. */
export async function map(
  trawl: TrawlClient,
  url: string,
  options: object = {},
  call?: CallOptions,
): Promise<MapAnswer> {
  const { status, body } = await trawl.call<MapAnswer>('POST', '/v2/map', { url, ...options }, call);
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}

/** Maps a site; returns the paths of the addresses in order, with the origin where it differs. */
export async function mapPaths(trawl: TrawlClient, url: string, options: object = {}): Promise<string[]> {
  const { links } = await map(trawl, url, options);
  const { origin } = new URL(url);
  return links.map((link) => link.url.replace(origin, ''));
}
