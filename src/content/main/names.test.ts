import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseHtml } from '../parse-html.ts';
import { hashOf } from './fnv.ts';
import { NameWeights } from './model.ts';
import { NamesReader } from './names.ts';

/** Which of `words` are found in the names of an element. */
function found(attributes: string, words: readonly string[]): string[] {
  const [element] = parseHtml(`<section ${attributes}>Text</section>`, 'https://example.test/').root.children;
  assert.ok(element?.kind === 'element');
  const names = new NamesReader(new NameWeights([], [])).read(element);
  const hashes = new Set(names.flatMap((name) => name.hashes));
  return words.filter((word) => hashes.has(hashOf(word)));
}

const CASES: { attributes: string; has: string[]; lacks?: string[] }[] = [
  { attributes: '', has: ['<section'], lacks: ['section'] },
  { attributes: 'class="post-body"', has: ['post', 'body', 'post_body'], lacks: ['postbody'] },
  { attributes: 'class="PostBody_x"', has: ['post', 'body', 'post_body'], lacks: ['x'] },
  { attributes: 'class="post body"', has: ['post', 'body'], lacks: ['post_body'] },
  { attributes: 'id="comments2"', has: ['comments'] },
  { attributes: 'role="main" itemprop="text"', has: ['=main', '@text'] },
  { attributes: 'class="md:hidden w-[300px] w-1/2"', has: [], lacks: ['md', 'hidden', 'px'] },
  { attributes: `class="${'long'.repeat(20)}"`, has: [], lacks: ['long'] },
];

describe('NamesReader', () => {
  for (const { attributes, has, lacks = [] } of CASES) {
    it(`reads <section ${attributes.slice(0, 40)}>`, () => {
      assert.deepEqual(found(attributes, [...has, ...lacks]), has);
    });
  }
});

it('leaves out the id of a heading, which repeats its text', () => {
  const [heading] = parseHtml('<h2 id="sharing-views" class="title">Sharing views</h2>', 'https://example.test/').root
    .children;
  assert.ok(heading?.kind === 'element');
  const names = new NamesReader(new NameWeights([], [])).read(heading);
  assert.deepEqual(
    names.flatMap(({ hashes }) => hashes),
    [hashOf('<h2'), hashOf('title')],
  );
});
