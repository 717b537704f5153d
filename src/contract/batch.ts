import { z } from 'zod';
import * as job from './jobs.ts';

/** The fields that start a batch in both API versions, and the response. */

/** Addresses in one request. One write stores them, which takes a second at this size; "appendToId" adds more. */
const MAX_URLS = 50_000;
const TOO_MANY_URLS = `has too many addresses: send at most ${MAX_URLS} at a time, and the rest with "appendToId"`;

/** The limits of a body that starts a batch: 50,000 addresses of 200 characters. */
export const BODY_LIMIT = 10 * 1024 * 1024;
export const LONG_LIST = { name: 'urls', max: MAX_URLS, message: TOO_MANY_URLS };

/** Fields of a batch, besides the options of its pages. */
export const batchFields = {
  ...job.jobFields,
  urls: z
    .array(z.string(), {
      error: ({ input }) =>
        input === undefined ? 'is missing: give a list of addresses' : 'must be a list of addresses',
    })
    .min(1, 'is empty: give at least one address')
    .max(MAX_URLS, TOO_MANY_URLS),
  appendToId: z.uuid('must be the id of a batch').optional().describe('Id of a running batch to add the addresses to'),
};

export const batchStarted = job.jobStarted.extend({ invalidURLs: z.array(z.string()).optional() });
