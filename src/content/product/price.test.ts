import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readPrice } from './price.ts';

describe('readPrice', () => {
  const amounts: [text: string, amount: number | undefined][] = [
    ['12', 12],
    ['12.5', 12.5],
    ['12.50', 12.5],
    ['1299.0000', 1299],
    ['1,299.00', 1299],
    ['1.299,00', 1299],
    ['1.299', 1299],
    ['1,299', 1299],
    ['0.125', 0.125],
    ['1 299,00', 1299],
    ['1\u202f299,00', 1299],
    ["1'299.50", 1299.5],
    ['1.234.567', 1234567],
    ['1,234,567.89', 1234567.89],
    ['1,29,999.00', 129999],
    ['19,-', 19],
    ['٣٤٫٥٠', 34.5],
    ['0', 0],
    ['', undefined],
    ['free', undefined],
    ['10 - 20', undefined],
    ['10–20', undefined],
    ['-5', undefined],
    ['20 %', undefined],
    ['2 for 5', undefined],
    ['1.2.3', undefined],
    ['1,2.3,4', undefined],
    ['12 34', undefined],
    [`${'1'.repeat(100)}`, undefined],
  ];
  for (const [text, amount] of amounts) {
    it(`reads “${text.slice(0, 20)}” as ${amount}`, () => assert.equal(readPrice(text)?.amount, amount));
  }

  const currencies: [text: string, declared: string | undefined, currency: string | undefined][] = [
    ['1.299,00 €', undefined, 'EUR'],
    ['CHF 12.00', undefined, 'CHF'],
    ['12 US$', undefined, 'USD'],
    ['R$ 12', undefined, 'BRL'],
    ['$12', undefined, undefined],
    ['¥1200', undefined, undefined],
    ['$12', 'cad', 'CAD'],
    ['12', '€', 'EUR'],
    ['12', 'XYZ', undefined],
    ['12 per bag', undefined, undefined],
  ];
  for (const [text, declared, currency] of currencies) {
    it(`takes ${currency ?? 'no currency'} from “${text}” with ${declared ?? 'none'} declared`, () => {
      assert.equal(readPrice(text, declared)?.currency, currency);
    });
  }

  it('keeps the text on the page when it is more than a number', () => {
    assert.deepEqual(readPrice(' 1.299,00 € '), { amount: 1299, currency: 'EUR', formatted: '1.299,00 €' });
    assert.deepEqual(readPrice('12.00', 'EUR'), { amount: 12, currency: 'EUR' });
  });

  it('reads three decimals when the currency has them', () => {
    assert.equal(readPrice('12.500', 'KWD')?.amount, 12.5);
  });

  it('accepts numbers, except negative ones', () => {
    assert.deepEqual(readPrice(12.5, 'EUR'), { amount: 12.5, currency: 'EUR' });
    assert.equal(readPrice(-1), undefined);
    assert.equal(readPrice(Number.POSITIVE_INFINITY), undefined);
  });
});
