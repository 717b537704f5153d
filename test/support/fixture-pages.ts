import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = join(import.meta.dirname, '..', 'fixtures', 'pages');

/** What a good reading of a page has and has not. Compare words: Markdown puts marks between them. */
export interface Expected {
  /** Of the main heading. */
  title: string;
  /** Of the main content. */
  with: readonly string[];
  /** Of what stands around it: navigation, advertisements, scripts. */
  without: readonly string[];
}

export interface FixturePage extends Expected {
  /** The file's name without `.html`. */
  name: string;
  html: Buffer;
}

/**
 * Pages written for these tests, one of each common kind, so that they need no data set: an article, documentation,
 * a forum, a product … One is in windows-1251, one reads from right to left, one is broken in every way at once.
 */
export function fixturePages(): FixturePage[] {
  const expected: Record<string, Expected> = JSON.parse(readFileSync(join(FOLDER, 'expected.json'), 'utf8'));
  return Object.entries(expected).map(([name, rest]) => ({
    name,
    ...rest,
    html: readFileSync(join(FOLDER, `${name}.html`)),
  }));
}
