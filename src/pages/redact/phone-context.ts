import type { DigitGroup } from './digit-runs.ts';
import { isWordAt } from './span.ts';

/** How far before a number its label may begin. */
const LABEL_REACH = 40;

const PHONE_LABEL =
  /(?:(?<!\p{L})(?:tel|tél|tlf|telephone|téléphone|telefono|teléfono|telefone|telefon|telefonnummer|telefoon|phone|fon|fax|telefax|mobile?|móvil|portable|cell|cellulare|cel|celular|handy|gsm|call|sms|text|whatsapp|hotline|rufnummer|puh|puhelin|điện thoại|đt|тел|телефон|факс|моб|τηλ|τηλέφωνο|هاتف|جوال|تلفن|תלפון|טלפון|फ़ोन|फोन|โทร)|callto|电话|電話|手机|手機|传真|傳真|連絡先|전화|휴대폰|☎|☏|✆|📞|📱)(?:[ -]?(?:number|no|nr|num|us|me|at|on|direct|office|home|work|:|\.)){0,3}[^\p{L}\p{N}\n]{0,8}$/iu;

const ADDRESS_LABEL = /(?:wa\.me\/|[?&]phone=)$/i;

/** Numbers with these in front of them are something else. */
const OTHER_LABEL =
  /(?<!\p{L})(?:isbn|issn|ean|upc|gtin|sku|asin|doi|pmid|arxiv|order|invoice|ref|reference|id|no|nr|art|item|part|model|serial|version|ver|v|patent|case|ticket|account|acct|konto|vat|tax|iban|bic|page|pages|pp|lot|batch|build|rfc)[^\p{L}\p{N}\n]{0,4}$/iu;

const CURRENCY = '$€£¥₹₽₩₺₴₪฿₫₦';
const MONEY_AFTER =
  /^[ \u00a0]?(?:[%‰°$€£¥₹₽₩₺₴₪฿₫₦]|(?:USD|EUR|GBP|CHF|JPY|CNY|RUB|PLN|SEK|NOK|DKK|kr|zł|руб|Kč|Ft)(?!\p{L}))/u;

/** Whether the words before `start` announce a telephone number, or the number is the text of a `tel:` link. */
export function isLabelledPhone(text: string, start: number, end: number): boolean {
  if (/^\]\((?:tel|sms|callto):/i.test(text.slice(end, end + 9))) return true;
  return PHONE_LABEL.test(text.slice(Math.max(0, start - LABEL_REACH), start));
}

/** Whether the address that holds the number hands it to a messenger: `wa.me/49…`, `?phone=49…`. */
export function isPhoneInAddress(text: string, start: number): boolean {
  return ADDRESS_LABEL.test(text.slice(Math.max(0, start - 8), start));
}

/** Whether what stands around the number makes it something else: part of a word, an amount, an article number. */
export function isOtherNumber(text: string, start: number, end: number): boolean {
  const before = text.charAt(start - 1);
  const after = text.charAt(end);
  if (isWordAt(text, start - 1) || isWordAt(text, end)) return true;
  if (CURRENCY.includes(before) && before !== '') return true;
  if ('=&#@'.includes(before) && before !== '' && text[start] !== '+') return true;
  if (before === '/' && !/\d/.test(text.charAt(start - 2))) return true;
  if (after === '/' && /[A-Za-z_]/.test(text.charAt(end + 1))) return true;
  if ('-.,:'.includes(before) && before !== '' && isWordAt(text, start - 2)) return true;
  if ('-.:@'.includes(after) && after !== '' && isWordAt(text, end + 1)) return true;
  if (/^,\d{1,2}(?!\d)/.test(text.slice(end, end + 4))) return true;
  if (MONEY_AFTER.test(text.slice(end, end + 5))) return true;
  return OTHER_LABEL.test(text.slice(Math.max(0, start - LABEL_REACH), start));
}

/** Whether the groups are a date, years, a version, a decimal or an IPv4 address. */
export function isOtherShape(groups: readonly DigitGroup[]): boolean {
  return hasDate(groups) || groups.every(isYear) || isDotted(groups);
}

function hasDate(groups: readonly DigitGroup[]): boolean {
  return groups.some((first, at) => {
    const [second, third] = [groups[at + 1], groups[at + 2]];
    if (!second || !third || second.gap !== third.gap || !/^[-./\u2010-\u2013]$/.test(second.gap)) return false;
    const [year, ...rest] = isYear(first) ? [first, second, third] : [third, first, second];
    return year !== undefined && isYear(year) && rest.every(({ digits }) => digits.length < 3 && Number(digits) <= 31);
  });
}

function isYear({ digits }: DigitGroup): boolean {
  return /^(?:19|20)\d\d$/.test(digits);
}

/** `1 234 567`: the first group of one to three digits without a leading zero, the rest of three. Spanish numbers look the same. */
export function isThousands([first, ...rest]: readonly DigitGroup[]): boolean {
  if (!first || rest.length === 0 || !/^[1-9]\d{0,2}$/.test(first.digits)) return false;
  return rest.every(({ digits, gap }) => digits.length === 3 && /^[ .\u00a0\u2009\u202f]$/.test(gap));
}

/** Groups with dots alone are a decimal, a version or an address, unless they are three or more of a number's size. */
function isDotted(groups: readonly DigitGroup[]): boolean {
  const [first, ...rest] = groups;
  if (!first || rest.length === 0 || rest.some(({ gap }) => gap !== '.')) return false;
  const isIpv4 = groups.length === 4 && groups.every(({ digits }) => digits.length <= 3 && Number(digits) <= 255);
  return isIpv4 || (rest.length < 2 && first.digits.length < 3) || groups.some(({ digits }) => digits.length < 2);
}
