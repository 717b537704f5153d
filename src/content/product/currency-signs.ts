/** Currency signs and abbreviations as shops write them next to amounts. */

/** Signs that belong to one currency. Longer signs come first. */
export const SIGNS: readonly (readonly [sign: string, code: string])[] = [
  ['US$', 'USD'],
  ['CDN$', 'CAD'],
  ['CA$', 'CAD'],
  ['AU$', 'AUD'],
  ['NZ$', 'NZD'],
  ['HK$', 'HKD'],
  ['NT$', 'TWD'],
  ['MX$', 'MXN'],
  ['S$', 'SGD'],
  ['C$', 'CAD'],
  ['A$', 'AUD'],
  ['R$', 'BRL'],
  ['€', 'EUR'],
  ['£', 'GBP'],
  ['₹', 'INR'],
  ['₽', 'RUB'],
  ['₩', 'KRW'],
  ['₺', 'TRY'],
  ['₴', 'UAH'],
  ['₫', 'VND'],
  ['฿', 'THB'],
  ['₦', 'NGN'],
  ['₱', 'PHP'],
  ['₪', 'ILS'],
  ['₸', 'KZT'],
  ['₡', 'CRC'],
  ['₲', 'PYG'],
  ['₵', 'GHS'],
  ['₾', 'GEL'],
  ['₼', 'AZN'],
  ['৳', 'BDT'],
  ['zł', 'PLN'],
  ['Kč', 'CZK'],
];

/** Further signs that count only next to an amount, because elsewhere they are ordinary words. */
const SIGNS_BESIDE_AMOUNTS: readonly (readonly [sign: string, code: string])[] = [
  ['euros', 'EUR'],
  ['Euros', 'EUR'],
  ['euro', 'EUR'],
  ['Euro', 'EUR'],
  ['Fr.', 'CHF'],
  ['SFr.', 'CHF'],
  ['Ft', 'HUF'],
  ['lei', 'RON'],
  ['Lei', 'RON'],
  ['LEI', 'RON'],
  ['Dinara', 'RSD'],
  ['dinara', 'RSD'],
  ['лв', 'BGN'],
  ['грн', 'UAH'],
  ['руб', 'RUB'],
  ['тг', 'KZT'],
  ['дин', 'RSD'],
  ['ден', 'MKD'],
  ['TL', 'TRY'],
  ['Rp', 'IDR'],
  ['RM', 'MYR'],
  ['VNĐ', 'VND'],
  ['đ', 'VND'],
  ['円', 'JPY'],
  ['원', 'KRW'],
  ['บาท', 'THB'],
  ['تومان', 'IRR'],
  ['ر.س', 'SAR'],
  ['د.إ', 'AED'],
  ['د.ك', 'KWD'],
  ['ج.م', 'EGP'],
  ['Dhs', 'AED'],
  ['KSh', 'KES'],
  ['S/', 'PEN'],
];

/** Signs shared by several currencies. The region that the page is for decides which one is meant. */
const SHARED_SIGNS: ReadonlyMap<string, Readonly<Record<string, string>>> = new Map([
  [
    '$',
    {
      US: 'USD',
      CA: 'CAD',
      AU: 'AUD',
      NZ: 'NZD',
      SG: 'SGD',
      HK: 'HKD',
      TW: 'TWD',
      MX: 'MXN',
      AR: 'ARS',
      CL: 'CLP',
      CO: 'COP',
      UY: 'UYU',
      DO: 'DOP',
      JM: 'JMD',
      TT: 'TTD',
      BB: 'BBD',
      BS: 'BSD',
      BZ: 'BZD',
      FJ: 'FJD',
      EC: 'USD',
      SV: 'USD',
      PA: 'USD',
      PR: 'USD',
    },
  ],
  ['kr', { SE: 'SEK', NO: 'NOK', DK: 'DKK', IS: 'ISK', FO: 'DKK', GL: 'DKK' }],
  ['Kr', { SE: 'SEK', NO: 'NOK', DK: 'DKK', IS: 'ISK', FO: 'DKK', GL: 'DKK' }],
  // `1 299:-`
  [':-', { SE: 'SEK' }],
  ['¥', { JP: 'JPY', CN: 'CNY' }],
  ['￥', { JP: 'JPY', CN: 'CNY' }],
  ['元', { CN: 'CNY', TW: 'TWD' }],
  ['Rs', { IN: 'INR', PK: 'PKR', LK: 'LKR', NP: 'NPR', MU: 'MUR' }],
  ['R', { ZA: 'ZAR' }],
  ['р', { RU: 'RUB', BY: 'BYN' }],
  ['Р', { RU: 'RUB', BY: 'BYN' }],
  ['P', { RU: 'RUB' }],
  ['Br', { BY: 'BYN', ET: 'ETB' }],
  ['KM', { BA: 'BAM' }],
  ['kn', { HR: 'HRK' }],
  ['din', { RS: 'RSD' }],
  ['DH', { MA: 'MAD', AE: 'AED' }],
  ['Dh', { MA: 'MAD', AE: 'AED' }],
  ['SR', { SA: 'SAR' }],
  ['KD', { KW: 'KWD' }],
  ['Bs', { BO: 'BOB', VE: 'VES' }],
  ['Q', { GT: 'GTQ' }],
  ['L', { HN: 'HNL' }],
]);

