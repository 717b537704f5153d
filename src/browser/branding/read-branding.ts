import type { Page } from 'playwright-core';
import { isolatedWorldOf } from '../isolated-world.ts';
import { chooseButtons } from './buttons.ts';
import { luminance } from './colors.ts';
import { collectImages } from './in-page/collect-images.ts';
import { collectStyles } from './in-page/collect-styles.ts';
import { collectTokens } from './in-page/collect-tokens.ts';
import type { BrandingFacts, ElementLook, StyleFacts } from './in-page/facts.ts';
import { resolveColors } from './in-page/resolve-colors.ts';
import { PaletteReader } from './palette.ts';
import { readSpacing } from './spacing.ts';
import type { Branding, ButtonStyle, Layout } from './types.ts';
import { readFonts, readTypography } from './typography.ts';

/** How the site looks, read from what the page shows. */
export async function readBranding(page: Page): Promise<Branding> {
  const world = await isolatedWorldOf(page);
  return toBranding(await world.evaluate<BrandingFacts>(COLLECT));
}

/** One expression, because each call into the page takes a round trip. */
const COLLECT = `(() => {
  const facts = { styles: (${collectStyles})(), tokens: (${collectTokens})(), images: (${collectImages})() };
  return { ...facts, colors: (${resolveColors})(JSON.stringify([facts.styles, facts.tokens])) };
})()`;

/** Reads the facts as a designer would name them. */
export function toBranding(facts: BrandingFacts): Branding {
  const { styles, images } = facts;
  const reader = new PaletteReader(facts);
  const buttons = chooseButtons(facts);
  const { primary, secondary } = buttons;
  const [input] = styles.inputs;
  const logo = images.logo ?? images.favicon;
  return {
    colorScheme: luminance(reader.background) < 0.18 ? 'dark' : 'light',
    logo,
    colors: reader.read(buttons),
    fonts: readFonts(styles),
    typography: readTypography(styles),
    spacing: readSpacing(styles, buttons),
    components: {
      ...(primary && { buttonPrimary: buttonStyle(primary, reader) }),
      ...(secondary && { buttonSecondary: buttonStyle(secondary, reader) }),
      ...(input && { input: buttonStyle(input, reader) }),
    },
    ...readIcons(styles, reader),
    images: {
      ...(logo !== null && { logo }),
      ...(images.favicon !== null && { favicon: images.favicon }),
      ...(images.ogImage !== null && { ogImage: images.ogImage }),
    },
    ...readAnimations(styles),
    layout: readLayout(styles),
  };
}

function buttonStyle({ background, color, border, radius }: ElementLook, reader: PaletteReader): ButtonStyle {
  const parts = { background: reader.hex(background), textColor: reader.hex(color), borderColor: reader.hex(border) };
  const style: ButtonStyle = { borderRadius: radius };
  if (parts.background !== undefined) style.background = parts.background;
  if (parts.textColor !== undefined) style.textColor = parts.textColor;
  if (parts.borderColor !== undefined) style.borderColor = parts.borderColor;
  return style;
}

function readIcons({ icons }: StyleFacts, reader: PaletteReader): Pick<Branding, 'icons'> {
  if (icons.outlined + icons.filled === 0) return {};
  const color = reader.hex(icons.colors[0]?.[0] ?? null);
  const style = icons.outlined > icons.filled ? 'outline' : 'filled';
  return { icons: { style, ...(color !== undefined && { color }) } };
}

function readAnimations({ transitions: [most] }: StyleFacts): Pick<Branding, 'animations'> {
  if (most === undefined) return {};
  const [duration = '', easing = ''] = most[0].split('|');
  return { animations: { transitionDuration: firstOf(duration), easing: firstOf(easing) } };
}

/** The first of a list whose values can hold commas themselves: `cubic-bezier(0.4, 0, 0.2, 1), ease`. */
function firstOf(list: string): string {
  return /^(?:[^,(]|\([^)]*\))*/.exec(list)?.[0] ?? list;
}

function readLayout({ layout }: StyleFacts): Layout {
  const { headerHeight, footerHeight, maxWidth, columns } = layout;
  const grid = { ...(columns !== null && { columns }), ...(maxWidth !== null && { maxWidth }) };
  return {
    ...(Object.keys(grid).length > 0 && { grid }),
    ...(headerHeight !== null && { headerHeight: `${headerHeight}px` }),
    ...(footerHeight !== null && { footerHeight: `${footerHeight}px` }),
  };
}
