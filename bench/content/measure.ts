/**
 * The process in which one engine is measured: reads a job from standard input and writes one line of JSON to file
 * descriptor 3 when a page starts and one when it is done. Writing is synchronous, so that whatever happens to this
 * process, the parent knows at which page.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { ENGINES } from './engines.ts';
import { readSource } from './labelled-pages.ts';

export interface Job {
  engine: string;
  /** Converted first and not measured: by then the compiler has seen most of the code. */
  warm: readonly SourceOf[];
  pages: readonly SourceOf[];
}

/** Where a page is: its address, and the file that holds it. */
export interface SourceOf {
  id: string;
  url: string;
  file: string;
}

/** A page starts, or is done. */
export type Line = { start: string } | PageDone;

export interface PageDone {
  id: string;
  markdown: string;
  /** What the engine threw. */
  error?: string;
  /** Of the source, in UTF-8. */
  bytes: number;
  /** Milliseconds on the clock. */
  wall: number;
  /** Milliseconds of processor time of the whole process, threads that collect garbage and compile included. */
  cpu: number;
  /** Largest resident memory of this process so far, in MB. */
  memory: number;
}

const { engine: name, warm, pages }: Job = JSON.parse(readFileSync(0, 'utf8'));
const load = ENGINES[name];
if (load === undefined) throw new Error(`There is no engine ${name}.`);
const engine = await load();

for (const { id, url, file } of warm) {
  const html = readSource(file).toString();
  write({ start: id });
  await convert(html, url);
}

// Only the conversion is measured, not the reading of the source and the writing of the answer. Garbage that is collected
// beside those is lost to the figure: at most 4 % for this engine. Processor time is that of the whole process because
// the kernel keeps that of a single thread in ticks of 4 ms.
for (const { id, url, file } of pages) {
  const source = readSource(file);
  const html = source.toString();
  write({ start: id });
  const cpuBefore = cpuTime();
  const start = performance.now();
  const outcome = await convert(html, url);
  const wall = performance.now() - start;
  const cpu = cpuTime() - cpuBefore;
  const memory = (process.resourceUsage().maxRSS * 1024) / 1e6;
  write({ id, ...outcome, bytes: source.length, wall, cpu, memory });
}

async function convert(html: string, url: string): Promise<{ markdown: string; error?: string }> {
  try {
    return { markdown: await engine.toMarkdown(html, url || 'https://example.com/') };
  } catch (error) {
    return { markdown: '', error: String(error) };
  }
}

function cpuTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

function write(line: Line): void {
  writeFileSync(3, `${JSON.stringify(line)}\n`);
}
