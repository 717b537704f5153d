import type { BrowserContext, Page } from 'playwright-core';
import { addSource, type MediaSources, mediaAt } from '../../content/media/media-source.ts';
import { isolatedWorldOf } from '../isolated-world.ts';
import { collectPlayers } from './in-page/collect-players.ts';

/** Notices the recordings that pages load, whatever their scripts build players from. */
export class MediaWatch {
  readonly #sources: MediaSources = { audio: [], video: [] };

  constructor(context: BrowserContext) {
    // Requests too: those that are blocked get no response.
    context.on('request', (request) => this.#add(request.url()));
    context.on('response', (response) => this.#add(response.url(), response.headers()['content-type']));
  }

  #add(url: string, type?: string): void {
    if (/^https?:/.test(url) && !/^text\/html/i.test(type ?? '')) addSource(this.#sources, mediaAt(url, type));
  }

  /** What the players of a page play, then what was loaded besides. */
  async found(page: Page): Promise<MediaSources> {
    const world = await isolatedWorldOf(page);
    const sources: MediaSources = { audio: [], video: [] };
    for (const { kind, address } of await world.run(collectPlayers, null))
      addSource(sources, mediaAt(address, '', kind));
    for (const kind of ['audio', 'video'] as const) {
      for (const source of this.#sources[kind]) addSource(sources, { kind, source });
    }
    return sources;
  }
}
