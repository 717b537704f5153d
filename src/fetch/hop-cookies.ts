import type { CookieJar } from 'tough-cookie';

/**
 * The cookies of one fetch: cookies of a redirect are sent to the following addresses, and forgotten at the end. The
 * jar, with its library of 3 MB, is created with the first cookie: most fetches get none in time to send it.
 */
export class HopCookies {
  #jar: CookieJar | undefined;

  /** @param setCookie the `Set-Cookie` headers of the response from `url`; invalid cookies are ignored */
  async take(setCookie: string | string[] | undefined, url: URL): Promise<void> {
    if (setCookie === undefined) return;
    this.#jar ??= new (await import('tough-cookie')).CookieJar();
    for (const cookie of [setCookie].flat()) {
      this.#jar.setCookieSync(cookie, url.href, { ignoreError: true, loose: true });
    }
  }

  /**
   * The `Cookie` header for an address: the caller's cookies, overridden by those of redirects.
   * @param own the caller's `Cookie` header, if it may go to this address
   */
  header(url: URL, own: string | undefined): string | undefined {
    const set = this.#jar?.getCookiesSync(url.href) ?? [];
    if (set.length === 0) return own;
    const names = new Set(set.map(({ key }) => key));
    const kept = (own ?? '').split(';').filter((pair) => !names.has(cookieName(pair)));
    const pairs = [...kept.map((pair) => pair.trim()), ...set.map((cookie) => cookie.cookieString())];
    return pairs.filter((pair) => pair !== '').join('; ');
  }
}

function cookieName(pair: string): string {
  return pair.slice(0, pair.indexOf('=')).trim();
}
