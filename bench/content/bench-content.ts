import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setUp } from '../../scripts/setup.mjs';
import { DEFAULT_FOLDER } from '../pages.ts';
import { documentationPages, readDocumentation } from './documentation/pages.ts';
import { ENGINES } from './engines.ts';
import { addIntegrity, type Integrity, measureIntegrity, noIntegrity } from './integrity.ts';
import { htmlFile, readLabels } from './labelled-pages.ts';
import type { SourceOf } from './measure.ts';
import { type EngineRun, runEngine } from './run-engine.ts';
import { type Summary, summarize } from './summary.ts';

/** A quick run takes one page in this many. */
const QUICK_STEP = 20;

export interface ContentOptions {
  /** Folder of labelled pages. */
  pages: string | undefined;
  /** Names of engines; all when empty. */
  only: readonly string[];
  /** Reads only a few pages, so the figures mean little. */
  quick: boolean;
}

/**
 * Measures the quality and speed of main content as Markdown: this engine and its peers over the same labelled pages,
 * one after another. Installs the peers when one of them is requested. Progress goes to standard error.
 *
 * @throws when there are no labelled pages or no such engine
 */
export async function benchContent({ pages: folder, only, quick }: ContentOptions): Promise<Map<string, Summary>> {
  const dataset = folder ?? DEFAULT_FOLDER;
  if (!existsSync(join(dataset, 'ground-truth'))) {
    throw new Error(`There are no labelled pages in ${dataset}. Name a folder that holds them with --pages.`);
  }
  const names = enginesOf(only);
  const pages = readLabels(dataset).filter((_, index) => !quick || index % QUICK_STEP === 0);
  const sources = pages.map(({ id, url }) => ({ id, url, file: htmlFile(dataset, id) }));
  return runEach(names, sources, (run) => summarize(pages, run));
}

/**
 * Measures how much of long documentation the same engines lose. The pages come from generators that this engine was
 * not trained on, and their markup shows where the content is.
 *
 * @throws when there is no such engine, or the documentation cannot be downloaded
 */
export async function benchIntegrity({ only }: Pick<ContentOptions, 'only'>): Promise<Map<string, Integrity>> {
  const names = enginesOf(only);
  const pages = documentationPages(({ isLearned }) => !isLearned);
  return runEach(names, pages, ({ done }) => {
    const all = noIntegrity();
    for (const page of pages) {
      const markdown = done.get(page.id)?.markdown ?? '';
      addIntegrity(all, measureIntegrity(readDocumentation(page), markdown, page.package));
    }
    return all;
  });
}

/** @throws when there is no such engine */
function enginesOf(only: readonly string[]): readonly string[] {
  const names = only.length === 0 ? Object.keys(ENGINES) : only;
  const unknown = names.find((name) => !(name in ENGINES));
  if (unknown !== undefined) {
    throw new Error(`There is no engine ${unknown}. There are: ${Object.keys(ENGINES).join(', ')}.`);
  }
  if (names.some((name) => name !== 'trawl')) setUp(join(import.meta.dirname, '..', 'peers'));
  return names;
}

async function runEach<Result>(
  names: readonly string[],
  pages: readonly SourceOf[],
  resultOf: (run: EngineRun) => Result,
): Promise<Map<string, Result>> {
  const results = new Map<string, Result>();
  for (const name of names) {
    try {
      const run = await runEngine(name, pages);
      results.set(name, resultOf(run));
      process.stderr.write(`${name}: ${pages.length} pages done\n`);
      for (const [id, reason] of run.failed) process.stderr.write(`  ${id}: ${reason}\n`);
    } catch (error) {
      // The others have been measured for minutes, so their figures are still reported.
      process.exitCode = 1;
      process.stderr.write(`${name}: left out: ${error}\n`);
    }
  }
  return results;
}
