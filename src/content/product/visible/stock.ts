import { readAvailability } from '../availability.ts';
import type { DraftVariant } from '../draft.ts';
import { Name } from './box-names.ts';
import type { BuyControl } from './buy-controls.ts';
import { type Box, boxAt, type Line, outward } from './page-boxes.ts';
import type { ProductArea } from './product-area.ts';
import { BACK_ORDER, IN_STOCK, NOTIFY, PRE_ORDER, SOLD_OUT } from './stock-phrases.ts';

/** Values of schema.org `ItemAvailability` that pages express in words. */
type Term = 'InStock' | 'OutOfStock' | 'PreOrder' | 'BackOrder';

export interface FoundStock {
  availability: NonNullable<DraftVariant['availability']>;
  /** Whether the page says so explicitly, not only through a button that works. */
  isStated: boolean;
}

/** A line with more characters is not a statement about stock. */
const MAX_STATEMENT = 100;
/** The most characters in an unlabelled statement, so that the line says nothing else. */
const MAX_BARE_STATEMENT = 40;
/** The same for a product that is sold out: shops write a sentence, and nobody writes that of things that can be bought. */
const MAX_SOLD_OUT = 70;
/** Names of elements with more text than this belong to the whole product. */
const MAX_PART = 300;
/** Where to look for statements, in characters around the title and the button. */
const BEFORE_TITLE = 300;
const BEHIND_TITLE = 2_500;
const BEFORE_CONTROL = 300;
const BEHIND_CONTROL = 500;

/** A label whose value is a statement about stock. */
const LABEL =
  /^(?:(?:current |in |available )?stock|stock status|availability|(?:quantity |qty )?available|verfügbarkeit|lagerbestand|lieferstatus|disponibilité|disponibilidad|disponibilità|disponibilidade|beschikbaarheid|voorraad|lagerstatus|dostępność|dostupnost|dostupnosť|elérhetőség|disponibilitate|наличие|наявність|наличност|stok durumu|διαθεσιμότητα|在庫|库存|庫存|재고)(?:\s*[:：]\s*|\s+)/iu;

/** What a control says is about the choice that it stands for. */
const CONTROLS = new Set(['button', 'a', 'label', 'option']);
const SOLD_OUT_CLASS = /^(?:is-|product-{1,2}|item-{1,2}|stock-{1,2})?(?:sold-?out|out-?of-?stock)$/i;

/** Words in statements about a branch or a delivery method. */
const ELSEWHERE =
  /pick-?up|\bstores?\b|collect|abhol|filiale|markt|retrait|magasin|tienda|negozio|winkel\b|butik|shipping|delivery to|return/i;

const TERMS: readonly (readonly [term: Term, pattern: RegExp])[] = [
  ['OutOfStock', NOTIFY],
  ['OutOfStock', SOLD_OUT],
  ['PreOrder', PRE_ORDER],
  ['BackOrder', BACK_ORDER],
  ['InStock', IN_STOCK],
];

/**
 * Decides whether the product can be bought: by statements about stock near the title and the button, else by the
 * button. A working button outweighs a statement without a label, which may be about a single size or branch. A
 * labelled statement outweighs the button, because many shops leave it working when stock is gone.
 */
export function findStock(
  lines: readonly Line[],
  area: ProductArea,
  control: BuyControl | undefined,
): FoundStock | undefined {
  const statements = lines.filter((line) => isNear(line, area, control)).flatMap((line) => statementOf(line, area));
  const labelled = statements.find(({ isLabelled }) => isLabelled);
  if (labelled) return { availability: availabilityOf(labelled.term), isStated: true };
  if (isMarkedSoldOut(area)) return { availability: availabilityOf('OutOfStock'), isStated: true };
  const byControl = control && termOf(control);
  const isOpen = byControl !== undefined && byControl !== 'OutOfStock' && !control?.isDisabled;
  const out = statements.find(({ term }) => term === 'OutOfStock');
  if (out && !isOpen) return { availability: availabilityOf('OutOfStock'), isStated: true };
  if (byControl !== undefined) {
    // A disabled button means little: it may wait for a variant to be chosen or for the page's script to run.
    return { availability: availabilityOf(byControl), isStated: byControl === 'OutOfStock' };
  }
  const [first] = statements;
  return first && { availability: availabilityOf(first.term), isStated: true };
}

