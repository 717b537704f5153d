/** Attributes of microdata and RDFa. `property` is among them, but not that of `<meta>`. */
const DATA_ATTRIBUTES =
  /\s(?:itemprop|itemscope|itemtype|itemid|itemref|typeof|vocab|prefix|resource|datatype|property)(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'>]+)|(?=[\s/>]))/gi;
/** A value that is JSON, as it is or escaped: the state of a shop system. */
const STATE_ATTRIBUTES = /\s[\w:.-]+\s*=\s*(?:"\s*(?:\{|\[|&quot;)[^"]*"|'\s*(?:\{|\[)[^']*')/g;
const PRODUCT_META =
  /\b(?:property|name|itemprop)\s*=\s*["']?(?:product:|og:(?:price|availability|brand|product)|twitter:(?:label|data)\d)/i;
const PRODUCT_TYPE = /og:type["'][^>]*product|product[^>]*og:type/i;
const SCRIPT = /<script\b[\s\S]*?(?:<\/script\s*>|$)/gi;
const COMMENT = /<!--[\s\S]*?(?:-->|$)/g;
const TAG = /<[a-z](?:[^>"']|"[^"]*"|'[^']*')*>/gi;

/**
 * The source of a page without what it says of a product for machines: no scripts, and so neither JSON-LD nor the state
 * of an application, no microdata, no RDFa, no tags of products. What visitors see stays, and so does what the head says
 * of every page: title, description, image.
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
