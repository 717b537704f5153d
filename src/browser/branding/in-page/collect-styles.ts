import type { PageDocument, PageElement, PageStyle } from './dom.ts';
import type { ElementLook, StyleFacts, TextLook } from './facts.ts';

declare const document: PageDocument;
declare const innerWidth: number;
declare const innerHeight: number;
declare const scrollY: number;
declare const performance: { now(): number };
declare const getComputedStyle: (element: PageElement) => PageStyle;

/**
 * Runs in the page: how its shown elements look. Takes at most 3,000 elements from the top and one second, which a page of 3,000
 * elements does not come near (30 ms).
 */
export function collectStyles(): StyleFacts {
  const MAX_ELEMENTS = 3_000;
  const MAX_MS = 1_000;
  const MAX_LOOKS = 60;
  const BUTTON =
    'button, [role="button"], input[type="submit"], input[type="button"], a[class*="btn" i], a[class*="button" i], a[class*="cta" i]';
  const INPUT =
    'textarea, select, input:not([type]), input[type="text"], input[type="email"], input[type="search"], input[type="password"], input[type="tel"], input[type="url"], input[type="number"]';
  const HEADER = 'header, nav, [role="banner"], [role="navigation"]';
  const MESSAGE = /(?:^|[\s_-])(?:alert|badge|message|notice|toast|notification|status)(?:[\s_-]|$)/;
  const KINDS = /success|warning|error|danger/;
  const TRANSPARENT = /^transparent$|^rgba\(.*, 0\)$|\/ 0\)$/;
  const start = performance.now();
  const { documentElement: root, body } = document;
  /** The canvas counts as far down as the visited elements reach. */
  let bottom = innerHeight;

  const areas = new Map<string, number>();
  const gradients = new Map<string, number>();
  const texts = new Map<string, TextLook>();
  const spaces = new Map<number, number>();
  const radii = new Map<string, number>();
  const transitions = new Map<string, number>();
  const iconColors = new Map<string, number>();
  const facts: Pick<StyleFacts, 'headings' | 'buttons' | 'links' | 'inputs' | 'code' | 'messages'> = {
    ...{ headings: [], buttons: [], links: [], inputs: [], code: [], messages: [] },
  };
  const icons = { outlined: 0, filled: 0 };
  const columns = new Map<number, number>();
  const widths = new Map<string, number>();
  /** The elements that paint a background, and how much of it others cover. */
  const painted = new Map<PageElement, { color: string; pixels: number; covered: number }>();

  function add<Key>(counts: Map<Key, number>, key: Key, amount = 1): void {
    counts.set(key, (counts.get(key) ?? 0) + amount);
  }

  function isPainted(color: string): boolean {
    return !TRANSPARENT.test(color);
  }

  function namesOf(element: PageElement): string {
    return `${element.getAttribute('class') ?? ''} ${element.id}`.slice(0, 300).toLowerCase();
  }

  function look(
    element: PageElement,
    style: PageStyle,
    box: ReturnType<PageElement['getBoundingClientRect']>,
  ): ElementLook {
    return {
      tag: element.localName,
      names: namesOf(element),
      text: (element.textContent ?? '').slice(0, 200).replace(/\s+/g, ' ').trim().slice(0, 60),
      top: Math.round(box.top + scrollY),
      width: Math.round(box.width),
      height: Math.round(box.height),
      color: style.color,
      background: isPainted(style.backgroundColor) ? style.backgroundColor : style.backgroundImage.slice(0, 500),
      border: Number.parseFloat(style.borderTopWidth) > 0 ? style.borderTopColor : null,
      radius: style.borderTopLeftRadius,
      font: style.fontFamily,
      size: style.fontSize,
      weight: style.fontWeight,
      lineHeight: style.lineHeight,
      padding: style.padding,
      inHeader: element.closest(HEADER) !== null,
    };
  }

  function keep(list: ElementLook[], ...args: Parameters<typeof look>): void {
    if (list.length < MAX_LOOKS) list.push(look(...args));
  }

  /** The number of characters in the element itself, not in the elements in it. */
  function ownText({ childNodes }: PageElement): number {
    let length = 0;
    for (const { nodeType, nodeValue } of childNodes) if (nodeType === 3) length += (nodeValue ?? '').trim().length;
    return length;
  }

  function paint(element: PageElement, style: PageStyle, pixels: number): void {
    const isGradient = style.backgroundImage.includes('gradient(');
    const isPicture = style.backgroundImage.includes('url(');
    const hasColor = isPainted(style.backgroundColor);
    if (!hasColor && !isGradient && !isPicture) return;
    // What this box covers is not seen of the one behind it.
    for (let behind = element.parentElement; behind !== null; behind = behind.parentElement) {
      const below = painted.get(behind);
      if (below === undefined) continue;
      below.covered += pixels;
      break;
    }
    if (isGradient) add(gradients, style.backgroundImage.slice(0, 1_000), pixels);
    const color = isGradient || isPicture || !hasColor ? '' : style.backgroundColor;
    painted.set(element, { color, pixels, covered: 0 });
  }

  function visit(element: PageElement): void {
    if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return;
    const box = element.getBoundingClientRect();
    if (box.width < 1 || box.height < 1) return;
    if (element !== root && element !== body) bottom = Math.max(bottom, box.top + box.height + scrollY);
    const style = getComputedStyle(element);
    const { localName } = element;
    if (localName !== 'html' && localName !== 'body')
      paint(element, style, Math.min(box.width, innerWidth) * box.height);

    const characters = ownText(element);
    const isButton = element.matches(BUTTON);
    if (isButton && box.width >= 24 && box.height >= 16) keep(facts.buttons, element, style, box);
    else if (element.matches(INPUT)) keep(facts.inputs, element, style, box);
    else if (/^h[1-6]$/.test(localName)) keep(facts.headings, element, style, box);
    else if (localName === 'a' && element.hasAttribute('href') && (element.textContent ?? '').trim() !== '')
      keep(facts.links, element, style, box);
    else if (localName === 'code' || localName === 'pre' || localName === 'kbd') keep(facts.code, element, style, box);
    const names = namesOf(element);
    if (KINDS.test(names) && (MESSAGE.test(names) || element.getAttribute('role') === 'alert'))
      keep(facts.messages, element, style, box);

    if (characters > 0 && !isButton && element.closest('a, h1, h2, h3, h4, h5, h6, code, pre') === null) {
      const { color, fontFamily: font, fontSize: size, fontWeight: weight, lineHeight } = style;
      const key = [color, font, size, weight, lineHeight].join('|');
      const same = texts.get(key) ?? { color, font, size, weight, lineHeight, characters: 0 };
      same.characters += characters;
      texts.set(key, same);
    }
    for (const length of [style.paddingTop, style.paddingLeft, style.marginTop, style.marginBottom, style.rowGap]) {
      const pixels = Math.round(Number.parseFloat(length));
      if (pixels > 1 && pixels <= 128) add(spaces, pixels);
    }
    if (style.borderTopLeftRadius !== '0px') add(radii, style.borderTopLeftRadius);
    if (!/^0s(?:, 0s)*$/.test(style.transitionDuration))
      add(transitions, `${style.transitionDuration}|${style.transitionTimingFunction}`.slice(0, 200));
    if (style.maxWidth.endsWith('px') && box.width >= innerWidth / 3) add(widths, style.maxWidth, box.height);
    if (style.display.includes('grid'))
      add(columns, style.gridTemplateColumns.split(' ').length, box.width * box.height);
    if (localName === 'svg' && box.width <= 48 && box.height <= 48) visitIcon(element, style);
  }

  function visitIcon(element: PageElement, style: PageStyle): void {
    const drawn = element.querySelector('path, circle, rect, line, polyline, polygon');
    const { fill, stroke } = drawn === null ? style : getComputedStyle(drawn);
    const isOutlined = fill === 'none' && stroke !== 'none';
    if (isOutlined) icons.outlined++;
    else icons.filled++;
    const color = isOutlined ? stroke : fill;
    if (color !== 'none' && !color.startsWith('url(')) add(iconColors, color);
  }

  function most<Key>(counts: Map<Key, number>): Key | null {
    let best: Key | null = null;
    for (const [key, count] of counts) if (best === null || count > (counts.get(best) ?? 0)) best = key;
    return best;
  }

  function listed<Key>(counts: Map<Key, number>): [Key, number][] {
    return [...counts].sort(([, a], [, b]) => b - a).slice(0, 50);
  }

  /** The height of the first shown element that matches, if it is no more than half a screen. */
  function heightOf(selector: string): number | null {
    for (const element of document.querySelectorAll(selector)) {
      const { height } = element.getBoundingClientRect();
      if (height > 0 && height < innerHeight && element.checkVisibility()) return Math.round(height);
    }
    return null;
  }

  function backgroundOf(selector: string): string | null {
    const element = document.querySelector(selector);
    if (element === null || !element.checkVisibility()) return null;
    const { backgroundColor } = getComputedStyle(element);
    return isPainted(backgroundColor) ? backgroundColor : null;
  }

  // What is behind everything is the background of the root, else of the body (CSS Backgrounds 3, section 2.11.2).
  const [canvas = 'rgb(255, 255, 255)'] = [root, body]
    .map((element) => (element === null ? 'transparent' : getComputedStyle(element).backgroundColor))
    .filter(isPainted);
  const page = { color: canvas, pixels: 0, covered: 0 };
  painted.set(root, page);
  let visited = 0;
  for (const element of document.querySelectorAll('*')) {
    if (visited++ >= MAX_ELEMENTS || performance.now() - start > MAX_MS) break;
    visit(element);
  }
  page.pixels = innerWidth * bottom;
  for (const { color, pixels, covered } of painted.values()) {
    if (color !== '' && pixels > covered) add(areas, color, Math.round(pixels - covered));
  }

  return {
    canvas,
    areas: listed(areas),
    gradients: listed(gradients).slice(0, 10),
    header: backgroundOf('header, [role="banner"]') ?? backgroundOf('nav, [role="navigation"]'),
    texts: [...texts.values()].sort((a, b) => b.characters - a.characters).slice(0, 50),
    ...facts,
    spaces: listed(spaces),
    radii: listed(radii),
    transitions: listed(transitions),
    icons: { ...icons, colors: listed(iconColors) },
    layout: {
      headerHeight: heightOf('header, [role="banner"], nav, [role="navigation"]'),
      footerHeight: heightOf('footer, [role="contentinfo"]'),
      maxWidth: most(widths),
      columns: most(columns),
    },
  };
}
