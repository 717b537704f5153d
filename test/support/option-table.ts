import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { z } from 'zod';

export function readDocs(name: string): string {
  return readFileSync(join(import.meta.dirname, '..', '..', 'docs', name), 'utf8');
}

/**
 * Tests that the first table of options in a page of docs/ has every option of a schema, no other, and the defaults of the
 * schema.
 */
export function testOptionTable(name: string, what: string, schema: z.ZodObject): void {
  const rows = optionTable(readDocs(name));

  test(`docs/${name} explains every option of ${what} and no other`, () => {
    assert.deepEqual(rows.flatMap(({ names }) => names).sort(), Object.keys(schema.shape).sort());
  });

  test(`docs/${name} states the defaults that the schema has`, () => {
    const { properties = {} } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
    const told = Object.entries(properties).flatMap(([option, property]) =>
      // The defaults of nested options are in a separate table.
      typeof property === 'object' && property.default !== undefined && property.type !== 'object'
        ? [[option, `\`${JSON.stringify(property.default)}\``]]
        : [],
    );
    assert.ok(told.length > 0);
    const stated = new Map(rows.map(({ names: [first], fallback }) => [first, fallback]));
    assert.deepEqual(
      told.map(([option]) => [option, stated.get(option)]),
      told,
    );
  });
}

function optionTable(page: string): { names: string[]; fallback: string }[] {
  const begin = page.indexOf('| option |');
  const lines = page.slice(begin, page.indexOf('\n\n', begin)).split('\n').slice(2);
  return lines.map((line) => {
    const [, names = '', fallback = ''] = line.split('|').map((cell) => cell.trim());
    return { names: names.replaceAll('`', '').split(', '), fallback };
  });
}
