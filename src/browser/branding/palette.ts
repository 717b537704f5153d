import type { ButtonLooks } from './buttons.ts';
import { type Color, hexOn, isGrey, isSame, parseHex } from './colors.ts';
import type { BrandingFacts, ElementLook } from './in-page/facts.ts';
import type { Palette } from './types.ts';

/** Less than this share of the letters is no second colour of text. */
const MIN_SECONDARY_TEXT = 0.03;
/** Backgrounds of fewer pixels are decoration. */
const MIN_AREA = 2_000;

/** The colours of a page, by role. */
export class PaletteReader {
  readonly #facts: BrandingFacts;
  readonly background: Color;

  constructor(facts: BrandingFacts) {
    this.#facts = facts;
    this.background = this.#background();
  }

  /** The colour that CSS writes so, unless it is transparent. */
  color(css: string | null): Color | undefined {
    const hex = css === null ? undefined : this.#facts.colors[css];
    if (hex === undefined) return undefined;
    const color = parseHex(hex);
    return color.alpha < 0.1 ? undefined : color;
  }

  /** The CSS colour as `#RRGGBB`, blended with the background of the page. */
  hex(css: string | null): string | undefined {
    const color = this.color(css);
    return color && hexOn(color, this.background);
  }

  read(buttons: ButtonLooks): Palette {
    const [textPrimary, textSecondary] = this.#texts();
    const link = this.#link(textPrimary);
    const [primary, secondary, accent] = this.#brand(buttons, link);
    const palette: Palette = { background: hexOn(this.background, WHITE) };
    const set = (name: keyof Palette, color: Color | undefined) => {
      if (color !== undefined) palette[name] = hexOn(color, this.background);
    };
    set('primary', primary);
    set('secondary', secondary);
    set('accent', accent);
    set('textPrimary', textPrimary);
    set('textSecondary', textSecondary);
    set('link', link);
    set('success', this.#state(/success|positive/));
    set('warning', this.#state(/warning|caution/));
    set('error', this.#state(/error|danger|destructive|negative/));
    return palette;
  }

  /** The colour of most of the page. A picture or a gradient behind everything leaves that of the canvas. */
  #background(): Color {
    const { canvas, areas } = this.#facts.styles;
    const [largest] = areas.filter(([css]) => this.color(css)?.alpha === 1);
    return this.color(largest?.[0] ?? canvas) ?? WHITE;
  }

  /** The colours of most of the text, and of a good part of the rest. */
  #texts(): (Color | undefined)[] {
    const { texts, headings } = this.#facts.styles;
    const all = sumBy(texts.map(({ color, characters }) => [this.hex(color), characters]));
    const [first, ...others] = all;
    if (first === undefined) return [this.color(headings[0]?.color ?? null)];
    const total = all.reduce((sum, [, characters]) => sum + characters, 0);
    const second = others.find(
      ([hex, characters]) =>
        characters >= MIN_SECONDARY_TEXT * total &&
        isGrey(parseHex(hex)) &&
        !isSame(parseHex(hex), this.background) &&
        !isSame(parseHex(hex), parseHex(first[0])),
    );
    return [parseHex(first[0]), second && parseHex(second[0])];
  }

  /** Links in the text first: those of the navigation often look like text. */
  #link(text: Color | undefined): Color | undefined {
    const { links } = this.#facts.styles;
    const byUse = (looks: readonly ElementLook[]) => sumBy(looks.map(({ color }) => [this.hex(color), 1]));
    const colors = [...byUse(links.filter(({ inHeader }) => !inHeader)), ...byUse(links)].map(([hex]) => parseHex(hex));
    return colors.find((color) => text === undefined || !isSame(color, text)) ?? colors[0];
  }

