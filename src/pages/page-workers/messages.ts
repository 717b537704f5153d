import { type ErrorCode, TrawlError } from '../../errors.ts';
import { makeDocument } from '../make-document.ts';
import { packPage } from '../pack-page.ts';

/** What can be made of a page in a worker. */
const TASKS = { read: makeDocument, pack: packPage };

export type Task = keyof typeof TASKS;
export type Parts<T extends Task> = Parameters<(typeof TASKS)[T]>[0];
export type Made<T extends Task> = ReturnType<(typeof TASKS)[T]>;

/** What a worker is told to make. */
export type Work = { [T in Task]: { task: T; parts: Parts<T> } }[Task];

/** A message to another thread keeps the text of an error and loses its class: hence the fields of a TrawlError. */
export type Answer<Result> =
  | { made: Result }
  | { refusal: { code: ErrorCode; message: string; details: unknown } }
  | { error: unknown };

/** Makes it in this thread. */
export function toAnswer(work: Work): Answer<Made<Task>> {
  try {
    return { made: work.task === 'read' ? TASKS.read(work.parts) : TASKS.pack(work.parts) };
  } catch (error) {
    if (!(error instanceof TrawlError)) return { error };
    const { code, message, details } = error;
    return { refusal: { code, message, details } };
  }
}

/** What was made, or throws what the maker threw. */
export function fromAnswer<Result>(answer: Answer<Result>): Result {
  if ('made' in answer) return answer.made;
  if ('refusal' in answer) {
    const { code, message, details } = answer.refusal;
    throw new TrawlError(code, message, { details });
  }
  throw answer.error;
}
