import { lettersOf } from '../../letters.ts';
import { cleanText } from '../clean-text.ts';
import { Name } from './box-names.ts';
import { type Line, outward, type PageBoxes, shownText } from './page-boxes.ts';
import type { ProductArea } from './product-area.ts';

const LABEL =
  /^(?:brand(?: name)?|manufacturer|maker|vendor|marke|hersteller|marque|fabricant|marca|fabricante|produttore|casa produttrice|merk|fabrikant|märke|varumärke|merke|mærke|merkki|tuotemerkki|valmistaja|marka|producent|značka|výrobce|výrobca|márka|gyártó|brand|producător|бренд|производитель|марка|виробник|марка|marka|üretici|μάρκα|κατασκευαστής|ブランド|メーカー|品牌|브랜드|제조사|thương hiệu|merek|ยี่ห้อ|מותג|الماركة|العلامة التجارية|برند)(?!\p{L})\s*[:：]?\s*/iu;
/** Words before a brand: `by Acme`, `von Acme`. */
const BY = /^(?:[Bb]y|BY|von|par|de|di|door|av|fra|od|[Ss]hop [Aa]ll|[Mm]ore [Ff]rom)\s+/;
const STORE = /^visit the (.+) store$/i;
/** Paths of a shop's brand pages. */
const BRAND_PATH =
  /\/(?:brands?|vendors?|manufacturers?|marken?|hersteller|marques?|marcas?|merken?|producent|znacka|collections\/vendors)[/?]/i;

const MAX_BRAND = 40;
const MAX_NEIGHBOUR = 300;

/**
 * Finds the brand of the product by a label, by the name of an element near the title, or by a link to a brand page.
 */
export function findBrand(page: PageBoxes, area: ProductArea): string | undefined {
  const own: PageBoxes = { ...page, lines: page.lines.filter(({ box }) => !area.isTitle(box)) };
  return labelled(own.lines, area) ?? named(own.lines, area) ?? linked(own, area);
}

function labelled(lines: readonly Line[], area: ProductArea): string | undefined {
  for (const [index, line] of lines.entries()) {
    const label = line.text.length <= 80 ? LABEL.exec(line.text)?.[0] : undefined;
    if (label === undefined || area.isForeign(line.box)) continue;
    const rest = line.text.slice(label.length);
    const next = lines[index + 1];
    if (rest === '') {
      if (next !== undefined && next.start - line.start <= line.text.length + 2) {
        const brand = brandOf(next.text);
        if (brand) return brand;
      }
    } else if (/[:：]/.test(label) || line.runs.some(({ at }) => at > 0 && at <= label.length)) {
      const end = line.runs.find(({ at }) => at > label.length)?.at ?? line.text.length;
      const brand = brandOf(line.text.slice(label.length, end));
      if (brand) return brand;
    }
  }
  return undefined;
}

function named(lines: readonly Line[], area: ProductArea): string | undefined {
  const line = lines.find(
    (each) =>
      each.text.length <= MAX_BRAND + 10 && isNear(each.start, area) && isNamedBrand(each) && !area.isForeign(each.box),
  );
  return line && brandOf(withoutBy(line.text));
}

function isNamedBrand({ box, text }: Line): boolean {
  for (const { names, start, end, element } of outward(box)) {
    if (end - start > text.length + 10 || element.name === 'button') return false;
    if ((names & Name.Brand) !== 0) return true;
  }
  return false;
}

function linked(page: PageBoxes, area: ProductArea): string | undefined {
  const link = page.links.find(
    (each) => isNear(each.start, area) && BRAND_PATH.test(each.element.attributes.href ?? '') && !area.isForeign(each),
  );
  return link && brandOf(withoutBy(shownText(link, 2 * MAX_BRAND)));
}

function isNear(start: number, area: ProductArea): boolean {
  return area.titles.length > 0 && Math.abs(area.distanceFromTitle(start)) <= MAX_NEIGHBOUR;
}

function withoutBy(text: string): string {
  return STORE.exec(text)?.[1] ?? text.replace(BY, '');
}

function brandOf(text: string): string | undefined {
  const brand = cleanText(text, MAX_BRAND + 1);
  if (brand === undefined || brand.length > MAX_BRAND || lettersOf(brand).length < 2) return undefined;
  return /^\d+$|[:?!]|https?:/.test(brand) ? undefined : brand;
}
