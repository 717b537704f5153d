import { holdsAddress, MAX_ADDRESS_START } from './escape.ts';

/** Of a longer word only the end is looked at again. */
const MAX_WORD = 2_000;

/** The last word on a line: an address in it goes on up to the next space or tag. */
export class LastWord {
  /** What was written since the last space, and perhaps before it. */
  #text = '';
  /** An address was in what the text has lost. */
  #hadAddress = false;

  get hasAddress(): boolean {
    const space = this.#text.lastIndexOf(' ');
    return (space < 0 && this.#hadAddress) || holdsAddress(this.#text, space + 1);
  }

  add(markdown: string): void {
    this.#text = markdown.includes(' ') ? markdown : this.#text + markdown;
    if (this.#text.length <= MAX_WORD) return;
    this.#hadAddress = this.hasAddress;
    this.#text = this.#text.slice(-MAX_ADDRESS_START);
  }

  forget(): void {
    this.#text = '';
    this.#hadAddress = false;
  }
}
