import type { StyleFacts } from './in-page/facts.ts';
import type { Typography } from './types.ts';

const MAX_FONTS = 10;

/** The first family of a stack, without its quotes. */
function familyOf(stack: string): string {
  return (stack.split(',', 1)[0] ?? '').trim().replace(/^["']|["']$/g, '');
}

/** The families that the page uses, the one of most text first. */
export function readFonts({ texts, headings, buttons, code }: StyleFacts): { family: string }[] {
  const uses = [...texts, ...headings, ...buttons, ...code].map(({ font }) => familyOf(font));
  return [...new Set(uses)]
    .filter((family) => family !== '')
    .slice(0, MAX_FONTS)
    .map((family) => ({ family }));
}

/** Families, sizes, weights and line heights of text and headings. */
export function readTypography({ texts, headings, code }: StyleFacts): Typography {
  const [body] = texts;
  const found = (tag: string) => headings.find((heading) => heading.tag === tag);
  const heading = found('h1') ?? found('h2') ?? found('h3');
  return {
    fontFamilies: {
      ...(body && { primary: familyOf(body.font) }),
      ...(heading && { heading: familyOf(heading.font) }),
      ...(code[0] && { code: familyOf(code[0].font) }),
    },
    fontSizes: {
      ...sizeOf('h1', found('h1')),
      ...sizeOf('h2', found('h2')),
      ...sizeOf('h3', found('h3')),
      ...sizeOf('body', body),
    },
    fontWeights: readWeights([...texts, ...headings]),
    lineHeights: {
      ...(heading && { heading: lineHeightOf(heading) }),
      ...(body && { body: lineHeightOf(body) }),
    },
  };
}

function sizeOf<Name extends string>(name: Name, look: { size: string } | undefined): { [N in Name]?: string } {
  const size: { [N in Name]?: string } = {};
  if (look !== undefined) size[name] = look.size;
  return size;
}

function readWeights(looks: readonly { weight: string }[]): Typography['fontWeights'] {
  const weights = looks.map(({ weight }) => Number.parseInt(weight, 10));
  const light = weights.find((weight) => weight < 400);
  const regular = weights.find((weight) => weight === 400);
  const medium = weights.find((weight) => weight === 500);
  const bold = weights.find((weight) => weight >= 600);
  return {
    ...(light !== undefined && { light }),
    ...(regular !== undefined && { regular }),
    ...(medium !== undefined && { medium }),
    ...(bold !== undefined && { bold }),
  };
}

/** As a multiple of the size, the way that designers write it. */
function lineHeightOf({ lineHeight, size }: { lineHeight: string; size: string }): string {
  if (!lineHeight.endsWith('px')) return lineHeight;
  return String(Math.round((100 * Number.parseFloat(lineHeight)) / Number.parseFloat(size)) / 100);
}
