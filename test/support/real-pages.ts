import { openDataset } from './dataset.ts';
import { fixturePages } from './fixture-pages.ts';

export interface RealPage {
  id: string;
  html: Buffer;
}

/** This many pages, spread evenly over the labelled data set, or the fixture pages when there is none. */
export function* realPages(count: number): Generator<RealPage> {
  const dataset = openDataset();
  if (dataset === null) {
    for (const { name, html } of fixturePages().slice(0, count)) yield { id: name, html };
    return;
  }
  const ids = dataset.pages();
  const step = Math.max(1, ids.length / count);
  for (let at = 0; at < ids.length; at += step) {
    const id = ids[Math.floor(at)];
    if (id !== undefined) yield { id, html: dataset.html(id) };
  }
}
