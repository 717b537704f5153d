import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readJsonLd } from './json-ld.ts';
import { isThing, type Thing, textOfProperty, thingsOf, valuesOf } from './thing.ts';

function namesOf(...scripts: string[]): (string | undefined)[] {
  return readJsonLd(scripts).map((thing) => textOfProperty(thing, 'name'));
}

function first(script: string): Thing {
  const [thing] = readJsonLd([script]);
  assert.ok(thing);
  return thing;
}

describe('readJsonLd', () => {
  const sources: [title: string, script: string, names: (string | undefined)[]][] = [
    ['opens arrays', '[{"name":"a"},[{"name":"b"}]]', ['a', 'b']],
    ['opens @graph', '{"@context":"https://schema.org","@graph":[{"name":"a"},{"name":"b"}]}', [undefined, 'a', 'b']],
    ['reads past an HTML comment', '<!-- {"name":"a"} -->', ['a']],
    ['reads past a CDATA section', '//<![CDATA[\n{"name":"a"}\n//]]>', ['a']],
    ['reads past a bare CDATA section', '<![CDATA[{"name":"a"}]]>', ['a']],
    ['repairs raw line breaks and tabs in strings', '{"name":"a\n\tb"}', ['a\n\tb']],
    ['repairs trailing commas', '{"name":"a","image":["x",],}', ['a']],
    ['repairs comments', '{/* one */"name":"a"// two\n}', ['a']],
    ['reads several values in a row', '{"name":"a"}\n{"name":"b"},{"name":"c"};', ['a', 'b', 'c']],
    ['leaves a script out whose quotes are wrong', '{"name":"5" screen","price":"1"}', []],
    ['leaves a script out that is cut off', '{"name":"a","offers":{"price"', []],
    ['leaves a script out that is code', 'alert(1)', []],
    ['leaves an empty script out', ' ', []],
    ['leaves out what is no thing', '["a", 1, null, true]', []],
  ];
  for (const [title, script, names] of sources) it(title, () => assert.deepEqual(namesOf(script), names));

  it('drops the vocabulary from types and names', () => {
    const thing = first(
      '{"@type":["http://schema.org/Product","schema:Thing"],"https://www.schema.org/name":"a","schema:sku":"1"}',
    );
    assert.deepEqual(thing.types, ['product', 'thing']);
    assert.equal(textOfProperty(thing, 'name'), 'a');
    assert.equal(textOfProperty(thing, 'sku'), '1');
  });

  it('unwraps @value, @list and @set', () => {
    const thing = first('{"name":{"@value":"a","@language":"en"},"image":{"@list":["x","y"]},"url":{"@set":["u"]}}');
    assert.equal(textOfProperty(thing, 'name'), 'a');
    assert.deepEqual(valuesOf(thing, 'image'), ['x', 'y']);
    assert.deepEqual(valuesOf(thing, 'url'), ['u']);
  });

  it('resolves references to nodes, also across scripts', () => {
    const [product] = readJsonLd(['{"name":"p","brand":{"@id":"#b"}}', '{"@id":"#b","@type":"Brand","name":"B"}']);
    assert.ok(product);
    assert.equal(textOfProperty(product, 'brand'), 'B');
  });

  it('survives nodes that reference each other', () => {
    const [a] = readJsonLd(['[{"@id":"a","name":"A","next":{"@id":"b"}},{"@id":"b","name":"B","next":{"@id":"a"}}]']);
    const [b] = a ? thingsOf(a, 'next') : [];
    assert.equal(b && textOfProperty(b, 'next'), 'A');
  });

  it('keeps hostile names harmless', () => {
    const thing = first('{"__proto__":{"name":"evil"},"constructor":"c","name":"a"}');
    assert.equal(textOfProperty(thing, 'name'), 'a');
    assert.equal(Object.getOwnPropertyNames(Object.prototype).includes('name'), false);
  });

  it('stops at 32 levels and 20,000 things', () => {
    let deep = first(`${'{"a":'.repeat(100)}1${'}'.repeat(100)}`);
    let levels = 0;
    for (let next: Thing | undefined = deep; next; next = thingsOf(next, 'a')[0]) {
      deep = next;
      levels++;
    }
    assert.ok(levels <= 33);
    assert.ok(readJsonLd([`[${'{"a":1},'.repeat(30_000)}{}]`]).filter(isThing).length <= 20_000);
  });
});
