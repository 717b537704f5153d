import { TrawlError } from '../errors.ts';

/** The value of `--concurrency`. Throws BAD_REQUEST. */
export function readConcurrency(text: string | undefined): number | null {
  if (text === undefined) return null;
  const number = Number(text);
  if (Number.isInteger(number) && number >= 1) return number;
  throw new TrawlError('BAD_REQUEST', `"${text}" is not a number of pages. Give --concurrency a whole number from 1.`);
}
