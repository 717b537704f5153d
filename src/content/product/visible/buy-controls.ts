import { Name } from './box-names.ts';
import { type Box, type PageBoxes, shownText } from './page-boxes.ts';
import { isWithin, type ProductArea } from './product-area.ts';
import { ADD_TO_CART, BACK_ORDER, BUY_NOW, CHOOSE, NOTIFY, PRE_ORDER, SOLD_OUT } from './stock-phrases.ts';

/** What a button offers. */
export type Offer = 'cart' | 'buy' | 'pre-order' | 'back-order' | 'sold-out';

export interface BuyControl {
  box: Box;
  offer: Offer;
  isDisabled: boolean;
}

/** Longer text is not a button label. */
const MAX_LABEL = 60;
const MAX_CONTROLS = 1_000;
const OFFERS: readonly (readonly [offer: Offer, pattern: RegExp])[] = [
  ['sold-out', SOLD_OUT],
  ['sold-out', NOTIFY],
  ['pre-order', PRE_ORDER],
  ['back-order', BACK_ORDER],
  ['cart', ADD_TO_CART],
  ['buy', BUY_NOW],
  ['buy', CHOOSE],
];

/** The buttons of a page that sell something, or that say it is sold out. */
export function findBuyControls({ controls }: PageBoxes): BuyControl[] {
  const found: BuyControl[] = [];
  for (const box of controls) {
    const offer = offerOf(box);
    if (offer) found.push({ box, offer, isDisabled: isDisabled(box) });
    if (found.length >= MAX_CONTROLS) break;
  }
  // If one control is inside another, only the inner one counts.
  return found.filter(({ box }, index) => !isAround(box, found[index + 1]?.box));
}

function isAround(box: Box, inner: Box | undefined): boolean {
  return inner !== undefined && isWithin(inner, box);
}

function offerOf(box: Box): Offer | undefined {
  const { element, names } = box;
  if (element.textLength > MAX_LABEL) return undefined;
  const label = shownText(box, MAX_LABEL);
  const offer = OFFERS.find(([, pattern]) => pattern.test(label))?.[0];
  if (offer || element.name === 'a') return offer;
  // A button with only an icon.
  return label === '' && element.name === 'button' && (names & Name.Buy) !== 0 ? 'cart' : undefined;
}

function isDisabled({ element: { attributes }, names }: Box): boolean {
  return (
    attributes.has('disabled') ||
    attributes.get('aria-disabled') === 'true' ||
    /(?:^|[\s_-])(?:is-)?(?:disabled|inactive)(?:$|\s)/.test(attributes.class ?? '') ||
    (names & Name.SoldOut) !== 0
  );
}

/** The button that sells the page's product: the one nearest to the title, and preferably one that adds to a cart. */
export function mainControl(controls: readonly BuyControl[], area: ProductArea): BuyControl | undefined {
  const ranked = controls.map((control) => ({ control, rank: rankOf(control, area) }));
  return ranked.filter(({ rank }) => rank < FOREIGN_RANK).toSorted((one, other) => one.rank - other.rank)[0]?.control;
}

const RANKS: Record<Offer, number> = { cart: 0, 'pre-order': 0, 'back-order': 0, 'sold-out': 2, buy: 2 };
const FOREIGN_RANK = 8;

/** Lower is better. */
function rankOf({ box, offer, isDisabled }: BuyControl, area: ProductArea): number {
  // An offer to be notified may be for another size, as may `9 – Sold out`. `Sold out` alone means the product.
  const isSoldOut = isDisabled && offer === 'sold-out' && SOLD_OUT.exec(shownText(box, MAX_LABEL))?.index === 0;
  const common = area.commonWithTitle(box);
  const size = common.end - common.start;
  const apart = size < 1_500 ? 0 : size < 5_000 ? 1 : 2;
  const isBefore = area.distanceFromTitle(box.start) < 0;
  const isHidden = (area.namesAround(box) & (Name.Hidden | Name.Sticky)) !== 0;
  return (
    (isSoldOut ? 0 : RANKS[offer]) +
    apart +
    (isBefore ? 1 : 0) +
    (isHidden ? 0.5 : 0) +
    1.5 * (box.parent ? area.pointsAgainst(box.parent) : 0)
  );
}
