import type { ElementNode } from '../tree.ts';
import { type Block, isInline, isShown } from './blocks.ts';

/** Fewer are ordinary links in a text. */
const MIN_LINES = 4;
/** Share of a line. The rest are numbers. */
const MIN_LINKS = 0.6;

/**
 * Keeps or drops each table of contents as a whole, depending on whether most of its text was kept. Such a list is
 * nested, so the lines of each chapter are judged separately, and half a table of contents is worse than none.
 *
 * @param likelihoods of the lines; 0 for those that are never content
 * @param url the address of the page
 */
export function settleContentsLists(lines: readonly Block[], likelihoods: readonly number[], url: string): void {
  const ownFile = fileOf(url);
  const run: Block[] = [];
  const endRun = () => {
    if (run.length >= MIN_LINES) settle(run);
    run.length = 0;
  };
  for (const [index, line] of lines.entries()) {
    if (likelihoods[index] !== 0 && leadsIntoPage(line, ownFile)) run.push(line);
    else endRun();
  }
  endRun();
}

function settle(run: readonly Block[]): void {
  let size = 0;
  let kept = 0;
  for (const line of run) {
    size += line.size;
    if (line.isKept) kept += line.size;
  }
  if (kept === 0) return;
  for (const line of run) line.isKept = 2 * kept > size;
}

function leadsIntoPage(line: Block, ownFile: string): boolean {
  if (line.links === 0 || line.isHeading || line.linkSize < MIN_LINKS * line.size) return false;
  const [file = '', fragment] = firstAddress(line.element)?.split('#', 2) ?? [];
  return fragment !== undefined && fragment !== '' && (file === '' || fileOf(file) === ownFile);
}

/** The target of the first link in the element's own line. */
function firstAddress({ children }: ElementNode): string | undefined {
  for (const child of children) {
    if (child.kind === 'text' || !isShown(child) || !isInline(child)) continue;
    const address = child.name === 'a' ? child.attributes.href : undefined;
    const found = address ?? firstAddress(child);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The last part of an address. */
function fileOf(address: string): string {
  const path = address.split(/[?#]/, 1)[0] ?? '';
  return path.slice(path.lastIndexOf('/') + 1);
}