  /** Up to three colours that stand for the brand: those that the page names and uses, of its buttons, and of its areas. */
  #brand({ primary: button, secondary: other }: ButtonLooks, link: Color | undefined): (Color | undefined)[] {
    const { areas, gradients, header } = this.#facts.styles;
    const filled = [button, other].map((look) => (look === undefined ? undefined : this.color(look.background)));
    const stops = gradients.flatMap(([image]) => this.#colorsIn(image));
    const large = areas.filter(([, pixels]) => pixels >= MIN_AREA).map(([css]) => this.color(css));
    const theme = this.color(this.#facts.tokens.themeColor);
    const shown = [...filled, this.color(header), ...stops, ...large, link];
    const colorful = [filled[0], this.color(header), theme, filled[1], ...stops, ...large].filter(
      (color): color is Color => color !== undefined && !isGrey(color),
    );
    const named = (name: RegExp) => this.#named(name, shown);
    // A brand without a colour is black or white: what its buttons are.
    const isColorful = link !== undefined && !isGrey(link);
    const withLink = isColorful ? [...colorful, link] : colorful;
    const primary = named(/primary|brand|theme-?color|^--theme$/) ?? withLink[0] ?? filled[0];
    const chosen: Color[] = primary === undefined ? [] : [primary];
    const next = (name: RegExp, candidates: readonly Color[]) => {
      const isNew = (color: Color) => !chosen.some((one) => isSame(one, color)) && !isSame(color, this.background);
      const stated = named(name);
      const color = stated !== undefined && isNew(stated) ? stated : candidates.find(isNew);
      if (color !== undefined) chosen.push(color);
      return color;
    };
    const secondary = next(/secondary/, colorful);
    const accent = next(/accent/, withLink);
    return [primary, secondary, accent];
  }

  #colorsIn(image: string): Color[] {
    const found = image.match(/#[\da-f]{3,8}\b|\b(?:rgba?|hsla?|lab|lch|oklab|oklch|color)\([^()]*\)/gi) ?? [];
    return found.map((css) => this.color(css)).filter((color) => color !== undefined);
  }

  /** The colour of a custom property with this name, if the page shows it: frameworks name many that it does not. */
  #named(name: RegExp, shown: readonly (Color | undefined)[]): Color | undefined {
    const { variables } = this.#facts.tokens;
    const candidates = variables
      .filter(([variable]) => name.test(variable) && !MODIFIED.test(variable))
      .sort(([a], [b]) => a.length - b.length);
    for (const [, css] of candidates) {
      const color = this.color(css);
      if (color !== undefined && shown.some((one) => one !== undefined && isSame(one, color))) return color;
    }
    return undefined;
  }

  /** The colour of messages of a kind: by its name, else as a message shows it. */
  #state(kind: RegExp): Color | undefined {
    const { tokens, styles } = this.#facts;
    const [named] = tokens.variables
      .filter(([name, css]) => kind.test(name) && !MODIFIED.test(name) && this.color(css) !== undefined)
      .sort(([a], [b]) => a.length - b.length);
    if (named !== undefined) return this.color(named[1]);
    const message = styles.messages.find(({ names }) => kind.test(names));
    if (message === undefined) return undefined;
    // The text and the border of a message are strong; its background is often pale.
    const colors = [message.background, message.border, message.color].map((css) => this.color(css));
    const colorful = colors.filter((color) => color !== undefined && !isGrey(color));
    return colorful[0];
  }
}

const WHITE = parseHex('#ffffff');

/** Properties for a part or a state of what they name: `--primary-foreground`, `--bs-primary-rgb`, `--link-hover`. */
const MODIFIED =
  /foreground|text|hover|active|focus|visited|disabled|contrast|border|outline|shadow|subtle|muted|light|dark|soft|pale|bg|background|ring|inverse|on-|-fg|-rgb|opacity|(?:^|-)(?:50|[1-9]00|950)$/;

/** Sums by colour, largest first. */
function sumBy(entries: readonly [hex: string | undefined, amount: number][]): [hex: string, amount: number][] {
  const sums = new Map<string, number>();
  for (const [hex, amount] of entries) if (hex !== undefined) sums.set(hex, (sums.get(hex) ?? 0) + amount);
  return [...sums].sort(([, a], [, b]) => b - a);
}
