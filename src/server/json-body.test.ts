import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { TrawlError } from '../errors.ts';
import { requireBounds } from './json-body.ts';

const URLS = { name: 'urls', max: 5_000, message: 'has too many addresses' };

function refusal(text: string): string | undefined {
  try {
    requireBounds(text, URLS);
    return undefined;
  } catch (error) {
    assert.ok(error instanceof TrawlError);
    assert.equal(error.code, 'BAD_REQUEST');
    return error.message;
  }
}

function list(length: number, item = '1'): string {
  return `[${Array(length).fill(item).join(',')}]`;
}

describe('requireBounds', () => {
  const passing = {
    'an object': '{"a":[1,{"b":[]}],"c":"d"}',
    'a list of 1,000': list(1_000),
    'ten lists of 900': list(10, list(900)),
    '5,000 addresses': `{"urls":${list(5_000, '"a"')}}`,
    '64 levels': '['.repeat(64) + ']'.repeat(64),
    'brackets and commas in a string': JSON.stringify({ a: '[{,'.repeat(20_000) }),
    'brackets after an escaped quote': JSON.stringify({ a: `"${'[,'.repeat(20_000)}` }),
    'a backslash at the end of a string': JSON.stringify({ a: '\\', b: ['\\'] }),
    'text that is not JSON': '}}}}[[,,"',
  };
  for (const [name, text] of Object.entries(passing)) {
    it(`accepts ${name}`, () => assert.equal(refusal(text), undefined));
  }

  const refused: Record<string, [text: string, message: string]> = {
    'a list of 1,001': [`{"url":"x","formats":${list(1_001)}}`, 'formats has more than 1000 entries at one level.'],
    'an object of 1,001 names': [
      `{"headers":{${list(1_001, '"a":1').slice(1, -1)}}}`,
      'headers has more than 1000 entries at one level.',
    ],
    '1,001 fields': [`{${list(1_001, '"a":1').slice(1, -1)}}`, 'The body has more than 1000 entries at one level.'],
    '65 levels': ['['.repeat(65), 'The body has more than 64 levels.'],
    '65 levels in a field': [`{"a":"b","c":${'['.repeat(64)}`, 'c has more than 64 levels.'],
    'twelve lists of 900': [list(12, list(900)), 'The body has more than 10000 values.'],
    '5,001 addresses': [`{"urls":${list(5_001)}}`, 'urls has too many addresses.'],
    'many values among the addresses': [`{"urls":${list(4_000, '[1,2,3]')}}`, 'The body has more than 10000 values.'],
    'many addresses in another list': [`{"tags":${list(4_000)}}`, 'tags has more than 1000 entries at one level.'],
    'many addresses below another field': [
      `{"a":{"urls":${list(4_000)}}}`,
      'a has more than 1000 entries at one level.',
    ],
  };
  for (const [name, [text, message]] of Object.entries(refused)) {
    it(`refuses ${name}`, () => assert.equal(refusal(text), message));
  }

  it('quotes no more than the beginning of a name', () => {
    const message = refusal(`{"${'x'.repeat(1_000_000)}":${list(1_001)}}`);
    assert.ok(message !== undefined && message.length < 200);
  });
});
