import { HIDING_STYLE } from '../tree/hiding.ts';
import type { ElementNode, TextNode } from '../tree.ts';
import { texOfMathMl } from './mathml.ts';
import type { Renderer } from './renderer.ts';
import { bracketedTex, cleanTex, lineOfTex, linesOfTex } from './tex.ts';

/** Classes of elements with TeX between dollar signs or in the description of an image. */
const MATH_CLASS = /(?:^|[\s_-])(?:math|tex|latex|katex|mathjax|mwe-math)(?:$|[\s_-])/i;
const DISPLAY_CLASS = /katex-display|mathjax_display|mjx-display|math-display|\bmath\s+display\b/i;
/** Doxygen's images of formulas. Their descriptions include the TeX delimiters. */
const DOXYGEN = /(?:^|\s)formula(Inl|Dsp)(?:\s|$)/;
/** Text between dollar signs without any of these is a price or the rating of a restaurant. */
const TEX_SIGN = /[\\^_={}]/;
/** How many levels above the formula its box may be. */
const MAX_BOXES = 4;
const MAX_TEX = 20_000;

/** Writes `<math>` as the TeX it was made from, if the page has it, or else converts it to TeX. */
export function renderMath(element: ElementNode, page: Renderer): void {
  const tex = sourceOf(element) ?? texOfMathMl(element);
  writeFormula(tex, isDisplay(element), page);
}

/** MathJax 2 keeps the source in scripts: `<script type="math/tex; mode=display">`. */
export function renderMathScript({ attributes, children }: ElementNode, page: Renderer): void {
  const type = attributes.type?.toLowerCase() ?? '';
  const source = children[0];
  if (!type.startsWith('math/tex') || source?.kind !== 'text') return;
  writeFormula(source.text, type.includes('display'), page);
}

/**
 * The elements that MathJax 2 shows: a preview and the rendered formula. The script after them has the TeX of the same
 * formula. Each parent is searched only once, so that thousands of formulas in one paragraph take linear time.
 */
export class DrawnFormulas {
  readonly #parents = new Set<ElementNode>();
  readonly #drawn = new Set<ElementNode>();

  has(element: ElementNode): boolean {
    const { parent } = element;
    if (parent === null || element.attributes.class?.startsWith('MathJax') !== true) return false;
    if (!this.#parents.has(parent)) this.#lookThrough(parent);
    return this.#drawn.has(element);
  }

  #lookThrough(parent: ElementNode): void {
    this.#parents.add(parent);
    let pending: ElementNode[] = [];
    for (const child of parent.children) {
      if (child.kind === 'text') {
        if (child.text.trim() !== '') pending = [];
      } else if (child.name === 'script' && child.attributes.type?.toLowerCase().startsWith('math/tex')) {
        for (const element of pending) this.#drawn.add(element);
        pending = [];
      } else if (child.attributes.class?.startsWith('MathJax')) {
        pending.push(child);
      } else {
        pending = [];
      }
    }
  }
}

/** Writes the image of a formula that is hidden only from screen readers, because hidden MathML is beside it. */
export function renderHiddenImage(image: ElementNode, page: Renderer): void {
  const { style } = image.attributes;
  if (style === undefined || !HIDING_STYLE.test(style)) renderFormulaImage(image, page);
}

/** Writes the image of a formula as the TeX in its description. @returns false for other images */
export function renderFormulaImage({ attributes }: ElementNode, page: Renderer): boolean {
  const { alt, class: names = '' } = attributes;
  if (!alt || alt.length > MAX_TEX) return false;
  const isTex = alt.includes('\\displaystyle') || (MATH_CLASS.test(names) && TEX_SIGN.test(alt));
  const doxygen = DOXYGEN.exec(names)?.[1];
  if (!isTex && doxygen === undefined) return false;
  writeFormula(doxygen === undefined ? alt : withoutDelimiters(alt.trim()), doxygen === 'Dsp', page);
  return true;
}

function withoutDelimiters(tex: string): string {
  const found = [...DELIMITERS, DOLLAR].find(({ open, close }) => tex.startsWith(open) && tex.endsWith(close));
  return found === undefined ? tex : tex.slice(found.open.length, -found.close.length);
}

/**
 * Writes text with its formulas, which must not be escaped. They are between `\(` and `\)`, `\[` and `\]`, or `$$` and `$$`.
 * Single dollar signs count in mathematical elements, and elsewhere only if no price or shell variable looks like that.
 */
export function renderText({ text, parent }: TextNode, page: Renderer): void {
  if (!text.includes('$') && !text.includes('\\')) {
    page.out.text(text);
    return;
  }
  const dollars = parent?.attributes.class !== undefined && MATH_CLASS.test(parent.attributes.class);
  let done = 0;
  for (const { start, end, tex, display } of formulas(text, dollars)) {
    page.out.text(text.slice(done, start));
    writeFormula(tex, display, page);
    done = end;
  }
  page.out.text(text.slice(done));
}

