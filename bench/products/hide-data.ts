/** Attributes of microdata and RDFa, including `property`, which `<meta>` keeps. */
const DATA_ATTRIBUTES =
  /\s(?:itemprop|itemscope|itemtype|itemid|itemref|typeof|vocab|prefix|resource|datatype|property)(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'>]+)|(?=[\s/>]))/gi;
/** An attribute whose value is JSON, plain or escaped: the state of a shop system. */
const STATE_ATTRIBUTES = /\s[\w:.-]+\s*=\s*(?:"\s*(?:\{|\[|&quot;)[^"]*"|'\s*(?:\{|\[)[^']*')/g;
const PRODUCT_META =
  /\b(?:property|name|itemprop)\s*=\s*["']?(?:product:|og:(?:price|availability|brand|product)|twitter:(?:label|data)\d)/i;
const PRODUCT_TYPE = /og:type["'][^>]*product|product[^>]*og:type/i;
const SCRIPT = /<script\b[\s\S]*?(?:<\/script\s*>|$)/gi;
const COMMENT = /<!--[\s\S]*?(?:-->|$)/g;
const TAG = /<[a-z](?:[^>"']|"[^"]*"|'[^']*')*>/gi;

/**
 * Removes the product data meant for machines from the source of a page: scripts (with JSON-LD and application state),
 * microdata, RDFa and product meta tags. Keeps what visitors see and what the head of any page has: title, description,
 * image.
 */
export function hideData(html: string): string {
  return html
    .replace(COMMENT, '')
    .replace(SCRIPT, '')
    .replace(TAG, (tag) => {
      if (!/^<meta\b/i.test(tag)) return tag.replace(DATA_ATTRIBUTES, '').replace(STATE_ATTRIBUTES, '');
      return PRODUCT_META.test(tag) || PRODUCT_TYPE.test(tag) ? '' : tag.replace(/\sitemprop\s*=/i, ' data-hidden=');
    });
}
