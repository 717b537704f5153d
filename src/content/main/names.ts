import type { ElementNode } from '../tree.ts';
import { isHead } from './boilerplate.ts';
import { FNV_BASIS, hashOf, mix } from './fnv.ts';
import type { LevelWeights, NameWeights } from './model.ts';
import { partsOf } from './vocabulary.ts';

/** The known facts about a name. */
export interface NameEvidence extends LevelWeights {
  /** Bits of `Part` that it names. */
  readonly parts: number;
  readonly hashes: readonly number[];
  /** The number of blocks being read that have it. */
  open: number;
}

/** A longer name is generated, or the id of a heading. */
const MAX_NAME = 40;
const MIN_WORD = 2;

/** Reads the names on the elements of one page. A page has few names on many elements, so each is read once. */
export class NamesReader {
  readonly #weights: NameWeights;
  readonly #tags = new Map<string, NameEvidence>();
  readonly #names = new Map<string, NameEvidence>();
  readonly #roles = new Map<string, NameEvidence>();

  constructor(weights: NameWeights) {
    this.#weights = weights;
  }

  /**
   * Reads tag, class, id, role and item property separately. Their evidence adds up. The id of a heading or a term repeats its
   * text: `sharing-selections` is no share bar.
   */
  read(element: ElementNode): NameEvidence[] {
    const { name, attributes } = element;
    const { class: classes, id, role, itemprop } = attributes;
    const found = [this.#ofTag(name)];
    if (classes !== undefined) found.push(this.#ofNames(classes));
    if (id !== undefined && !isHead(element)) found.push(this.#ofNames(id));
    if (role !== undefined) found.push(this.#ofRole(role));
    if (itemprop !== undefined) found.push(this.#ofProperty(itemprop));
    return found;
  }

  #ofTag(name: string): NameEvidence {
    return this.#tags.get(name) ?? this.#learn(this.#tags, name, [hashOf(`<${name.slice(0, MAX_NAME)}`)], 0);
  }

  #ofRole(role: string): NameEvidence {
    return this.#roles.get(role) ?? this.#learn(this.#roles, role, [hashOf(`=${role.slice(0, MAX_NAME)}`)], 0);
  }

  #ofProperty(property: string): NameEvidence {
    const key = `@${property.slice(0, MAX_NAME)}`;
    return this.#roles.get(key) ?? this.#learn(this.#roles, key, [hashOf(key)], 0);
  }

  #ofNames(names: string): NameEvidence {
    return this.#names.get(names) ?? this.#learn(this.#names, names, hashesOfNames(names), partsOf(names));
  }

  #learn(known: Map<string, NameEvidence>, key: string, hashes: readonly number[], parts: number): NameEvidence {
    const evidence = { parts, hashes, open: 0, ...this.#weights.sum(hashes) };
    known.set(key, evidence);
    return evidence;
  }
}

/**
 * The words of a class or id attribute, and each pair of adjacent words in a name. Utility classes with a condition or
 * a value (`md:order-first`, `w-[300px]`) say nothing about content.
 */
function hashesOfNames(value: string): number[] {
  const hashes: number[] = [];
  let start = 0;
  for (let index = 0; index <= value.length; index++) {
    if (index < value.length && value.charCodeAt(index) > 32) continue;
    if (index - start > 1 && index - start <= MAX_NAME) addWords(value, start, index, hashes);
    start = index + 1;
  }
  return hashes;
}

function addWords(value: string, start: number, end: number, hashes: number[]): void {
  const before = hashes.length;
  let hash = FNV_BASIS;
  let joint = 0;
  let letters = 0;
  let wasSmall = false;
  for (let index = start; index <= end; index++) {
    let code = index < end ? value.charCodeAt(index) : 0;
    if (code === 58 || code === 91 || code === 47) {
      hashes.length = before;
      return;
    }
    const isCapital = code >= 65 && code <= 90;
    if (isCapital) code += 32;
    const isLetter = code >= 97 && code <= 122;
    if (!isLetter || (isCapital && wasSmall)) {
      if (letters >= MIN_WORD) {
        hashes.push(hash);
        if (joint !== 0) hashes.push(joint);
        joint = mix(hash, 95);
      } else if (letters > 0) joint = 0;
      hash = FNV_BASIS;
      letters = 0;
    }
    if (isLetter) {
      hash = mix(hash, code);
      if (joint !== 0) joint = mix(joint, code);
      letters++;
    }
    wasSmall = isLetter && !isCapital;
  }
}
