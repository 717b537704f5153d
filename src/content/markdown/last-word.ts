import { holdsAddress, MAX_ADDRESS_START } from './escape.ts';

/** Only the end of a longer word is kept. In characters. */
const MAX_WORD = 2_000;

/** The last word on a line. An address in it continues up to the next space or tag. */
export class LastWord {
  /** The text written since the last space, and perhaps some before it. */
  #text = '';
  /** The part of the word that was dropped had an address in it. */
  #hadAddress = false;
  /** The word begins with a link, whose address is text to a renderer that reads the brackets as something else. */
  #isLinked = false;

  get hasAddress(): boolean {
    const space = this.#text.lastIndexOf(' ');
    return (space < 0 && this.#hadAddress) || holdsAddress(this.#text, space + 1);
  }

  /** The same for links: a dollar sign or a bracket in the text of a link can leave its address bare. */
  get mayHaveAddress(): boolean {
    return this.hasAddress || this.#isLinked;
  }

  add(markdown: string): void {
    const isNew = markdown.includes(' ');
    this.#text = isNew ? markdown : this.#text + markdown;
    if (isNew) this.#isLinked = false;
    if (this.#text.length <= MAX_WORD) return;
    this.#hadAddress = this.hasAddress;
    this.#text = this.#text.slice(-MAX_ADDRESS_START);
  }

  forget(): void {
    this.#text = '';
    this.#hadAddress = false;
    this.#isLinked = false;
  }

  endLink(): void {
    this.forget();
    this.#isLinked = true;
  }
}
