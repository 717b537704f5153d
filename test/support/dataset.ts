import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

/** The expected content of a labelled page. */
export interface Truth {
  /** The address of the page. */
  url: string;
  /** article, forum, listing, product … */
  pageType: string;
  title: string;
  /** As plain text. */
  mainContent: string;
  /** Snippets that must be in the content. */
  with: readonly string[];
  /** Snippets that must not. */
  without: readonly string[];
}

/** Real pages with labels: `html/ID.html.gz` and `ground-truth/ID.json` in one folder. */
export interface Dataset {
  /** Ids in ascending order. */
  pages(): string[];
  html(id: string): Buffer;
  truth(id: string): Truth;
}

interface TruthFile {
  url: string;
  _internal?: { page_type?: { primary?: string } };
  ground_truth: { title?: string | null; main_content?: string | null; with?: string[]; without?: string[] };
}

/** The default location of the data set: next to the repository. */
const BESIDE = join(import.meta.dirname, '..', '..', '..', 'shared', 'data', 'wcxb-dev');

/**
 * The labelled data set (the WCXB development split, or another in its layout), which is too large for the repository.
 * It is read from the folder TRAWL_TEST_PAGES, else from next to the repository; null when there is none. A test that
 * gets null must report that it is skipped: `test('…', { skip: dataset === null && NO_DATASET }, …)`.
 */
export function openDataset(): Dataset | null {
  const named = process.env.TRAWL_TEST_PAGES;
  const folder = named ?? BESIDE;
  if (!existsSync(join(folder, 'html'))) {
    if (named === undefined) return null;
    throw new Error(
      `TRAWL_TEST_PAGES is ${named}, which has no folder html/. Correct it, or unset it to skip these tests.`,
    );
  }
  return {
    pages: () => {
      const files = readdirSync(join(folder, 'html')).filter((file) => file.endsWith('.html.gz'));
      return files.map((file) => file.slice(0, -'.html.gz'.length)).sort();
    },
    html: (id) => gunzipSync(readFileSync(join(folder, 'html', `${id}.html.gz`))),
    truth: (id) => readTruth(join(folder, 'ground-truth', `${id}.json`)),
  };
}

export const NO_DATASET = 'SKIPPED: no labelled pages. Set TRAWL_TEST_PAGES to a folder with html/ and ground-truth/.';

function readTruth(file: string): Truth {
  const { url, _internal, ground_truth: truth }: TruthFile = JSON.parse(readFileSync(file, 'utf8'));
  return {
    url,
    pageType: _internal?.page_type?.primary ?? 'unknown',
    title: truth.title ?? '',
    mainContent: truth.main_content ?? '',
    with: truth.with ?? [],
    without: truth.without ?? [],
  };
}
