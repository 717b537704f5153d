import { type ErrorCode, TrawlError } from '../../errors.ts';
import { ConstraintError, type ConstraintKind } from '../constraint-error.ts';

/** An error as plain data. An Error itself would lose its class in a message to another thread. */
export type Failure =
  | { type: 'trawl'; code: ErrorCode; message: string; details: unknown; headers: Record<string, string> }
  | { type: 'constraint'; kind: ConstraintKind; message: string }
  | { type: 'other'; message: string; stack: string | undefined };

export function toFailure(error: unknown): Failure {
  if (error instanceof TrawlError) {
    const { code, message, details, headers } = error;
    return { type: 'trawl', code, message, details, headers };
  }
  if (error instanceof ConstraintError) return { type: 'constraint', kind: error.kind, message: error.message };
  if (error instanceof Error) return { type: 'other', message: error.message, stack: error.stack };
  return { type: 'other', message: String(error), stack: undefined };
}

export function fromFailure(failure: Failure): Error {
  switch (failure.type) {
    case 'trawl':
      return new TrawlError(failure.code, failure.message, { details: failure.details, headers: failure.headers });
    case 'constraint':
      return new ConstraintError(failure.kind, failure.message);
    case 'other': {
      const error = new Error(failure.message);
      if (failure.stack !== undefined) error.stack = failure.stack;
      return error;
    }
  }
}
