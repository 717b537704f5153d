import { resolveAddress } from '../address.ts';

/** Schemes that a reader can follow. `javascript:` and the like are left out. */
const LINK_SCHEMES: ReadonlySet<string> = new Set(['http:', 'https:', 'mailto:', 'tel:', 'sms:', 'ftp:']);
/** A data image with a shorter address is a placeholder or a dot. */
const MIN_DATA_IMAGE = 200;

/** How deep parentheses may nest. GitHub's Markdown matches them up to 32 levels deep. */
const MAX_PAIRED = 30;

/** Characters that some schemes and parts of addresses leave unencoded, and that Markdown would read as markup. */
const MARKUP = /[\s\\<>`]|\]\(/;
const ALL_MARKUP = /[\s\\<>`]|\]\(/g;

/** The addresses of one page, absolute and as Markdown writes them. A menu that appears three times is resolved once. */
export class Addresses {
  readonly #baseUrl: string;
  readonly #known = new Map<string, string | undefined>();

  constructor(baseUrl: string) {
    this.#baseUrl = baseUrl;
  }

  /** Undefined if the link leads nowhere: `#`, scripts, invalid addresses. */
  link(href: string | undefined): string | undefined {
    if (href === undefined) return undefined;
    if (this.#known.has(href)) return this.#known.get(href);
    const trimmed = href.trim();
    const address =
      trimmed === '' || trimmed === '#' ? undefined : resolveAddress(trimmed, this.#baseUrl, LINK_SCHEMES);
    const link = address === undefined ? undefined : destination(address);
    this.#known.set(href, link);
    return link;
  }

  image(source: string): string | undefined {
    if (source === '' || source.startsWith('data:')) return undefined;
    const address = resolveAddress(source, this.#baseUrl);
    return address === undefined ? undefined : destination(address);
  }
}

/** The address of an image embedded in the page itself, unless it is a placeholder. */
export function dataImage(source: string): string | undefined {
  return /^data:image\/[\w.+-]+[;,]/i.test(source) && source.length >= MIN_DATA_IMAGE
    ? source.replace(/[\s\\()[\]<>`]/g, encodeURIComponent)
    : undefined;
}

/**
 * An absolute address as the destination of a link (CommonMark, "link destination"). Parentheses are allowed in pairs;
 * if they do not pair up, the address goes between angle brackets.
 */
function destination(address: string): string {
  const plain = MARKUP.test(address) ? address.replace(ALL_MARKUP, encode) : address;
  return arePaired(plain) ? plain : `<${plain}>`;
}

function encode(found: string): string {
  return found === '](' ? '%5D(' : encodeURIComponent(found);
}

function arePaired(address: string): boolean {
  if (!address.includes('(') && !address.includes(')')) return true;
  let open = 0;
  for (const char of address) {
    if (char === '(' && ++open > MAX_PAIRED) return false;
    if (char === ')' && --open < 0) return false;
  }
  return open === 0;
}