/**
 * Whether a class of an element around the title says that the product is sold out. The shop's style sheet then hides
 * the button, as in WooCommerce (`product outofstock`) and Squarespace (`ProductItem sold-out`).
 */
function isMarkedSoldOut({ titles }: ProductArea): boolean {
  const around = titles.flatMap((title) => [...outward(title)]);
  return around.some(({ element: { attributes } }) => attributes.class?.split(/\s+/).some(isSoldOutClass));
}

function isSoldOutClass(name: string): boolean {
  return SOLD_OUT_CLASS.test(name);
}

function termOf({ offer }: BuyControl): Term {
  if (offer === 'sold-out') return 'OutOfStock';
  if (offer === 'pre-order') return 'PreOrder';
  return offer === 'back-order' ? 'BackOrder' : 'InStock';
}

interface Statement {
  term: Term;
  isLabelled: boolean;
}

function statementOf(line: Line, area: ProductArea): Statement[] {
  if (line.text.length > MAX_STATEMENT || ELSEWHERE.test(line.text) || area.isForeign(line.box)) return [];
  const statement = line.text.replace(LABEL, '');
  const found =
    TERMS.map(([term, pattern]) => ({ term, at: statement.search(pattern) })).find(({ at }) => at >= 0) ??
    (statement === line.text ? undefined : countIn(statement));
  if (found === undefined) return [];
  const box = boxAt(line, line.text.length - statement.length + found.at);
  if (isInControl(box) || isIdleBadge(box)) return [];
  if ((area.namesAround(box, MAX_PART) & (Name.Options | Name.Reviews | Name.Hidden | Name.Related)) !== 0) return [];
  // An offer to be notified is no statement, whatever the element is called.
  if (NOTIFY.test(statement)) return [{ term: 'OutOfStock', isLabelled: false }];
  const isLabelled = (statement !== line.text && statement !== '') || isNamedStock(line.box);
  const limit = found.term === 'OutOfStock' ? MAX_SOLD_OUT : MAX_BARE_STATEMENT;
  return isLabelled || statement.length <= limit ? [{ term: found.term, isLabelled }] : [];
}

/** Reads a count, as in `Stock: 12`. */
function countIn(statement: string): { term: Term; at: number } | undefined {
  const [count] = /^\d+/.exec(statement) ?? [];
  return count === undefined ? undefined : { term: Number(count) > 0 ? 'InStock' : 'OutOfStock', at: 0 };
}

/**
 * Whether the box is in a hidden badge. Themes put badges on every page and show only those that the element around
 * them asks for: `price price--sold-out`.
 */
function isIdleBadge(box: Box): boolean {
  const parts = [...outward(box)].filter(({ start, end }) => end - start <= MAX_PART);
  const badge = parts.findLastIndex(({ names }) => (names & Name.Badge) !== 0);
  return badge !== -1 && !parts.slice(badge + 1).some(({ names }) => (names & Name.SoldOut) !== 0);
}

function isNamedStock(box: Box): boolean {
  for (const { names, start, end } of outward(box)) {
    if (end - start > MAX_STATEMENT) return false;
    if ((names & Name.Stock) !== 0) return true;
  }
  return false;
}

function isInControl(box: Box): boolean {
  for (const { element } of outward(box)) {
    if (CONTROLS.has(element.name)) return true;
  }
  return false;
}

function isNear({ start }: Line, area: ProductArea, control: BuyControl | undefined): boolean {
  const distance = area.distanceFromTitle(start);
  if (distance >= -BEFORE_TITLE && distance <= BEHIND_TITLE) return true;
  return (
    control !== undefined && start >= control.box.start - BEFORE_CONTROL && start <= control.box.end + BEHIND_CONTROL
  );
}

function availabilityOf(term: Term): FoundStock['availability'] {
  return readAvailability(term) ?? { inStock: term === 'InStock', text: term };
}
