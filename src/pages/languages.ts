import type { Location } from './request.ts';

/** Languages to request a page in, the preferred one first: those given, else the main language of the country. */
export function preferredLanguages({ country, languages }: Location): readonly string[] {
  if (languages.length > 0 || country === undefined) return languages;
  // CLDR's likely subtags: "und-DE" is most likely German.
  const { language } = new Intl.Locale(`und-${country}`).maximize();
  return [`${language}-${country}`, language];
}
