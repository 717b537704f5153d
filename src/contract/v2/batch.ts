import { z } from 'zod';
import { batchFields } from '../batch.ts';
import { originFields } from '../scrape.ts';
import { scrapeOptionFields } from './scrape-options.ts';

/** What starts a batch. */
export const batchBody = z.strictObject({
  ...batchFields,
  ...originFields,
  ...scrapeOptionFields,
  ignoreInvalidURLs: z.boolean().default(true).describe('Leave out what is not an address, and say so'),
});
