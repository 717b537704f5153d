/** The value below which the given share (0 to 1) of the samples lies: nearest rank. */
export function quantile(samples: readonly number[], share: number): number {
  const sorted = samples.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

export interface Trend {
  /** Growth of y per unit of x. */
  slope: number;
  /** Standard error of the slope: a slope below twice this cannot be distinguished from none. */
  error: number;
}

/** Least squares over points [x, y]. */
export function trend(points: readonly (readonly [number, number])[]): Trend {
  const n = points.length;
  const meanX = points.reduce((sum, [x]) => sum + x, 0) / n;
  const meanY = points.reduce((sum, [, y]) => sum + y, 0) / n;
  const spread = points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
  const slope = points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0) / spread;
  const residue = points.reduce((sum, [x, y]) => sum + (y - meanY - slope * (x - meanX)) ** 2, 0);
  return { slope, error: Math.sqrt(residue / (n - 2) / spread) };
}
