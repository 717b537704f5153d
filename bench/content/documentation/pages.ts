import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type DocumentationPackage, PACKAGES } from './packages.ts';
import { unpack } from './unpack.ts';

/** A page of documentation. Its markup shows where the content begins and ends. */
export interface DocumentationPage {
  /** The package and the path in it. */
  id: string;
  /** The address at which it is published. */
  url: string;
  file: string;
  package: DocumentationPackage;
}

const PAGES_A_PACKAGE = 12;
/** Shorter pages are indexes and notes, longer ones are whole books. */
const MIN_BYTES = 12_000;
const MAX_BYTES = 500_000;

/**
 * Long pages from Debian's documentation packages, 12 from each, the same ones in every run. Downloads missing
 * packages.
 *
 * @throws when a package cannot be downloaded
 */
export function documentationPages(isWanted: (one: DocumentationPackage) => boolean): DocumentationPage[] {
  return PACKAGES.filter(isWanted).flatMap((one) => {
    const folder = join(unpack(one.name), one.folder);
    const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.x?html?$/.test(path) && !one.without?.test(path) && isLong(join(folder, path)))
      .sort((left, right) => (hashOf(left) < hashOf(right) ? -1 : 1))
      .slice(0, PAGES_A_PACKAGE);
    if (paths.length === 0) throw new Error(`The package ${one.name} has no long pages in ${one.folder}.`);
    return paths.map((path) => ({
      id: `${one.name}/${path}`,
      url: new URL(path, one.url).href,
      file: join(folder, path),
      package: one,
    }));
  });
}

export function readDocumentation({ file }: DocumentationPage): string {
  return readFileSync(file, 'utf8');
}

function isLong(file: string): boolean {
  const { size } = statSync(file);
  return size >= MIN_BYTES && size <= MAX_BYTES;
}

/** Spreads the sample over the whole package. */
function hashOf(path: string): string {
  return createHash('sha256').update(path).digest('hex');
}
