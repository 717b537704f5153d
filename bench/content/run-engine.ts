import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { Job, Line, PageDone, SourceOf } from './measure.ts';

const PAGE_LIMIT_MS = 10_000;
/** Each page that crashes the process costs a new one with its warm-up. */
const MAX_PROCESSES = 20;
/**
 * V8 keeps compiling for some hundred pages: for this engine the first 500 cost 50 % more than later ones. A service
 * passes them in some seconds of work.
 */
const WARM_PAGES = 500;

export interface EngineRun {
  done: Map<string, PageDone>;
  /** Failures by page id. These pages count as empty. */
  failed: Map<string, string>;
}

/**
 * Converts all pages with one engine, in a separate process. A page that throws, takes more than 10 s or crashes the
 * process is recorded, and the run continues, in a new process if necessary.
 *
 * @throws when the engine cannot be loaded
 */
export async function runEngine(engine: string, pages: readonly SourceOf[]): Promise<EngineRun> {
  const run: EngineRun = { done: new Map(), failed: new Map() };
  const warm = pages.filter((_, index) => index % Math.ceil(pages.length / WARM_PAGES) === 0);
  const isOpen = ({ id }: SourceOf) => !run.done.has(id) && !run.failed.has(id);
  for (let processes = 0; pages.some(isOpen); processes++) {
    if (processes === MAX_PROCESSES) {
      for (const { id } of pages.filter(isOpen)) run.failed.set(id, 'not tried: too many pages ended the process');
      break;
    }
    const job: Job = {
      engine,
      warm: warm.filter(({ id }) => !run.failed.has(id)),
      pages: pages.filter(isOpen),
    };
    const broken = await runProcess(job, run);
    if (broken) run.failed.set(broken.id, broken.reason);
  }
  return run;
}

/** @returns the page at which the process crashed, if it did */
async function runProcess(job: Job, run: EngineRun): Promise<{ id: string; reason: string } | undefined> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'measure.ts')], {
    stdio: ['pipe', 'ignore', 'pipe', 'pipe'],
  });
  const exited = once(child, 'exit');
  let complaint = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    complaint = (complaint + text).slice(-2000);
  });
  child.stdin?.end(JSON.stringify(job));

  let current: string | undefined;
  let reason: string | undefined;
  const timer = setTimeout(() => {
    reason = `took more than ${PAGE_LIMIT_MS / 1000} s`;
    child.kill('SIGKILL');
  }, PAGE_LIMIT_MS);
  try {
    for await (const text of linesOf(child.stdio[3])) {
      timer.refresh();
      const line: Line = JSON.parse(text);
      if ('start' in line) {
        current = line.start;
        continue;
      }
      current = undefined;
      run.done.set(line.id, line);
      if (line.error !== undefined) run.failed.set(line.id, line.error);
    }
  } catch (error) {
    child.kill('SIGKILL');
    throw error;
  } finally {
    clearTimeout(timer);
  }
  const [code, signal] = await exited;
  if (code === 0) return undefined;
  if (current === undefined) throw new Error(`${job.engine} could not be measured (${code ?? signal}): ${complaint}`);
  return { id: current, reason: reason ?? `ended the process (${code ?? signal})` };
}

/**
 * Not node:readline, which also ends a line at U+2028, which JSON may hold. An incomplete line of a killed process is
 * dropped.
 */
async function* linesOf(stream: unknown): AsyncGenerator<string> {
  if (!(stream instanceof Readable)) throw new Error('The process has no channel to tell its results.');
  let rest: string[] = [];
  for await (const chunk of stream.setEncoding('utf8')) {
    const [first = '', ...others] = String(chunk).split('\n');
    rest.push(first);
    for (const next of others) {
      yield rest.join('');
      rest = [next];
    }
  }
}
