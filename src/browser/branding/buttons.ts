import { chroma, distance, parseHex } from './colors.ts';
import type { BrandingFacts, ElementLook } from './in-page/facts.ts';

export interface ButtonLooks {
  primary: ElementLook | undefined;
  secondary: ElementLook | undefined;
}

/** Buttons that are parts of a control and not a call to act. */
const CONTROL =
  /toggle|menu|close|search|icon|carousel|slider|prev|next|tab|accordion|arrow|hamburger|burger|share|copy/;

/** The look of the button that a page wants pressed, and of the other one beside it. */
export function chooseButtons({ styles, colors }: BrandingFacts): ButtonLooks {
  const calls = styles.buttons.filter(({ names, text }) => text !== '' && text.length <= 40 && !CONTROL.test(names));
  const canvas = parseHex(colors[styles.canvas] ?? '#ffffff');

  function score({ names, background, top, width, height }: ElementLook): number {
    const color = parseHex(colors[background] ?? '#00000000');
    const isFilled = background.includes('gradient(') || (color.alpha >= 0.1 && distance(color, canvas) >= 24);
    let points = 0;
    if (isFilled) points += 40 + chroma(color) / 8;
    if (/primary|cta|hero|main/.test(names)) points += 30;
    if (/secondary|outline|ghost|link|text-?btn/.test(names)) points -= 30;
    if (top < 900) points += 10;
    return points + Math.min(10, (width * height) / 1_000);
  }

  const ranked = calls
    .map((look, order) => ({ look, order, score: score(look) }))
    .sort((a, b) => b.score - a.score || a.order - b.order)
    .map(({ look }) => look);
  const [primary] = ranked;
  const isOther = ({ background, color, border }: ElementLook) =>
    background !== primary?.background || color !== primary.color || border !== primary.border;
  return { primary, secondary: ranked.find(isOther) };
}
