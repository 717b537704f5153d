/** What is between the tags of a page, without asking the reader that is measured. */
export function shownText(html: string): string {
  return html
    .replace(/<(?:script|style|template|head)\b[\s\S]*?<\/(?:script|style|template|head)\s*>/gi, ' ')
    .replace(/<(?:[^>"']|"[^"]*"|'[^']*')*>/g, '\u200b')
    .replace(/&nbsp;|&#160;|&#xa0;/gi, ' ')
    .replace(/&[a-z]+;|&#\w+;/gi, ' ');
}

const SIGNED = /[$€£¥₹₽₩₺₴₫฿₪]|[A-Z]{3}|kr|zł|Kč|Ft|lei|Rs|руб|грн|円|元/;

/** All amounts in a text, in either way of writing decimals: with two decimals, or with a currency beside them. */
export function shownAmounts(text: string): Set<number> {
  const joined = text.replace(/\u200b+/g, '');
  const apart = text.replace(/\u200b+/g, ' ');
  const cents = text.replace(/(\d)[\s\u200b]*\u200b[\s\u200b]*(\d\d)(?!\d)/g, '$1.$2').replace(/\u200b+/g, '');
  const numbers = new Set<number>();
  for (const source of [joined, apart, cents]) {
    for (const { 0: written, index } of source.matchAll(
      /\d{1,3}(?:[ ,.'’\u202f]\d{3})+(?:[.,]\d{1,2})?|\d+(?:[.,]\d+)?/g,
    )) {
      const beside =
        source.slice(Math.max(0, index - 5), index) + source.slice(index + written.length, index + written.length + 5);
      if (!/[.,]\d\d$/.test(written) && !SIGNED.test(beside)) continue;
      const compact = written.replace(/[ '’\u202f]/g, '');
      numbers.add(Number(compact.replace(/,/g, '')));
      numbers.add(Number(compact.replace(/\./g, '').replace(',', '.')));
    }
  }
  return numbers;
}
