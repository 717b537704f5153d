import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = join(import.meta.dirname, '..', 'fixtures', 'pages');

/**
 * What a good extraction of a page contains and what it does not. Compare words, because Markdown adds marks between
 * them.
 */
export interface Expected {
  /** Words of the main heading. */
  title: string;
  /** Words of the main content. */
  with: readonly string[];
  /** Words of everything else: navigation, advertisements, scripts. */
  without: readonly string[];
}

export interface FixturePage extends Expected {
  /** The file's name without `.html`. */
  name: string;
  html: Buffer;
}

/**
 * Pages written for these tests, one of each common kind (an article, documentation, a forum, a product …), so that
 * they need no data set. One is in windows-1251, one is right-to-left, and one is broken in every way at once.
 */
export function fixturePages(): FixturePage[] {
  const expected: Record<string, Expected> = JSON.parse(readFileSync(join(FOLDER, 'expected.json'), 'utf8'));
  return Object.entries(expected).map(([name, rest]) => ({
    name,
    ...rest,
    html: readFileSync(join(FOLDER, `${name}.html`)),
  }));
}
