import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  allPieces,
  CONSTRUCTS,
  type Construct,
  hostileText,
  randomElements,
  randomPieces,
} from '../../../test/support/hostile-text.ts';
import { markdownOf } from '../../../test/support/markdown-cases.ts';
import { Random } from '../../../test/support/random.ts';
import { type MarkdownReader, READERS, type ReadBack, readBack } from '../../../test/support/read-markdown.ts';

/** TRAWL_TEST_FULL=1 takes ten minutes instead of a few seconds. TRAWL_TEST_SEED chooses other texts. */
const FULL = process.env.TRAWL_TEST_FULL === '1';
const TEXTS = FULL ? 5_000 : 600;
/** The texts are split into this many tests, because one test may take five minutes. */
const PARTS = FULL ? 20 : 1;
/** Of all single pieces in all constructs, one in this many is tested. */
const ONE_IN = FULL ? 1 : 37;
const SEED = Number(process.env.TRAWL_TEST_SEED ?? 1);
const MAX_SHOWN = 5;

interface Case {
  name: string;
  construct: Construct;
  pieces: readonly string[];
  elements: readonly (string | null)[];
}

function* randomCases(part: number): Generator<Case> {
  for (let index = part * TEXTS; index < (part + 1) * TEXTS; index++) {
    const random = new Random(SEED * 1_000_003 + index);
    const construct = random.pick(CONSTRUCTS);
    const pieces = randomPieces(random);
    const elements = randomElements(pieces.length, random);
    yield { name: `seed ${SEED}, text ${index}`, construct, pieces, elements };
  }
}

function* singlePieces(): Generator<Case> {
  let index = 0;
  for (const construct of CONSTRUCTS) {
    for (const pieces of allPieces()) {
      if (index++ % ONE_IN === 0) yield { name: 'a single piece', construct, pieces, elements: [] };
    }
  }
}

describe('no text of a page becomes markup', () => {
  for (let part = 0; part < PARTS; part++) {
    it(`${TEXTS} random texts from ${part * TEXTS} on`, () => assert.equal(failuresIn(randomCases(part)), ''));
  }
  it('each piece alone', () => assert.equal(failuresIn(singlePieces()), ''));
});

/** What went wrong in the first few cases, and how many cases failed. */
function failuresIn(cases: Iterable<Case>): string {
  const failures: string[] = [];
  let failed = 0;
  let all = 0;
  for (const each of cases) {
    all++;
    const failure = failureOf(each);
    if (failure === null) continue;
    failed++;
    if (failures.length < MAX_SHOWN) failures.push(failure);
  }
  return failed === 0 ? '' : `${failed} of ${all}:\n${failures.join('\n')}`;
}

function failureOf({ name, construct, pieces, elements }: Case): string | null {
  const html = construct.html(hostileText(pieces, elements));
  const markdown = markdownOf(html);
  const isText = construct.isText === true && elements.every((element) => element === null || element === 'span');
  const expected = harmlessOf(construct, elements);
  for (const reader of READERS) {
    // Without a formula it reads the same as its counterpart without maths support.
    if (reader.hasMath && !markdown.includes('$')) continue;
    const read = readBack(reader.html(markdown));
    const problem =
      markupIn(read, markdown, expected, construct, reader) ?? (isText ? otherText(read, html, reader) : null);
    if (problem !== null) {
      return `${name}, ${construct.name}, read by ${reader.name}: ${problem}\n  ${JSON.stringify(html)}\n  ${JSON.stringify(markdown)}`;
    }
  }
  return null;
}

/** The same page with harmless text, and how each renderer reads it. */
interface Harmless {
  markdown: string;
  reads: ReadonlyMap<MarkdownReader, ReadBack>;
}

const harmlessPages = new Map<string, Harmless>();

function harmlessOf(construct: Construct, elements: readonly (string | null)[]): Harmless {
  const hasElements = elements.some((element) => element !== null);
  const pieces = hasElements ? elements.map(() => 'a word ') : ['a word'];
  const html = construct.html(hostileText(pieces, elements));
  const known = harmlessPages.get(html);
  if (known !== undefined) return known;
  const markdown = markdownOf(html);
  const page = { markdown, reads: new Map(READERS.map((reader) => [reader, readBack(reader.html(markdown))])) };
  if (!hasElements) harmlessPages.set(html, page);
  return page;
}

/** Elements that break lines and paragraphs. Their number depends on the text, so they are not counted as markup. */
const LAYOUT = new Set(['p', 'br', 'div', 'span', 'sub', 'sup']);
/** Asterisks and underscores in formulas and addresses stay as they are, so they may become emphasis. */
const EMPHASIS = new Set(['em', 'strong', 'del', 's']);
const MAY_EMPHASISE = /\$|https?:|www\./;

function markupIn(
  read: ReadBack,
  markdown: string,
  harmless: Harmless,
  { isAddress, mayRepeat }: Construct,
  reader: MarkdownReader,
): string | null {
  // A formula can reach from one price to the next, and include everything between them.
  const expected = [reader, READERS[0]].flatMap((each) => harmless.reads.get(each) ?? []);
  for (const [name, count] of read.names) {
    if (LAYOUT.has(name) || mayRepeat?.includes(name)) continue;
    // Markers of the page's own emphasis may pair up differently.
    if (EMPHASIS.has(name) && (MAY_EMPHASISE.test(markdown) || /[*~]/.test(harmless.markdown))) continue;
    if (expected.every(({ names }) => count > (names.get(name) ?? 0))) return `<${name}>`;
  }
  const known = new Set(expected.flatMap(({ addresses }) => addresses));
  return read.addresses.find((address) => !(isAddress === true ? isHarmless(address) : known.has(address))) ?? null;
}

/** Renderers without footnotes read them as link definitions, so any text may be an address there. */
function isHarmless(address: string): boolean {
  return !/^(?:javascript|vbscript|data(?!:image\/)):/i.test(address);
}

/** @returns the text that was read, if it differs from the page's in more than white space and invisible characters */
function otherText({ text }: ReadBack, html: string, reader: MarkdownReader): string | null {
  if (/\$|\\[([]|https?:|www\./.test(html) || reader.hasMath || !reader.hasTables) return null;
  const [read, expected] = [text, readBack(html).text].map((each) => each.replace(/[\s\p{Cc}\p{Cf}]/gu, ''));
  return read === expected ? null : `${read} instead of ${expected}`;
}