interface Formula {
  start: number;
  end: number;
  tex: string;
  display: boolean;
}

const DELIMITERS: { open: string; close: string; display: boolean }[] = [
  { open: '$$', close: '$$', display: true },
  { open: '\\[', close: '\\]', display: true },
  { open: '\\(', close: '\\)', display: false },
];
const DOLLAR = { open: '$', close: '$', display: false };
/** A formula between single dollars in ordinary text: short, without spaces at its ends, and without a tag. */
const TIGHT_TEX = /^(?=[^\s$])(?!.*<[A-Za-z/!?])[^\n]{1,300}(?<=\S)$/;
const TEX_COMMAND = /\\[A-Za-z{},;!]|[\^_]/;

function* formulas(text: string, dollars: boolean): Generator<Formula> {
  const delimiters = [...DELIMITERS, DOLLAR];
  const missing = new Set<string>();
  const opening = /[$\\]/g;
  for (let match = opening.exec(text); match !== null; match = opening.exec(text)) {
    const start = match.index;
    const found = delimiters.find(({ open }) => text.startsWith(open, start));
    // The character after a backslash is not a delimiter.
    if (found === undefined) opening.lastIndex = start + 2;
    if (found === undefined || missing.has(found.close)) continue;
    const { open, close, display } = found;
    const stop = endOf(text, start + open.length, close);
    if (stop < 0) {
      // Each delimiter is searched for up to the end only once, so that the time stays linear.
      missing.add(close);
      continue;
    }
    const tex = text.slice(start + open.length, stop);
    const end = stop + close.length;
    opening.lastIndex = end;
    const money = open.startsWith('$') && !TEX_SIGN.test(tex);
    if (found === DOLLAR && !dollars && !isTightTex(tex, text.charAt(end))) {
      opening.lastIndex = stop;
      continue;
    }
    if (!money && tex.length <= MAX_TEX) yield { start, end, tex, display };
  }
}

/** The index of the next closing delimiter, or -1. Control sequences are skipped, so `\\)` and `\$` end nothing. */
function endOf(text: string, from: number, close: string): number {
  const tokens = /\\[\s\S]|\$\$?/g;
  tokens.lastIndex = from;
  for (let match = tokens.exec(text); match !== null; match = tokens.exec(text)) {
    if (match[0] === close || (close === '$' && match[0] === '$$')) return match.index;
  }
  return -1;
}

/** Pandoc's rule, no space inside the dollars and no digit after them; and with a command, an index or a power. */
function isTightTex(tex: string, after: string): boolean {
  return !/\d/.test(after) && TIGHT_TEX.test(tex) && TEX_COMMAND.test(tex);
}

/** The TeX that a formula was made from, in an annotation or in LaTeXML's `alttext`. */
function sourceOf(math: ElementNode): string | null {
  return annotationIn(math) ?? math.attributes.alttext ?? null;
}

function annotationIn(element: ElementNode): string | null {
  for (const child of element.children) {
    if (child.kind === 'text') continue;
    const isTex = child.name === 'annotation' && /tex/i.test(child.attributes.encoding ?? '');
    const tex = isTex ? rawText(child) : annotationIn(child);
    if (tex !== null) return tex;
  }
  return null;
}

/** The text with its line breaks. */
function rawText(annotation: ElementNode): string {
  return annotation.children.map((child) => (child.kind === 'text' ? child.text : '')).join('');
}

function isDisplay(math: ElementNode): boolean {
  if (math.attributes.display === 'block' || math.attributes.mode === 'display') return true;
  let box = math.parent;
  for (let level = 0; box !== null && level < MAX_BOXES; level++, box = box.parent) {
    if (DISPLAY_CLASS.test(box.attributes.class ?? '')) return true;
    if (box.name === 'mjx-container' && box.attributes.display === 'true') return true;
  }
  return false;
}

/** GitHub's notation: `$…$` within a line, and `$$` on lines of their own around a display formula. */
export function writeFormula(source: string, display: boolean, page: Renderer): void {
  const { out } = page;
  const tex = cleanTex(source);
  if (tex === '') return;
  if (display && out.flow === 'block' && !out.inLink) {
    out.block();
    out.lines(['$$', ...linesOfTex(tex), '$$']);
    out.block();
    return;
  }
  // At the start of a line, two dollar signs could open a block that never ends.
  const fence = display && out.flow !== 'block' ? '$$' : '$';
  const line = lineOfTex(tex, out.isCell);
  out.formula(`${fence}${out.inLink ? bracketedTex(line) : line}${fence}`);
}
