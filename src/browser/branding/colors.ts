/** A colour by its parts, each 0 to 255; `alpha` 0 to 1. */
export interface Color {
  red: number;
  green: number;
  blue: number;
  alpha: number;
}

/** Reads `#rrggbbaa`. */
export function parseHex(hex: string): Color {
  const [red = 0, green = 0, blue = 0, alpha = 255] =
    hex
      .slice(1)
      .match(/../g)
      ?.map((pair) => Number.parseInt(pair, 16)) ?? [];
  return { red, green, blue, alpha: alpha / 255 };
}

/** `#RRGGBB` of a colour on an opaque background. */
export function hexOn({ red, green, blue, alpha }: Color, background: Color): string {
  const mix = (above: number, below: number) => Math.round(above * alpha + below * (1 - alpha));
  const channels = [mix(red, background.red), mix(green, background.green), mix(blue, background.blue)];
  return `#${channels.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`.toUpperCase();
}

/** Relative luminance, 0 to 1 (WCAG 2.2). */
export function luminance({ red, green, blue }: Color): number {
  const linear = (channel: number) => {
    const part = channel / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

/** How colourful a colour is, 0 for grey to 255. */
export function chroma({ red, green, blue }: Color): number {
  return Math.max(red, green, blue) - Math.min(red, green, blue);
}

/** Greys, and colours that readers take for grey or for black. */
export function isGrey(color: Color): boolean {
  return chroma(color) < 40;
}

/** The distance of two colours, 0 to 441. */
export function distance(one: Color, other: Color): number {
  return Math.hypot(one.red - other.red, one.green - other.green, one.blue - other.blue);
}

/** Whether readers take them for one colour, such as a button and the same button under the pointer. */
export function isSame(one: Color, other: Color): boolean {
  return distance(one, other) < 24;
}
