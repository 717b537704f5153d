import { writeFile } from 'node:fs/promises';
import { join, parse } from 'node:path';
import type { ArtifactStore } from '../pages/stages.ts';

const ENDINGS: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'application/pdf': 'pdf',
};

/**
 * Writes artifacts as files, where no service gives them addresses. The document gets their paths.
 * @param folder where to write them
 * @param nameOf how the file with this number begins, of the scrape with this id
 * @param first the path of the first one, if it has a name already
 */
export function artifactFiles(
  folder: string,
  nameOf: (count: number, scrapeId: string) => string,
  first?: string,
): ArtifactStore {
  let count = 0;
  return {
    async put({ type, bytes }, { scrapeId }) {
      count += 1;
      const name = `${nameOf(count, scrapeId)}.${ENDINGS[type] ?? 'bin'}`;
      const path = count === 1 && first !== undefined ? first : join(folder, name);
      await writeFile(path, bytes);
      return path;
    },
  };
}

/** The files of one page: beside its output, `page-1.png` for `page.json`. */
export function artifactFilesBeside(output: string | undefined, isOutput: boolean): ArtifactStore {
  const { dir, name } = parse(output ?? 'page');
  return artifactFiles(dir, (count) => `${name}-${count}`, isOutput ? output : undefined);
}

/** The files of a job: in the folder of its pages, or in that of its output file. Named by the id of the scrape. */
export function artifactFilesOfJob(output: string | undefined): ArtifactStore {
  const isFile = output === undefined || /\.(?:jsonl|md)$/.test(output);
  const folder = isFile ? parse(output ?? '').dir : output;
  return artifactFiles(folder, (count, scrapeId) => `${scrapeId}-${count}`);
}