/** ISO 4217 currency codes. */
export const CODES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

/** A sign next to an amount. It means one currency, or a different one in each region. */
export type Sign =
  | { readonly text: string; readonly code: string }
  | { readonly text: string; readonly byRegion: Readonly<Record<string, string>> };

/** Sorted by length, longest first, so that `US$` is found before `$`. */
const BESIDE_AMOUNTS: readonly Sign[] = [
  ...[...SIGNS, ...SIGNS_BESIDE_AMOUNTS].map(([text, code]) => ({ text, code })),
  ...[...SHARED_SIGNS].map(([text, byRegion]) => ({ text, byRegion })),
].toSorted((one, other) => other.text.length - one.text.length);

/** Letters of scripts that put spaces between words. */
const LETTER = /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}]/u;
/** The gap between sign and amount: `$ 34`, `34,- €`, `34.– CHF`, `Rs. 34`. */
const GAP_BEFORE = /[\s.]+$/;
const GAP_AFTER = /^(?:[.,][-–—]{1,2})?\s*/;
/** Codes that also count in lower case, because they are not words: `140 pln`, but not `3 all`. */
const SMALL_CODES = 'eur|usd|gbp|chf|pln|czk|huf|ron|bgn|uah|rub|sek|nok|dkk|cad|aud|nzd';
const CODE_BEFORE = new RegExp(`(?<!\\p{L})([A-Z]{3}|${SMALL_CODES})\\$?$`, 'u');
const CODE_AFTER = new RegExp(`^(?:[A-Z]{3}|${SMALL_CODES})(?!\\p{L})`, 'u');
/** A country before the dollar sign: `US $34`. */
const SPACED_DOLLAR = /(?<!\p{L})(US|CA|AU|NZ|HK|NT|MX|CDN)\s\$$/u;
/** How many characters to search. No sign is longer, including its gap. */
const WINDOW = 10;

/** The sign at the end of `text`, before an amount. */
export function signBefore(text: string): Sign | undefined {
  const before = text.slice(-WINDOW).replace(GAP_BEFORE, '').replace(SPACED_DOLLAR, '$1$$');
  return (
    codeIn(CODE_BEFORE.exec(before)?.[1]) ??
    BESIDE_AMOUNTS.find((sign) => before.endsWith(trimmed(sign)) && !isWord(before.at(-trimmed(sign).length - 1), sign))
  );
}

export interface SignAt {
  sign: Sign;
  start: number;
  end: number;
}

/** The sign at the start of `text`, after an amount. */
export function signAfter(text: string): SignAt | undefined {
  const window = text.slice(0, WINDOW);
  const start = GAP_AFTER.exec(window)?.[0].length ?? 0;
  const after = window.slice(start);
  const code = codeIn(CODE_AFTER.exec(after)?.[0]);
  if (code) return { sign: code, start, end: start + code.text.length };
  const sign = BESIDE_AMOUNTS.find((each) => after.startsWith(each.text) && !isWord(after[each.text.length], each));
  return sign && { sign, start, end: start + sign.text.length };
}

function codeIn(text: string | undefined): Sign | undefined {
  const code = text?.toUpperCase();
  return text !== undefined && code !== undefined && CODES.has(code) ? { text, code } : undefined;
}

/** A sign without its final full stop, as in `Fr.`, because the full stop is removed with the gap. */
function trimmed({ text }: Sign): string {
  return text.endsWith('.') ? text.slice(0, -1) : text;
}

/** Whether the sign is part of a word: `R` in `FOR 34`. */
function isWord(neighbour: string | undefined, { text }: Sign): boolean {
  return neighbour !== undefined && LETTER.test(neighbour) && LETTER.test(text);
}
