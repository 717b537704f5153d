import type { BrowserContextOptions } from 'playwright-core';
import type { RenderRequest } from '../types.ts';
import { placeOf, timeZoneOf } from './places.ts';
import { userAgentFor } from './user-agent.ts';

/** A window on the most common screen. */
const DESKTOP = {
  viewport: { width: 1280, height: 720 },
  screen: { width: 1920, height: 1080 },
} as const;
const PHONE = {
  viewport: { width: 412, height: 839 },
  screen: { width: 412, height: 915 },
  deviceScaleFactor: 2.625,
  isMobile: true,
  hasTouch: true,
} as const;
/** What Chrome grants without asking. What is not listed is denied, as Notification.permission says in headless Chromium. */
const PERMISSIONS = [
  'accelerometer',
  'gyroscope',
  'magnetometer',
  'background-sync',
  'clipboard-write',
  'payment-handler',
];

/**
 * Who a page sees: a Chrome of the version that runs, on a desktop or a phone, with the languages, the time zone and the position
 * of the request.
 */
export function contextIdentity(
  version: string,
  { mobile, languages, country }: Pick<RenderRequest, 'mobile' | 'languages' | 'country'>,
): BrowserContextOptions {
  const place = country === undefined ? undefined : placeOf(country);
  const timeZone = country === undefined ? undefined : timeZoneOf(country);
  return {
    ...(mobile ? PHONE : DESKTOP),
    userAgent: userAgentFor(version, mobile).userAgent,
    locale: (languages.length === 0 ? ['en-US', 'en'] : languages.slice(0, 10)).join(','),
    permissions: place === undefined ? PERMISSIONS : [...PERMISSIONS, 'geolocation'],
    ...(timeZone !== undefined && { timezoneId: timeZone }),
    ...(place !== undefined && { geolocation: { latitude: place.latitude, longitude: place.longitude, accuracy: 50 } }),
  };
}
