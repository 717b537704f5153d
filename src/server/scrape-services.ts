import type { ScrapeServices } from '../pages/services.ts';
import type { PublicAddress } from './public-address.ts';

/** What the routes of scrapes need. */
export interface ScrapeRouteServices extends ScrapeServices {
  publicAddress: PublicAddress;
}
