import assert from 'node:assert/strict';
import { test } from 'node:test';
import { raw, sql } from './sql.ts';

test('a value is bound and never part of the text', () => {
  const statement = sql`select ${"'; drop table teams"}, ${7} from teams`;
  assert.equal(statement.sqliteText, 'select ?, ? from teams');
  assert.equal(statement.postgresText, 'select $1, $2 from teams');
  assert.deepEqual(statement.values, ["'; drop table teams", 7]);
});

test('statements nest, at any depth and place, and their values stay in order', () => {
  const inner = sql`b = ${2} and ${sql`c = ${3}`}`;
  const statement = sql`${raw('select')} 1 where a = ${1} and ${inner} and d = ${4} ${raw('')}`;
  assert.equal(statement.postgresText, 'select 1 where a = $1 and b = $2 and c = $3 and d = $4 ');
  assert.equal(statement.sqliteText, 'select 1 where a = ? and b = ? and c = ? and d = ? ');
  assert.deepEqual(statement.values, [1, 2, 3, 4]);
});

test('a part without values is plain text', () => {
  const statement = sql`select 1 ${sql`limit 1`}`;
  assert.equal(statement.postgresText, 'select 1 limit 1');
  assert.deepEqual(statement.values, []);
});

test('U+0000 in a text becomes the replacement character', () => {
  assert.deepEqual(sql`${'a\0b\0'}`.values, ['a\u{fffd}b\u{fffd}']);
});
