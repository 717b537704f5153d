import { type Block, isInline, isShown } from './blocks.ts';

/** Shorter runs are labels. In characters. */
const MIN_RUN = 60;
/** Less loose text is a note before or after the blocks. */
const MIN_RUNS = 3;

/**
 * The likelihoods, with those of loose text raised to that of the blocks around it. Old pages have paragraphs without
 * an element of their own, between headings and lists. All of them in an element count as one line, which is unlike any
 * other. Without this, a manual page by man2html lost a third of its text.
 */
export function withLooseText(lines: readonly Block[], likelihoods: readonly number[]): readonly number[] {
  if (!lines.some(isLooseText)) return likelihoods;
  const words = new Float64Array(lines.length + 1);
  const content = new Float64Array(lines.length + 1);
  for (const [index, line] of lines.entries()) {
    words[index + 1] = (words[index] ?? 0) + line.words;
    content[index + 1] = (content[index] ?? 0) + line.words * (likelihoods[index] ?? 0);
  }
  return lines.map((line, index) => {
    const likelihood = likelihoods[index] ?? 0;
    if (likelihood === 0 || !isLooseText(line)) return likelihood;
    const end = index + line.lines;
    const within = (sums: Float64Array) => (sums[end] ?? 0) - (sums[index + 1] ?? 0);
    return Math.max(likelihood, within(content) / Math.max(1, within(words)));
  });
}

function isLooseText({ isProse, lines, element }: Block): boolean {
  if (!isProse || lines <= MIN_RUNS) return false;
  let runs = 0;
  let run = 0;
  for (const child of element.children) {
    const before = run;
    if (child.kind === 'text') run += child.text.trim().length;
    else if (isInline(child)) run += isShown(child) ? child.textLength : 0;
    else if (child.name !== 'br') run = 0;
    if (before < MIN_RUN && run >= MIN_RUN) runs++;
  }
  return runs >= MIN_RUNS;
}
