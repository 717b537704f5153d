import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { z } from 'zod';

/** A page with its main content, as labelled by people. */
export interface LabelledPage {
  id: string;
  /** Empty when unknown. */
  url: string;
  /** The kind of page: article, documentation, service, forum, listing, collection, product. */
  type: string;
  /** The main content as plain text. */
  content: string;
  /** Snippets that belong to the main content. */
  with: readonly string[];
  /** Snippets that do not. */
  without: readonly string[];
}

const labelSchema = z.object({
  url: z.string().nullish(),
  ground_truth: z.object({
    main_content: z.string().nullish(),
    with: z.array(z.string()).nullish(),
    without: z.array(z.string()).nullish(),
  }),
  _internal: z.object({ page_type: z.object({ primary: z.string() }).nullish() }).nullish(),
});

/**
 * The labels of a folder in the layout of WCXB (Web Content eXtraction Benchmark), by id.
 *
 * @param folder holds ground-truth/ID.json and html/ID.html.gz
 */
export function readLabels(folder: string): LabelledPage[] {
  const labels = join(folder, 'ground-truth');
  return readdirSync(labels)
    .sort()
    .map((file) => {
      const label = labelSchema.parse(JSON.parse(readFileSync(join(labels, file), 'utf8')));
      return {
        id: basename(file, '.json'),
        url: label.url ?? '',
        type: label._internal?.page_type?.primary ?? 'unknown',
        content: label.ground_truth.main_content ?? '',
        with: label.ground_truth.with ?? [],
        without: label.ground_truth.without ?? [],
      };
    });
}

/** The file with the source of a labelled page. */
export function htmlFile(folder: string, id: string): string {
  return join(folder, 'html', `${id}.html.gz`);
}

/** The source of a page, in UTF-8. Files that end in `.gz` are unpacked. */
export function readSource(file: string): Buffer {
  const bytes = readFileSync(file);
  return file.endsWith('.gz') ? gunzipSync(bytes) : bytes;
}

/** The source of a labelled page, in UTF-8. */
export function readHtml(folder: string, id: string): Buffer {
  return readSource(htmlFile(folder, id));
}
