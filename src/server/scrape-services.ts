import type { ScrapeServices } from '../pages/services.ts';
import type { PublicAddress } from './public-address.ts';

/** The services that the scrape routes use. */
export interface ScrapeRouteServices extends ScrapeServices {
  publicAddress: PublicAddress;
}
