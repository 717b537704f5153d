import type { PageDocument, PageElement, PageStyle } from './dom.ts';
import type { TokenFacts } from './facts.ts';

declare const document: PageDocument;
declare const getComputedStyle: (element: PageElement) => PageStyle;
declare const CSS: { supports(property: string, value: string): boolean };

/** Runs in the page: the colours that its design names, in custom properties of the root and in its head. */
export function collectTokens(): TokenFacts {
  const MAX_PROPERTIES = 2_000;
  const MAX_COLORS = 200;
  const TELLING =
    /primary|secondary|accent|brand|theme|link|success|positive|warning|caution|danger|error|destructive|negative/i;
  /** Parts of colours that Tailwind and shadcn keep in properties: `210 40% 98%`, and Bootstrap: `13, 110, 253`. */
  const HSL = /^[\d.]+(?:deg)?[\s,]+[\d.]+%[\s,]+[\d.]+%$/;
  const RGB = /^\d{1,3}\s*[\s,]\s*\d{1,3}\s*[\s,]\s*\d{1,3}$/;

  function colorIn(value: string): string | null {
    if (value === '' || value.length > 100) return null;
    const color = HSL.test(value) ? `hsl(${value})` : RGB.test(value) ? `rgb(${value})` : value;
    return CSS.supports('color', color) &&
      !/^(?:inherit|initial|unset|revert|revert-layer|currentcolor|auto)$/i.test(color)
      ? color
      : null;
  }

  const { documentElement: root } = document;
  const style = getComputedStyle(root);
  const variables: [string, string][] = [];
  let seen = 0;
  for (const [name] of root.computedStyleMap()) {
    if (!name.startsWith('--') || !TELLING.test(name)) continue;
    if (seen++ >= MAX_PROPERTIES || variables.length >= MAX_COLORS) break;
    const color = colorIn(style.getPropertyValue(name).trim());
    if (color !== null) variables.push([name, color]);
  }
  const themeColor = document.querySelector('meta[name="theme-color" i]')?.getAttribute('content') ?? '';
  return { variables, themeColor: colorIn(themeColor.trim()), colorScheme: style.getPropertyValue('color-scheme') };
}
