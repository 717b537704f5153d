import { z } from 'zod';
import { checkBrowserOptions } from '../contract/browser-options.ts';
import { scrapeOptionFields, toScrapeOptions } from '../contract/v2/scrape-options.ts';
import { TrawlError } from '../errors.ts';
import type { ScrapeOptions } from '../pages/request.ts';
import type { ScrapeFlags } from './scrape-flags.ts';

const options = z.strictObject(scrapeOptionFields).superRefine(checkBrowserOptions);

/** The options that the flags set. Throws BAD_REQUEST, with a line for each problem. */
export function readFlags(flags: ScrapeFlags): ScrapeOptions {
  const parsed = options.safeParse({
    formats: flags.format.length === 0 ? ['markdown'] : flags.format,
    onlyMainContent: !flags.fullPage,
    onlyCleanContent: flags.clean ?? false,
    includeTags: flags.include,
    excludeTags: flags.exclude,
    headers: Object.fromEntries(flags.header.map(readHeader)),
    mobile: flags.mobile ?? false,
    location: { country: flags.country, languages: flags.language },
    skipTlsVerification: flags.insecure ?? false,
    redactPII: flags.redact ?? false,
    ...(flags.waitFor === undefined ? {} : { waitFor: Number(flags.waitFor) }),
    actions: flags.action.map(readAction),
    ...(flags.timeout === undefined ? {} : { timeout: Number(flags.timeout) }),
  });
  if (!parsed.success) {
    const lines = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
    throw new TrawlError('BAD_REQUEST', lines.join('\n'));
  }
  return { zeroDataRetention: false, ...toScrapeOptions(parsed.data) };
}

function readAction(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new TrawlError('BAD_REQUEST', `${text} is not an action. Write it as JSON, for example {"type": "scroll"}.`);
  }
}

function readHeader(line: string): [string, string] {
  const colon = line.indexOf(':');
  if (colon < 1) throw new TrawlError('BAD_REQUEST', `"${line}" is not a header. Write it as "Name: value".`);
  return [line.slice(0, colon).trim(), line.slice(colon + 1).trim()];
}
