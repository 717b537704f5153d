import type { PageContent } from '../../content/page-content.ts';
import { type ErrorCode, TrawlError } from '../../errors.ts';
import { type DocumentSource, readDocument } from '../read-document.ts';
import type { ScrapeOptions } from '../request.ts';

/** What a worker is told to read. */
export interface Work {
  source: DocumentSource;
  options: ScrapeOptions;
}

/** A message to another thread keeps the text of an error and loses its class: hence the fields of a TrawlError. */
export type Answer =
  | { content: PageContent }
  | { refusal: { code: ErrorCode; message: string; details: unknown } }
  | { error: unknown };

/** Reads in this thread. */
export function toAnswer({ source, options }: Work): Answer {
  try {
    return { content: readDocument(source, options) };
  } catch (error) {
    if (!(error instanceof TrawlError)) return { error };
    const { code, message, details } = error;
    return { refusal: { code, message, details } };
  }
}

/** The content, or throws what the reader threw. */
export function fromAnswer(answer: Answer): PageContent {
  if ('content' in answer) return answer.content;
  if ('refusal' in answer) {
    const { code, message, details } = answer.refusal;
    throw new TrawlError(code, message, { details });
  }
  throw answer.error;
}
