import { now } from '../clock.ts';
import { TrawlError } from '../errors.ts';
import type { FetchedPage, Fetcher } from '../fetch/types.ts';

/**
 * The way out for pages of jobs, which can wait: an answer of 429 or 503 is no page but the wish to be left alone, and
 * becomes SCRAPE_HOST_BUSY with the seconds of `Retry-After`, where the host gives them.
 */
export function patientFetcher(fetcher: Fetcher): Fetcher {
  return {
    async fetch(request) {
      const page = await fetcher.fetch(request);
      if (page.status === 429 || page.status === 503) throw hostBusy(page);
      return page;
    },
    close: () => fetcher.close(),
  };
}

function hostBusy({ url, status, headers }: FetchedPage): TrawlError {
  const seconds = retryAfter(headers['retry-after']);
  return new TrawlError(
    'SCRAPE_HOST_BUSY',
    `${new URL(url).host} answered with ${status}: it takes no more requests for now.`,
    seconds === null ? {} : { headers: { 'retry-after': String(seconds) } },
  );
}

/** RFC 9110 section 10.2.3: seconds, or a date. */
function retryAfter(value: string | undefined): number | null {
  if (value === undefined) return null;
  if (/^\d+$/.test(value.trim())) return Number(value);
  const date = Date.parse(value);
  return Number.isNaN(date) ? null : Math.max(0, Math.ceil((date - now()) / 1000));
}
