import type { ElementNode, PageTree } from '../tree.ts';
import { isDense, languageOf } from './text-language.ts';

/** Enough to be certain of every supported language. More costs time and changes no answer. */
const MAX_SAMPLE = 2_000;
/** Shorter text is a label, a name or a number. Scripts that write a word in two characters need less. */
const MIN_RUN = 30;
const MIN_DENSE_RUN = 10;
/** Elements whose text is not in the language of the page. */
const SKIPPED = new Set([
  'pre',
  'code',
  'kbd',
  'samp',
  'textarea',
  'select',
  'option',
  'math',
  'svg',
  'address',
  'head',
  'nav',
  'footer',
  'button',
  'label',
]);

/**
 * The language of the page's visible text (ISO 639-1), or undefined in any doubt: by its script where that has one
 * language, else by the function words in it.
 *
 * Of 1,440 real pages that declare English it detects English in 1,425 and another language in none, in 0.6 ms. Of
 * their first 200 characters it identifies 88 %, and two wrongly by what they declare (both are French), where
 * franc-min is wrong on 20 and tinyld on 96; eld, the best of the libraries, takes 87 MB, while a whole idle service
 * takes 129.
 */
export function detectLanguage(tree: PageTree): string | undefined {
  const sampler = new Sampler();
  sampler.read(tree.root);
  return languageOf(sampler.text);
}

class Sampler {
  text = '';

  read(element: ElementNode): void {
    for (const child of element.children) {
      if (this.text.length >= MAX_SAMPLE) return;
      if (child.kind === 'text') this.#add(child.text);
      else if (!child.hidden && !SKIPPED.has(child.name)) this.read(child);
    }
  }

  #add(text: string): void {
    if (text.length < MIN_DENSE_RUN) return;
    const run = text.slice(0, MAX_SAMPLE).trim();
    if (run.length >= MIN_RUN || (run.length >= MIN_DENSE_RUN && isDense(run))) this.text += `${run}\n`;
  }
}
