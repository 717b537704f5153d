import type { Span } from './span.ts';

/**
 * Numbers that only their label distinguishes from others: a US routing number (with its check digit), a UK sort
 * code, an account number. Bank codes (BIC) are left: they name a bank, not a customer.
 */
const LABELLED =
  /(?<![A-Za-z0-9-])(?:(?<routing>aba|rtn|routing)(?: transit)?|(?<sort>sort ?code)|(?:(?:bank )?account|acct|a\/c)(?= ?(?:number|no|num|#))|konto(?:-? ?nr|nummer))(?: ?(?:number|no|num))?[\s:#.*|]{1,8}(?<value>\d(?:[ -]?\d){5,19})(?![A-Za-z0-9])/gi;

/** Bank details in their national forms. */
export function* findBankDetails(text: string): Generator<Span> {
  for (const match of text.matchAll(LABELLED)) {
    const { routing, sort, value = '' } = match.groups ?? {};
    const digits = value.replace(/\D/g, '');
    if (routing && !isRoutingNumber(digits)) continue;
    if (sort && digits.length !== 6) continue;
    const end = match.index + match[0].length;
    yield { start: end - value.length, end };
  }
}

/** ABA routing transit number: nine digits, a Federal Reserve prefix, weights 3, 7, 1 make a multiple of ten. */
function isRoutingNumber(digits: string): boolean {
  const prefix = Number(digits.slice(0, 2));
  const assigned = prefix <= 12 || (prefix >= 21 && prefix <= 32) || (prefix >= 61 && prefix <= 72) || prefix === 80;
  const sum = [...digits].reduce((total, digit, at) => total + Number(digit) * ([3, 7, 1][at % 3] ?? 0), 0);
  return digits.length === 9 && assigned && sum % 10 === 0;
}
