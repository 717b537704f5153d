import { z } from 'zod';
import * as job from './job-answers.ts';

/** What both API versions take to start a batch, and answer. */

/** Addresses in one request. They are stored in one write, which takes a second then; more go with "appendToId". */
const MOST_URLS = 50_000;

/** Fields of a batch beside the options of its pages. */
export const batchFields = {
  ...job.jobFields,
  urls: z
    .array(z.string(), {
      error: ({ input }) =>
        input === undefined ? 'is missing: give a list of addresses' : 'must be a list of addresses',
    })
    .min(1, 'is empty: give at least one address')
    .max(MOST_URLS, `has too many addresses: at most ${MOST_URLS} at a time, and more with "appendToId"`),
  appendToId: z.uuid('must be the id of a batch').optional().describe('Add to this batch, which has not ended yet'),
};

export const batchStarted = job.jobStarted.extend({ invalidURLs: z.array(z.string()).optional() });
