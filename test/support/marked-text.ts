import assert from 'node:assert/strict';
import { test } from 'node:test';

interface Span {
  start: number;
  end: number;
}

/** Takes the marks out of `Call «030 901820» now`: the bare text, and what stood between the marks. */
export function unmark(marked: string): { text: string; marked: string[] } {
  return {
    text: marked.replace(/[«»]/g, ''),
    marked: Array.from(marked.matchAll(/«(.*?)»/gs), ([, inside = '']) => inside),
  };
}

/** One test for each text: the recogniser finds exactly what is marked. */
export function testFindings(recognise: (text: string) => Iterable<Span>, texts: readonly string[]): void {
  for (const each of texts) {
    const { text, marked } = unmark(each);
    const title = each.length > 100 ? `${each.slice(0, 100)}…` : each;
    test(marked.length > 0 ? `finds ${title}` : `leaves ${title}`, () => {
      const found = Array.from(recognise(text), ({ start, end }) => text.slice(start, end));
      assert.deepEqual(found, marked);
    });
  }
}
