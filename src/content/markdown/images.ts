import { imageSources, isPixel } from '../images/source.ts';
import type { ElementNode } from '../tree.ts';
import { dataImage } from './addresses.ts';
import { collapseSpace } from './collapse-space.ts';
import { escapeTitle, escapeWhole } from './escape.ts';
import { renderFormulaImage } from './math.ts';
import type { Renderer } from './renderer.ts';

const MAX_ALT = 1_000;
const EMOJI =
  /^(?:\p{Extended_Pictographic}|\p{Regional_Indicator}|\p{Emoji_Modifier}|[\u200d\ufe0f\u20e3#*\d]){1,12}$/u;
/** Placeholder files that a script replaces with the real image. */
const PLACEHOLDER =
  /(?:^|[/_-])(?:blank|spacer|pixel|placeholder|transparent|1x1|grey|gray|lazy-?load(?:ing|er)?|loading|loader)[\w-]*\.(?:gif|png|svg|jpe?g|webp)(?:$|\?)/i;

/** Placeholders have short addresses; a longer one is not checked, because a data image may have megabytes. */
const MAX_PLACEHOLDER = 1_000;

export function renderImage(element: ElementNode, page: Renderer): void {
  const { attributes } = element;
  const alt = collapseSpace((attributes.alt ?? '').slice(0, MAX_ALT)).trim();
  if (isPixel(attributes) || renderFormulaImage(element, page)) return;
  if (isEmoji(alt)) page.out.text(alt);
  else if (page.aroundBlocks) page.out.besideMark(() => writeImage(element, alt, page));
  else writeImage(element, alt, page);
}

function writeImage(element: ElementNode, alt: string, page: Renderer): void {
  const address = addressOf(element, page);
  page.imageMissing = address === undefined;
  if (address === undefined) return;
  const title = collapseSpace(element.attributes.title ?? '').trim();
  const suffix = title === '' || title === alt || address === '' ? '' : ` "${escapeTitle(title)}"`;
  page.out.verbatim(`![${escapeWhole(alt)}](${address}${suffix})`);
}

/** Writes a picture that is not shown by an image element. */
export function writePicture(address: string, alt: string, page: Renderer): void {
  page.out.verbatim(`![${escapeWhole(collapseSpace(alt.slice(0, MAX_ALT)).trim())}](${address})`);
}

/** Undefined if there is nothing to show; '' if a data image loses its address. */
function addressOf(element: ElementNode, page: Renderer): string | undefined {
  const sources = imageSources(element.attributes);
  if (element.parent?.name === 'picture') {
    for (const sibling of element.parent.children.slice(0, 20)) {
      if (sibling.kind === 'element' && sibling.name === 'source') sources.push(...imageSources(sibling.attributes));
    }
  }
  const [first, ...others] = sources;
  const ordered = first !== undefined && isPlaceholder(first) ? [...others, first] : sources;
  for (const source of ordered) {
    const address = page.addresses.image(source);
    if (address !== undefined) return address;
  }
  const data = dataImage(element.attributes.src ?? '');
  if (data === undefined || !page.options.removeBase64Images) return data;
  return element.attributes.alt ? '' : undefined;
}

function isPlaceholder(source: string): boolean {
  return source.length < MAX_PLACEHOLDER && PLACEHOLDER.test(source);
}

function isEmoji(alt: string): boolean {
  return alt !== '' && alt.length <= 16 && EMOJI.test(alt) && /\P{ASCII}/u.test(alt);
}
