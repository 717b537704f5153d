import { isWordAt, type Span } from './span.ts';

/** Length of an account number by country: the IBAN registry (ISO 13616), release 99. */
const LENGTHS = new Map(
  (
    'AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 DO28 EE20 EG29 ' +
    'ES24 FI18 FK18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HN28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 ' +
    'LB28 LC32 LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MN20 MR27 MT31 MU30 NI28 NL18 NO15 OM23 PK24 PL28 PS29 ' +
    'PT25 QA29 RO24 RS22 RU33 SA24 SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20 YE30'
  )
    .split(' ')
    .map((entry) => [entry.slice(0, 2), Number(entry.slice(2))]),
);

/** Country, check digits, then letters and digits, in groups or not. */
const CANDIDATE = /(?<![A-Za-z0-9/-])[A-Za-z]{2}[0-9]{2}(?:[ \u00a0\u202f]?[A-Za-z0-9]){11,30}/;

/** International bank account numbers (ISO 13616): the country's length and the check digits modulo 97. */
export function* findIbans(text: string): Generator<Span> {
  const candidate = new RegExp(CANDIDATE, 'g');
  for (let match = candidate.exec(text); match; match = candidate.exec(text)) {
    // What follows in the same match may be the next number.
    candidate.lastIndex = match.index + 4;
    const length = LENGTHS.get(match[0].slice(0, 2).toUpperCase());
    if (length === undefined) continue;
    const written = takeCharacters(match[0], length);
    const end = match.index + written.length;
    if (isWordAt(text, end) || text[end] === '-' || !hasCheckDigits(written.replace(/[^A-Za-z0-9]/g, ''), length))
      continue;
    candidate.lastIndex = end;
    yield { start: match.index, end };
  }
}

/** The shortest beginning of `written` that holds `length` letters and digits. */
function takeCharacters(written: string, length: number): string {
  let seen = 0;
  for (let at = 0; at < written.length; at++) {
    if (/[A-Za-z0-9]/.test(written.charAt(at))) seen++;
    if (seen === length) return written.slice(0, at + 1);
  }
  return written;
}

/** ISO 7064 MOD 97-10: the first four characters at the end, letters as 10 to 35, remainder 1. */
function hasCheckDigits(iban: string, length: number): boolean {
  if (iban.length !== length) return false;
  let remainder = 0;
  for (const character of iban.slice(4) + iban.slice(0, 4)) {
    const value = Number.parseInt(character, 36);
    remainder = (remainder * (value > 9 ? 100 : 10) + value) % 97;
  }
  return remainder === 1;
}
