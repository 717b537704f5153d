import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FOOTER, MENU } from '../../../../test/support/shop-pages.ts';
import { parseHtml } from '../../parse-html.ts';
import { readStructuredData } from '../../structured/read-structured-data.ts';
import { readProduct } from '../read-product.ts';

function read(lang: string, main: string): unknown[] {
  const url = 'https://shop.example/products/kettle';
  const html = `<html lang="${lang}"><head><title>Kettle | Shop</title></head><body>${MENU}<main><h1>Kettle</h1>${main}</main>${FOOTER}</body></html>`;
  const tree = parseHtml(html, url);
  const [variant] = readProduct(tree, readStructuredData(tree), { html, url }).product?.variants ?? [];
  return [variant?.price?.amount, variant?.price?.currency, variant?.availability.inStock];
}

describe('price and stock are read', () => {
  const cases: [lang: string, price: string, stock: string, amount: number, currency: string, inStock: boolean][] = [
    ['nl', '€ 29,95', 'Op voorraad', 29.95, 'EUR', true],
    ['nl', '€ 29,-', 'Tijdelijk uitverkocht', 29, 'EUR', false],
    ['sv', '1 299:-', 'Tillfälligt slut', 1299, 'SEK', false],
    ['sv', '299 kr', 'Finns i lager', 299, 'SEK', true],
    ['da', '299,00 kr.', 'På lager', 299, 'DKK', true],
    ['nb', 'kr 299', 'Ikke på lager', 299, 'NOK', false],
    ['fi', '29,90 €', 'Loppu varastosta', 29.9, 'EUR', false],
    ['pl', '1 299,00 zł', 'Produkt niedostępny', 1299, 'PLN', false],
    ['pt-BR', 'R$ 1.299,00', 'Em estoque', 1299, 'BRL', true],
    ['pt', '29,90 €', 'Sem stock', 29.9, 'EUR', false],
    ['cs', '1 299 Kč', 'Skladem > 5 ks', 1299, 'CZK', true],
    ['ja', '¥12,980（税込）', '在庫あり', 12980, 'JPY', true],
    ['ja', '12,980円(税込)', '入荷待ち', 12980, 'JPY', false],
    ['fr', '29€90', 'Ce produit n’est plus en stock', 29.9, 'EUR', false],
    ['it', '€ 1.299,00', 'Attualmente non disponibile', 1299, 'EUR', false],
    ['es', '1.299,00 €', 'Este producto ya no está disponible', 1299, 'EUR', false],
    ['de', '29,99 €', 'Nicht lagernd', 29.99, 'EUR', false],
    ['de-CH', "CHF 1'299.00", 'Ab Lager lieferbar', 1299, 'CHF', true],
    ['hu', '12 990 Ft', 'Raktáron', 12990, 'HUF', true],
    ['ro', '129,90 lei', 'Stoc epuizat', 129.9, 'RON', false],
    ['ru', '12 990 ₽', 'Нет в наличии', 12990, 'RUB', false],
    ['tr', '1.299,90 TL', 'Mevcut değil', 1299.9, 'TRY', false],
    ['el', '29,90€', 'Εξαντλημένο', 29.9, 'EUR', false],
    ['ko', '29,900원', '품절', 29900, 'KRW', false],
    ['id', 'Rp 129.000', 'Stok kosong', 129000, 'IDR', false],
    ['en-IN', '₹1,29,999', 'Currently Unavailable', 129999, 'INR', false],
  ];
  for (const [lang, price, stock, ...expected] of cases) {
    it(`in ${lang}: ${price}, ${stock}`, () => {
      assert.deepEqual(read(lang, `<p class="price">${price}</p><p>${stock}</p>`), expected);
    });
  }

  const buttons: [lang: string, label: string, inStock: boolean][] = [
    ['en', 'Coming soon', false],
    ['en', 'Get notified', false],
    ['en', 'SOLD', false],
    ['de', 'Benachrichtigen', false],
    ['fr', 'M’alerter', false],
    ['es', 'Avísenme', false],
    ['es', 'Reservar ahora', false],
    ['it', 'Avvisami', false],
    ['pt', 'Encomendar', false],
    ['nl', 'Houd mij op de hoogte', false],
    ['sv', 'Bevaka', false],
    ['sv', 'Förbeställ', false],
    ['pl', 'Powiadom mnie', false],
    ['cs', 'Hlídat', false],
    ['ja', '再入荷通知', false],
    ['en', 'Preventative care', true],
  ];
  for (const [lang, label, expected] of buttons) {
    it(`in ${lang}, with the button: ${label}`, () => {
      assert.equal(read(lang, `<p class="price">29.90 €</p><button>${label}</button>`)[2], expected);
    });
  }
});
