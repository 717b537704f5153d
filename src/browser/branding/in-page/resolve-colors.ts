declare const OffscreenCanvas: new (
  width: number,
  height: number,
) => { getContext(type: '2d', options: { willReadFrequently: boolean }): Canvas | null };

interface Canvas {
  fillStyle: string;
  clearRect(x: number, y: number, width: number, height: number): void;
  fillRect(x: number, y: number, width: number, height: number): void;
  getImageData(x: number, y: number, width: number, height: number): { data: Iterable<number> };
}

/** Runs in the page: every colour in a text of JSON as `#rrggbbaa`. The browser knows all notations of CSS, also `oklch()`. */
export function resolveColors(json: string): Record<string, string> {
  const MAX_COLORS = 500;
  const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  const colors: Record<string, string> = {};
  if (canvas === null) return colors;
  const NOTATION =
    /#[\da-f]{3,8}\b|\b(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch|color)\([^()"]*\)|(?<=")[a-z]{3,20}(?=")/gi;
  for (const [color] of json.matchAll(NOTATION)) {
    if (color in colors) continue;
    if (Object.keys(colors).length >= MAX_COLORS) break;
    canvas.fillStyle = '#010203';
    canvas.fillStyle = color;
    if (canvas.fillStyle === '#010203') continue;
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillRect(0, 0, 1, 1);
    const [...channels] = canvas.getImageData(0, 0, 1, 1).data;
    colors[color] = `#${channels.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
  }
  return colors;
}
