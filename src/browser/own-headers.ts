import type { BrowserContext, BrowserContextOptions } from 'playwright-core';
import { TrawlError } from '../errors.ts';
import { type OwnHeaders, portable, readOwnHeaders } from '../fetch/request-headers.ts';
import type { RenderRequest } from './types.ts';

/** The browser decodes what it asks for, so it decides what to ask for. */
const OF_THE_BROWSER: ReadonlySet<string> = new Set(['accept-encoding']);
/** Sent by other means: as the identity of the context, and as its cookies. */
const OF_THE_CONTEXT: ReadonlySet<string> = new Set(['user-agent', 'accept-language', 'cookie']);

/** The caller's headers that say who asks, for every request of the context as for every redirect of the plain fetch. */
export function identityOptions({ headers }: Pick<RenderRequest, 'headers'>): BrowserContextOptions {
  const own = portable(readOwnHeaders(headers));
  const userAgent = own.get('user-agent')?.[1];
  const languages = languagesOf(own.get('accept-language')?.[1] ?? '');
  return {
    ...(userAgent === undefined ? {} : { userAgent }),
    ...(languages.length === 0 ? {} : { locale: languages.join(',') }),
  };
}

/** The languages of an `Accept-Language`, in its order. Scripts see them too, so Chromium writes the header itself. */
function languagesOf(header: string): string[] {
  return header.split(',').flatMap((range) => {
    try {
      return Intl.getCanonicalLocales(range.split(';', 1)[0]?.trim());
    } catch {
      // `*`, and what is no language.
      return [];
    }
  });
}

/** Puts the cookies of the caller into the context: they go to the host of the page alone. Throws BAD_REQUEST. */
export async function addOwnCookies(
  context: BrowserContext,
  { url, headers }: Pick<RenderRequest, 'url' | 'headers'>,
): Promise<void> {
  const header = readOwnHeaders(headers).get('cookie')?.[1] ?? '';
  const { origin } = new URL(url);
  const cookies = header.split(';').flatMap((pair) => {
    const [name = '', ...value] = pair.trim().split('=');
    return name === '' ? [] : [{ name, value: value.join('='), url: `${origin}/` }];
  });
  if (cookies.length === 0) return;
  await context.addCookies(cookies).catch((cause: unknown) => {
    throw new TrawlError('BAD_REQUEST', 'A cookie in "headers" has a name or value that browsers do not take.', {
      cause,
    });
  });
}

/** All other headers of the caller: for the origin of the page alone. */
export function headersForOrigin({ headers }: Pick<RenderRequest, 'headers'>): OwnHeaders {
  const own = readOwnHeaders(headers);
  return new Map([...own].filter(([name]) => !OF_THE_CONTEXT.has(name) && !OF_THE_BROWSER.has(name)));
}

/** The headers of a request with the caller's own. Of these, `Accept` is for documents and not for their pictures. */
export function withOwnHeaders(
  headers: Readonly<Record<string, string>>,
  resourceType: string,
  own: OwnHeaders,
): { name: string; value: string }[] {
  const sent = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), { name, value }]));
  for (const [lowerName, [name, value]] of own) {
    if (lowerName !== 'accept' || resourceType === 'Document') sent.set(lowerName, { name, value });
  }
  return [...sent.values()];
}
