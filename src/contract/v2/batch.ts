import { z } from 'zod';
import { batchFields } from '../batch.ts';
import { checkBrowserOptions, checkSavesNoProfile } from '../browser-options.ts';
import { originFields } from '../scrape.ts';
import { scrapeOptionFields } from './scrape-options.ts';

/** The body that starts a batch. */
export const batchBody = z
  .strictObject({
    ...batchFields,
    ...originFields,
    ...scrapeOptionFields,
    ignoreInvalidURLs: z
      .boolean()
      .default(true)
      .describe('Skip entries that are not addresses, and list them in the response'),
  })
  .superRefine(checkBrowserOptions)
  .superRefine((body, context) => checkSavesNoProfile(body, context));
