/**
 * The process in which one engine is measured: reads a job from standard input and writes one line of JSON to file
 * descriptor 3 when a page starts and one when it is done. Writing is synchronous, so that whatever happens to this
 * process, the parent knows at which page.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { ENGINES } from './engines.ts';
import { readHtml } from './labelled-pages.ts';

export interface Job {
  engine: string;
  folder: string;
  /** Converted first and not measured: by then the compiler has seen most of the code. */
  warm: readonly PageOf[];
  pages: readonly PageOf[];
}

interface PageOf {
  id: string;
  url: string;
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
  /** Milliseconds of processor time of the thread that converts. */
  thread: number;
  /** Milliseconds of processor time of the whole process since the last page, without reading the source. */
  cpu: number;
  /** Largest resident memory of this process so far, in MB. */
  memory: number;
}

const { engine: name, folder, warm, pages }: Job = JSON.parse(readFileSync(0, 'utf8'));
const load = ENGINES[name];
if (load === undefined) throw new Error(`There is no engine ${name}.`);
const engine = await load();

for (const { id, url } of warm) {
  const html = readHtml(folder, id).toString();
  write({ start: id });
  await convert(html, url);
}

// Garbage is collected, and code compiled, on other threads too, and between two pages: both count as the engine's.
// What this thread does between two pages does not: it reads the next source and writes the last answer.
let processBefore = milliseconds(process.cpuUsage());
let threadBefore = milliseconds(process.threadCpuUsage());
for (const { id, url } of pages) {
  const source = readHtml(folder, id);
  const html = source.toString();
  write({ start: id });
  const threadStart = milliseconds(process.threadCpuUsage());
  const start = performance.now();
  const outcome = await convert(html, url);
  const wall = performance.now() - start;
  const threadEnd = milliseconds(process.threadCpuUsage());
  const processEnd = milliseconds(process.cpuUsage());
  const cpu = processEnd - processBefore - (threadStart - threadBefore);
  processBefore = processEnd;
  threadBefore = threadEnd;
  const memory = (process.resourceUsage().maxRSS * 1024) / 1e6;
  write({ id, ...outcome, bytes: source.length, wall, thread: threadEnd - threadStart, cpu, memory });
}

async function convert(html: string, url: string): Promise<{ markdown: string; error?: string }> {
  try {
    return { markdown: await engine.toMarkdown(html, url || 'https://example.com/') };
  } catch (error) {
    return { markdown: '', error: String(error) };
  }
}

function milliseconds({ user, system }: NodeJS.CpuUsage): number {
  return (user + system) / 1000;
}

function write(line: Line): void {
  writeFileSync(3, `${JSON.stringify(line)}\n`);
}
