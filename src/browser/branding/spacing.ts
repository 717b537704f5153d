import type { ButtonLooks } from './buttons.ts';
import type { StyleFacts } from './in-page/facts.ts';
import type { Spacing } from './types.ts';

/** Units of design systems, the largest first. */
const UNITS = [10, 8, 6, 5, 4];
/** The share of the distances that has to be a multiple of the unit. */
const MIN_SHARE = 0.7;

/** Distances and corners. */
export function readSpacing(styles: StyleFacts, { primary }: ButtonLooks): Spacing {
  const baseUnit = readBaseUnit(styles.spaces);
  const [input] = styles.inputs;
  return {
    ...(baseUnit !== undefined && { baseUnit }),
    borderRadius: primary?.radius ?? input?.radius ?? styles.radii[0]?.[0] ?? '0px',
    padding: { ...(primary && { button: primary.padding }), ...(input && { input: input.padding }) },
  };
}

function readBaseUnit(spaces: StyleFacts['spaces']): number | undefined {
  const total = spaces.reduce((sum, [, times]) => sum + times, 0);
  if (total === 0) return undefined;
  return UNITS.find((unit) => {
    const fitting = spaces.reduce((sum, [pixels, times]) => sum + (pixels % unit === 0 ? times : 0), 0);
    return fitting >= MIN_SHARE * total;
  });
}
