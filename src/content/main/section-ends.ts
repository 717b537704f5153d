import type { Block } from './blocks.ts';

/** For each heading the index of the next one of its level or above; for other lines, and the last headings, the number of lines. */
export function sectionEnds(lines: readonly Block[]): Uint32Array {
  const ends = new Uint32Array(lines.length);
  const next = new Uint32Array(10).fill(lines.length);
  for (let index = lines.length - 1; index >= 0; index--) {
    const line = lines[index];
    const level = line?.isHeading ? Number(line.element.name[1]) : 0;
    ends[index] = level === 0 ? lines.length : (next[level] ?? 0);
    if (level > 0) next.fill(index, level);
  }
  return ends;
}
