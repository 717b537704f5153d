/**
 * The properties of each HTML tag that the parser needs, following the tree construction rules of the HTML standard
 * (https://html.spec.whatwg.org/multipage/parsing.html), as one table of bits.
 */

import { NameTable } from './name-table.ts';

/** Has no content and no end tag. */
export const VOID = 1;
/** "Special" in the standard: the end tag of an inline element does not reach over it. */
export const SPECIAL = 1 << 1;
/** Bounds a scope: an end tag inside does not close an element outside. */
export const SCOPE = 1 << 2;
/** A list, which bounds the scope of `</li>`. */
export const LIST = 1 << 3;
/** Its start tag ends an open paragraph. */
export const ENDS_P = 1 << 4;
/** A formatting element: its end tag reaches over blocks (the adoption agency of the standard). */
export const FORMATTING = 1 << 5;
export const HEADING = 1 << 6;
/** Can be in `<head>` without ending it. */
export const METADATA = 1 << 7;
/** Never shown. */
export const HIDDEN = 1 << 8;
/** White space alone in it is not text: its content is rows, items, options … */
export const NO_TEXT = 1 << 9;
/** Starts a new line, so white space alone next to it is not shown. */
export const BLOCK = 1 << 10;
/** White space is preserved. */
export const PREFORMATTED = 1 << 11;
/** Its start tag has a special rule, see TreeBuilder. */
export const OWN_RULE = 1 << 12;
/** HTML that ends an `<svg>` or `<math>` around it. */
export const BREAKS_OUT = 1 << 13;
/** Shown, but the text in it is a fallback, a label or a control's value, which is not counted. */
export const MUTED = 1 << 14;
/** Everything up to its end tag is text. */
export const RAW_TEXT = 1 << 15;
/** In `<svg>` or `<math>`, but its content is HTML again (the integration points of the standard). */
export const INTEGRATION = 1 << 16;

/** Bounds the scope of the parts of a table. */
export const TABLE_SCOPE = 1 << 17;
/** Special, but the start tag of an item still closes the item around it. */
export const ITEM_FLOW = 1 << 18;
/** Bounds the scope of paragraphs. */
export const BUTTON = 1 << 19;
/** Its content is SVG or MathML. */
export const FOREIGN = 1 << 20;
/** Inline. All others, including unknown elements, count as blocks for main content. */
export const INLINE = 1 << 21;

export interface Tag {
  readonly name: string;
  readonly id: number;
  readonly bits: number;
}

const GROUPS: [bits: number, names: string][] = [
  [VOID, 'area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr'],
  [
    SPECIAL,
    'address applet area article aside base basefont bgsound blockquote body br button caption center col colgroup dd details dir div dl dt embed fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html iframe img input keygen li link listing main marquee menu meta nav noembed noframes noscript object ol p param plaintext pre script search section select source style summary table tbody td template textarea tfoot th thead title tr track ul wbr xmp foreignobject',
  ],
  [SCOPE, 'applet caption html table td th marquee object template foreignobject annotation-xml'],
  [TABLE_SCOPE, 'table template html'],
  [ITEM_FLOW, 'address div p'],
  [BUTTON, 'button'],
  [FOREIGN, 'svg math'],
  [
    INLINE,
    'a abbr acronym b bdi bdo big br cite code data del dfn em font i img ins kbd label mark q s samp small span strike strong sub sup svg time tt u var wbr',
  ],
  [LIST, 'ul ol'],
  [
    ENDS_P,
    'address article aside blockquote center details dialog dir div dl fieldset figcaption figure footer form header hgroup hr h1 h2 h3 h4 h5 h6 li dd dt listing main menu nav ol p plaintext pre search section summary table ul xmp',
  ],
  [FORMATTING, 'a b big code em font i nobr s small strike strong tt u'],
  [HEADING, 'h1 h2 h3 h4 h5 h6'],
  [METADATA, 'base basefont bgsound link meta noframes noscript script style template title'],
  [HIDDEN, 'head script style template noscript noframes noembed title'],
  [MUTED, 'audio canvas datalist iframe object select svg textarea video'],
  [RAW_TEXT, 'iframe noembed noframes script style textarea title xmp'],
  [INTEGRATION, 'annotation-xml desc foreignobject mi mn mo ms mtext title'],
  [NO_TEXT, 'html head table thead tbody tfoot tr colgroup ul ol dl menu select optgroup datalist picture frameset'],
  [
    BLOCK,
    'address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption figure footer form frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html legend li listing main menu nav ol optgroup option p plaintext pre search section summary table tbody td tfoot th thead tr ul xmp br',
  ],
  [PREFORMATTED, 'pre listing plaintext xmp textarea'],
  [
    OWN_RULE,
    'a body button caption colgroup dd dt form head html li optgroup option select table tbody td tfoot th thead tr rb rp rt rtc',
  ],
  [
    BREAKS_OUT,
    'b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li listing menu meta nobr ol p pre ruby s small span strong strike sub sup table tt u ul var',
  ],
];

const tags = new Map<string, Tag>();
for (const [bits, names] of GROUPS) {
  for (const name of names.split(' ')) {
    const known = tags.get(name);
    tags.set(name, { name, id: known?.id ?? tags.size, bits: (known?.bits ?? 0) | bits });
  }
}

/** The tags of this table by lower-case name; their ids are 0 to `TAGS.size - 1`. */
export const TAGS: ReadonlyMap<string, Tag> = tags;

/** The same, found by the characters of a source. */
export const TAG_TABLE = new NameTable(tags);

/** The id of the nameless element above `<html>`. Names that are not in the table get the following ids. */
export const ROOT_ID = tags.size;

/** @throws Error when the table does not have the name, which is a bug in this program. */
export function tagOf(name: string): Tag {
  const tag = tags.get(name);
  if (tag === undefined) throw new Error(`no such tag: ${name}`);
  return tag;
}

/** Whether an element of that name starts a new line. `<br>` is one of them. */
export function isBlock(name: string): boolean {
  return ((tags.get(name)?.bits ?? 0) & BLOCK) !== 0;
}
