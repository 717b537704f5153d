import type { Sign } from '../currency-signs.ts';
import type { DecimalSign } from '../price.ts';
import type { Audience } from './audience.ts';

/** How to read the prices of a page. */
export interface MoneyLocale {
  /** The decimal separator. Undefined if unknown. */
  decimal: DecimalSign | undefined;
  /** The ISO 4217 code that a sign stands for on this page. */
  currencyOf(sign: Sign): string | undefined;
}

/** An amount that ends in two decimals shows the page's decimal separator. */
const TWO_DECIMALS = /([.,])\d\d$/;
/** The region whose dollar `$` means by default. */
const COMMON_REGION = 'US';

/**
 * Takes the decimal separator from the page's own prices, or else from its language.
 * @param numbers the amounts of the page as written, without signs
 * @param declared the currency that the page states elsewhere
 */
export function moneyLocale(
  { region, language }: Audience,
  numbers: readonly string[],
  declared: string | undefined,
): MoneyLocale {
  return {
    decimal: decimalIn(numbers) ?? decimalOf(language, region),
    currencyOf: (sign) => ('code' in sign ? sign.code : sharedCode(sign.byRegion, { region, language }, declared)),
  };
}

function sharedCode(
  byRegion: Readonly<Record<string, string>>,
  { region, language }: Audience,
  declared: string | undefined,
): string | undefined {
  const codes = Object.values(byRegion);
  if (declared !== undefined && codes.includes(declared)) return declared;
  if (region !== undefined && byRegion[region] !== undefined) return byRegion[region];
  // A European shop that shows dollars means US dollars. A Spanish page may be from any of ten countries.
  return language === 'es' ? undefined : byRegion[COMMON_REGION];
}

function decimalIn(numbers: readonly string[]): DecimalSign | undefined {
  let points = 0;
  let commas = 0;
  for (const number of numbers) {
    const sign = TWO_DECIMALS.exec(number)?.[1];
    if (sign === '.') points++;
    if (sign === ',') commas++;
  }
  if (points === commas) return undefined;
  return points > commas ? '.' : ',';
}

function decimalOf(language: string | undefined, region: string | undefined): DecimalSign | undefined {
  if (language === undefined) return undefined;
  const locales = [region === undefined ? language : `${language}-${region}`, language];
  const parts = new Intl.NumberFormat(locales).formatToParts(1.5);
  const sign = parts.find(({ type }) => type === 'decimal')?.value;
  return sign === '.' || sign === ',' ? sign : undefined;
}
