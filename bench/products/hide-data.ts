/** What the reader of structured data reads, beside scripts: microdata, RDFa, and state that is kept in attributes. */
const DATA_ATTRIBUTES =
  /\s(?:itemprop|itemscope|itemtype|itemid|itemref|typeof|vocab|prefix|resource|about|datatype)(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'>]+))?/gi;
/** A value that is JSON, as it is or escaped. */
const STATE_ATTRIBUTES = /\s[\w:.-]+\s*=\s*(?:"\s*(?:\{|\[|&quot;)[^"]*"|'\s*(?:\{|\[)[^']*')/g;
const PRODUCT_META =
  /\b(?:property|name|itemprop)\s*=\s*["']?(?:product:|og:(?:price|availability|brand|product)|twitter:(?:label|data)\d)/i;
const PRODUCT_TYPE = /og:type["'][^>]*product|product[^>]*og:type/i;
const SCRIPT = /<script\b[\s\S]*?(?:<\/script\s*>|$)/gi;
const COMMENT = /<!--[\s\S]*?(?:-->|$)/g;
const TAG = /<[a-z](?:[^>"']|"[^"]*"|'[^']*')*>/gi;

/** The source of a page without what it says of a product for machines alone; what visitors see stays. */
export function hideData(html: string): string {
  return html
    .replace(COMMENT, '')
    .replace(SCRIPT, '')
    .replace(TAG, (tag) => {
      if (/^<meta\b/i.test(tag))
        return PRODUCT_META.test(tag) || PRODUCT_TYPE.test(tag) ? '' : tag.replace(/\sitemprop\s*=/i, ' data-hidden=');
      return tag
        .replace(DATA_ATTRIBUTES, '')
        .replace(STATE_ATTRIBUTES, '')
        .replace(/\sproperty\s*=/gi, ' data-hidden=');
    });
}
