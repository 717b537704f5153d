import { AISDKError, APICallError } from 'ai';
import { TrawlError } from '../errors.ts';

/** Characters of what a server says of a request that it refuses. */
const MAX_TOLD = 200;

/** Whether the server may have refused the request because it cannot be told the format of the answer. */
export function hasRefusedFormat(error: unknown): boolean {
  return APICallError.isInstance(error) && (error.statusCode === 400 || error.statusCode === 422);
}

/** What the packages and the way out throw, as an error of ours. What nobody expected passes through. */
export function toModelError(error: unknown): unknown {
  if (error instanceof TrawlError) return error.code.startsWith('SCRAPE_') ? ofTransport(error) : error;
  if (!AISDKError.isInstance(error)) return error;
  // Some errors of the way out come wrapped up.
  if (error.cause instanceof TrawlError) return toModelError(error.cause);
  const status = APICallError.isInstance(error) ? error.statusCode : undefined;
  if (status === undefined || status < 400) {
    return new TrawlError('LLM_BAD_ANSWER', 'The language model did not answer in the form of chat completions.', {
      cause: error,
    });
  }
  const told = `The language model answered with ${status}: ${error.message.slice(0, MAX_TOLD)}`;
  return new TrawlError(status === 429 || status >= 500 ? 'LLM_UNAVAILABLE' : 'LLM_REFUSED', told, { cause: error });
}

function ofTransport(error: TrawlError): TrawlError {
  if (error.code === 'SCRAPE_PAGE_TOO_LARGE') {
    return new TrawlError('LLM_BAD_ANSWER', 'The answer of the language model is too large.', { cause: error });
  }
  return new TrawlError('LLM_UNAVAILABLE', `The language model cannot be reached. ${error.message}`, { cause: error });
}
