import { CookieJar } from 'tough-cookie';

/**
 * The cookies of one fetch: what a redirect sets is sent to the addresses after it, and all is forgotten at the end.
 * The jar is made when the first cookie comes, as most fetches see none in time to send it.
 */
export class HopCookies {
  #jar: CookieJar | undefined;

  /** @param setCookie the `Set-Cookie` headers of the answer from `url`; what is not a valid cookie is ignored */
  take(setCookie: string | string[] | undefined, url: URL): void {
    if (setCookie === undefined) return;
    this.#jar ??= new CookieJar();
    for (const cookie of [setCookie].flat()) {
      this.#jar.setCookieSync(cookie, url.href, { ignoreError: true, loose: true });
    }
  }

  /**
   * The `Cookie` header for an address: the caller's cookies, and over them what was set on the way.
   *
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
