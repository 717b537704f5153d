import { AISDKError, APICallError } from 'ai';
import { TrawlError } from '../errors.ts';

/** Characters that are quoted from a server's refusal. */
const MAX_QUOTED = 200;

/** Whether the server may have refused the request because it does not accept a response format. */
export function hasRefusedFormat(error: unknown): boolean {
  return APICallError.isInstance(error) && (error.statusCode === 400 || error.statusCode === 422);
}

/** Turns errors of the packages and the egress into ours. Unexpected ones pass through. */
export function toModelError(error: unknown): unknown {
  if (error instanceof TrawlError) return error.code.startsWith('SCRAPE_') ? ofTransport(error) : error;
  if (!AISDKError.isInstance(error)) return error;
  // Some errors of the egress are wrapped.
  if (error.cause instanceof TrawlError) return toModelError(error.cause);
  const status = APICallError.isInstance(error) ? error.statusCode : undefined;
  if (status === undefined || status < 400) {
    return new TrawlError('LLM_BAD_ANSWER', 'The response of the language model is not a chat completion.', {
      cause: error,
    });
  }
  const message = `The language model responded with ${status}: ${error.message.slice(0, MAX_QUOTED)}`;
  return new TrawlError(status === 429 || status >= 500 ? 'LLM_UNAVAILABLE' : 'LLM_REFUSED', message, { cause: error });
}

function ofTransport(error: TrawlError): TrawlError {
  if (error.code === 'SCRAPE_PAGE_TOO_LARGE') {
    return new TrawlError('LLM_BAD_ANSWER', 'The response of the language model is too large.', { cause: error });
  }
  return new TrawlError('LLM_UNAVAILABLE', `The language model is unreachable. ${error.message}`, { cause: error });
}
