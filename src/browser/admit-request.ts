import { TrawlError } from '../errors.ts';
import { isAdHost } from './ad-hosts.ts';
import type { RenderRequest } from './types.ts';

/**
 * What the proxy of a context asks about each address: the policy of the request, then whether it is advertising. In the
 * proxy this holds for frames of other sites and for workers too, which no session of the page sees. Whoever asks for a
 * page of such a host gets it.
 */
export function admitRequest({ url, admit, blockAds }: RenderRequest): ((url: URL) => void) | undefined {
  if (!blockAds || isAdHost(new URL(url).hostname)) return admit;
  return (address) => {
    admit?.(address);
    if (!isAdHost(address.hostname)) return;
    throw new TrawlError(
      'FORBIDDEN',
      `${address.hostname} serves advertising or measures visitors. To load it in the browser, set "blockAds": false.`,
    );
  };
}
