import { TrawlError } from '../../errors.ts';

/**
 * Why a step failed, in a sentence without its full stop. Undefined if it is not the step that failed, but the page that is gone.
 */
export function failureReason(error: unknown): string | undefined {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof TrawlError || /has been closed|crashed/i.test(error.message)) return undefined;
  // Messages of Playwright begin with the call and end with its log.
  const [line = ''] = error.message.split('\n');
  return line.replace(/^\w+\.\w+: /, '').replace(/\.$/, '');
}
