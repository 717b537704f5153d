import type { Block } from './blocks.ts';
import { FNV_BASIS, hashOf, mix } from './fnv.ts';

/** Only the words of labels, buttons and headings are worth knowing. */
const MAX_WORDS = 8;

/** One Chinese, Japanese or Korean character says as much as 2.5 Latin ones: half a word. */
const DENSE_SIZE = 1.5;
const DENSE_WORDS = 0.5;

/**
 * The length of a line is evidence too. Without it, its effect would be attributed to the words: log-loss 0.46 instead
 * of 0.40.
 */
const COUNT_HASHES = Array.from({ length: MAX_WORDS + 1 }, (_, count) => hashOf(`#${count}`));

const COMMA = 0x2c;
const DIGIT = 0x30;

/** The state of the line around a block while that block is read. */
interface OpenLine {
  wordHashes: number[];
  wordCount: number;
}

/** Reads the text of lines, character by character. */
export class LineReader {
  #line: OpenLine = { wordHashes: [], wordCount: 0 };
  /** Of the open word; 0 when none is open. */
  #word = 0;

  /** Starts a new line. Returns the state to pass to `finish`. */
  start(): OpenLine {
    this.endWord();
    const outer = this.#line;
    this.#line = { wordHashes: [], wordCount: 0 };
    return outer;
  }

  finish(block: Block, outer: OpenLine): void {
    this.endWord();
    const { wordHashes, wordCount } = this.#line;
    if (wordCount <= MAX_WORDS && block.size > 0) {
      let phrase = FNV_BASIS;
      for (const hash of wordHashes) phrase = mix(phrase, hash);
      block.wordHashes = [...wordHashes, phrase, COUNT_HASHES[wordCount] ?? 0];
    }
    this.#line = outer;
  }

  endWord(): void {
    if (this.#word !== 0) this.#addWord(this.#word);
    this.#word = 0;
  }

  read(block: Block, text: string, inLink: boolean): void {
    // Kept in variables and written back once: each of these is touched at every character.
    let { hash, lastCode } = block;
    let word = this.#word;
    let size = 0;
    let pendingSpace = 0;
    let words = 0;
    let digits = 0;
    let capitals = 0;
    for (let index = 0; index < text.length; index++) {
      const code = text.charCodeAt(index);
      if (code <= 32 || code === 0xa0) {
        if (size > 0) pendingSpace = 1;
        if (word !== 0) this.#addWord(word);
        word = 0;
        continue;
      }
      size += 1 + pendingSpace;
      pendingSpace = 0;
      if (lastCode === 0) block.firstCode = code;
      lastCode = code;
      hash = mix(hash, code);
      if (isDense(code)) {
        size += DENSE_SIZE;
        words += DENSE_WORDS;
        if (code === 0x3001) block.commas++;
        continue;
      }
      const letter = letterOf(code);
      if (letter === 0) {
        if (word !== 0) this.#addWord(word);
        word = 0;
        if (code === COMMA) block.commas++;
        else if (isCurrency(code)) block.currencies++;
        continue;
      }
      if (letter === DIGIT) digits++;
      else if (code >= 65 && code <= 90) capitals++;
      if (word === 0) {
        words++;
        word = FNV_BASIS;
      }
      // All numbers count as the same word.
      if (letter !== DIGIT || word !== ANY_NUMBER) word = mix(word, letter);
    }
    this.#word = word;
    block.hash = hash;
    block.lastCode = lastCode;
    block.words += words;
    block.digits += digits;
    block.capitals += capitals;
    block.size += size;
    if (inLink) block.linkSize += size;
  }

  #addWord(word: number): void {
    const line = this.#line;
    line.wordCount++;
    if (line.wordCount <= MAX_WORDS) line.wordHashes.push(word);
  }
}

const ANY_NUMBER = mix(FNV_BASIS, DIGIT);

/** Lower case for upper case, one digit for all digits, 0 for characters that are not part of a word. */
function letterOf(code: number): number {
  if (code >= 97 && code <= 122) return code;
  if (code >= 65 && code <= 90) return code + 32;
  if (code >= 48 && code <= 57) return DIGIT;
  if (code < 0xc0) return 0;
  if (code <= 0xde || (code >= 0x410 && code <= 0x42f)) return code + 32;
  return code >= 0x2000 && code <= 0x2bff ? 0 : code;
}

function isDense(code: number): boolean {
  return code >= 0x2e80 && code < 0xd7b0;
}

function isCurrency(code: number): boolean {
  return code === 0x24 || code === 0xa3 || code === 0xa5 || (code >= 0x20a0 && code <= 0x20cf);
}
