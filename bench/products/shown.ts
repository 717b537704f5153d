/** Finds what a page shows, independently of the reader that is measured. */

/** Replaces a tag. */
const TAG_MARK = '\u200b';
const CURRENCY = /[$€£¥₹₽₩₺₴₫฿₪]|[A-Z]{3}|kr|zł|Kč|Ft|lei|Rs|руб|грн|円|元/;
const NUMBER = /\d{1,3}(?:[ ,.'’\u202f]\d{3})+(?:[.,]\d{1,2})?|\d+(?:[.,]\d+)?/g;
/** How many characters before or after a number may hold its currency. */
const BESIDE = 5;

/** The text of a page, with a mark in place of each tag. */
export function shownText(html: string): string {
  return html
    .replace(/<(script|style|template|head)\b[\s\S]*?<\/\1\s*>/gi, ' ')
    .replace(/<(?:[^>"']|"[^"]*"|'[^']*')*>/g, TAG_MARK)
    .replace(/&nbsp;|&#160;|&#xa0;/gi, ' ')
    .replace(/&euro;/gi, '€')
    .replace(/&pound;/gi, '£')
    .replace(/&[a-z]+;|&#\w+;/gi, ' ');
}

/**
 * All amounts in a text: numbers with two decimals or with a currency next to them. The decimal separator is unknown,
 * so both readings count. A tag may separate two amounts or split one amount, so both are tried.
 */
export function shownAmounts(text: string): Set<number> {
  const marks = new RegExp(`${TAG_MARK}+`, 'g');
  const raised = new RegExp(`(\\d)[\\s${TAG_MARK}]*${TAG_MARK}[\\s${TAG_MARK}]*(\\d\\d)(?!\\d)`, 'g');
  const sources = [text.replace(marks, ''), text.replace(marks, ' '), text.replace(raised, '$1.$2').replace(marks, '')];
  const amounts = new Set<number>();
  for (const source of sources) {
    for (const { 0: written, index } of source.matchAll(NUMBER)) {
      const end = index + written.length;
      const beside = source.slice(Math.max(0, index - BESIDE), index) + source.slice(end, end + BESIDE);
      if (!/[.,]\d\d$/.test(written) && !CURRENCY.test(beside)) continue;
      const compact = written.replace(/[ '’\u202f]/g, '');
      amounts.add(Number(compact.replace(/,/g, '')));
      amounts.add(Number(compact.replace(/\./g, '').replace(',', '.')));
    }
  }
  return amounts;
}

/** The words of a text, each between spaces, so that one text matches another by whole words only. */
export function wordsOf(text: string): string {
  const words = text.toLowerCase().split(/[\s\u200b:;,|()#"•]+/);
  return ` ${words.filter((word) => word !== '').join(' ')} `;
}
