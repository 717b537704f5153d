import type { ScrapeOptions } from './request.ts';

/** Whether only a browser can give what the request asks for, whatever the page is. */
export function needsBrowser({ waitFor, actions, formats, profile }: ScrapeOptions): boolean {
  if (profile !== undefined) return true;
  return waitFor > 0 || actions.length > 0 || formats.includes('screenshot') || formats.includes('branding');
}
