import { type ErrorCode, TrawlError } from '../../errors.ts';
import { makeDocument } from '../make-document.ts';
import { packPage } from '../pack-page.ts';

/** The tasks of a reading thread. */
const TASKS = { read: makeDocument, pack: packPage };

export type Task = keyof typeof TASKS;
export type Parts<T extends Task> = Parameters<(typeof TASKS)[T]>[0];
export type Made<T extends Task> = ReturnType<(typeof TASKS)[T]>;

/** A message to a reading thread. */
export type Work = { [T in Task]: { task: T; parts: Parts<T> } }[Task];

/** An error that is sent to another thread keeps its text but loses its class, so the fields of a TrawlError are sent instead. */
export type Answer<Result> =
  | { made: Result }
  | { refusal: { code: ErrorCode; message: string; details: unknown } }
  | { error: unknown };

/** Does the work in this thread. */
export function toAnswer(work: Work): Answer<Made<Task>> {
  try {
    return { made: work.task === 'read' ? TASKS.read(work.parts) : TASKS.pack(work.parts) };
  } catch (error) {
    if (!(error instanceof TrawlError)) return { error };
    const { code, message, details } = error;
    return { refusal: { code, message, details } };
  }
}

/** Returns the result, or throws the error of the other thread. */
export function fromAnswer<Result>(answer: Answer<Result>): Result {
  if ('made' in answer) return answer.made;
  if ('refusal' in answer) {
    const { code, message, details } = answer.refusal;
    throw new TrawlError(code, message, { details });
  }
  throw answer.error;
}
