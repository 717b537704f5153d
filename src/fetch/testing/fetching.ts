import assert from 'node:assert/strict';
import { Deadline } from '../../deadline.ts';
import { type ErrorCode, TrawlError } from '../../errors.ts';
import { utf8Text } from '../body/utf8.ts';
import { createFetcher, type FetcherOptions } from '../fetcher.ts';
import type { FetchedPage, FetchRequest } from '../types.ts';

export interface TestFetcher extends AsyncDisposable {
  /** Fetches a page, with its text if it is a text page. */
  get(url: string, request?: Partial<FetchRequest>): Promise<FetchedPage & { text: string | undefined }>;
  close(): Promise<void>;
}

/** A fetcher that may reach 127.0.0.1, and whose requests end after at most 10 s. */
export function testFetcher(options: Partial<FetcherOptions> = {}): TestFetcher {
  const fetcher = createFetcher({ allowNetworks: ['127.0.0.1'], maxBodyBytes: 1024 * 1024, ...options });
  return {
    async get(url, request) {
      using deadline = new Deadline(10_000);
      const page = await fetcher.fetch({
        url,
        headers: {},
        mobile: false,
        languages: [],
        verifyTls: true,
        proxy: 'basic',
        deadline,
        share: 'test',
        ...request,
      });
      return { ...page, text: page.isText ? utf8Text(page.body) : undefined };
    },
    close: () => fetcher.close(),
    [Symbol.asyncDispose]: () => fetcher.close(),
  };
}

/** For `assert.rejects` and `assert.throws`: a TrawlError with this code whose message matches. */
export function trawlError(code: ErrorCode, message = /./): (error: unknown) => boolean {
  return (error) => {
    assert.ok(error instanceof TrawlError, `not a TrawlError: ${error}`);
    assert.equal(error.code, code, error.message);
    assert.match(error.message, message);
    return true;
  };
}
