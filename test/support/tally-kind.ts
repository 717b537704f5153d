import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { isoTime, now } from '../../src/clock.ts';
import { TrawlError } from '../../src/errors.ts';
import { defineKind } from '../../src/jobs/define-kind.ts';

const ONE_STEP = [{ what: 'page' as const, count: 1, credits: 1 }];

/**
 * A kind of job without scraping: it counts the letters of texts, in two steps with a pause between them. The result of
 * the job is their sum. A text with a digit fails, and so does a job without any letters.
 */
export const tally = defineKind({
  name: 'tally',
  options: z.object({ pauseMs: z.int() }),
  payload: z.object({ text: z.string(), letters: z.int().optional() }),
  result: z.object({ text: z.string(), letters: z.int() }),
  maxCredits: { task: 2, conclusion: 5 },

  async run({ payload: { text, letters }, options: { pauseMs } }, signal) {
    if (/\d/.test(text)) throw new TrawlError('BAD_REQUEST', `"${text}" has a digit in it.`);
    await sleep(1, undefined, { signal });
    if (letters === undefined) {
      const counted = { text, letters: text.replaceAll(/\P{L}/gu, '').length };
      return { type: 'waits', until: now() + pauseMs, payload: counted, costs: ONE_STEP };
    }
    const events = [{ type: 'counted', data: { text, letters } }];
    return { type: 'done', result: { text, letters }, costs: ONE_STEP, events };
  },

  async conclude({ results }) {
    let letters = 0;
    for await (const result of results) letters += result.letters;
    if (letters === 0) throw new TrawlError('BAD_REQUEST', 'There is no letter in any of the texts.');
    return {
      result: { letters },
      costs: [{ what: 'page', count: 5, credits: 5 }],
      events: [{ type: 'summed', data: { letters } }],
    };
  },

  scheduled: (text) => ({ options: { pauseMs: 0 }, payloads: [{ payload: { text: text ?? '' } }] }),

  wire: {
    path: 'tally',
    versions: ['v2'],
    endpointGroup: 'extract',
    eventPrefix: 'tally',
    events: ['counted', 'summed'],
    status({ status, error, credits, createdAt }, documents, conclusion) {
      const head = {
        success: true,
        status,
        creditsUsed: credits,
        createdAt: isoTime(createdAt),
        error: error?.message,
      };
      return `${JSON.stringify(head).slice(0, -1)},"data":[${documents.join(',')}],"sum":${conclusion ?? 'null'}}`;
    },
  },
});
