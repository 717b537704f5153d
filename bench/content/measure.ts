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
  /** Pages converted first without measuring, so that most of the code is compiled. */
  warm: readonly SourceOf[];
  pages: readonly SourceOf[];
}

/** A page: its address and its file. */
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
  /** Size of the source in UTF-8. */
  bytes: number;
  /** Wall-clock milliseconds. */
  wall: number;
  /** CPU milliseconds of the whole process, including threads for garbage collection and compilation. */
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

// Only the conversion is measured, without reading the source and writing the answer. Garbage collection during those
// is not counted: at most 4 % for this engine. CPU time is for the whole process, because the kernel counts that of a
// single thread in ticks of 4 ms.
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
