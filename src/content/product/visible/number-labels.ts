/** Words that label article numbers. */

/** Scripts that put no space between words. */
const UNSPACED = /^[\u3040-\u9fff\uac00-\ud7af]/;

const NO = '(?:no|nr|num|number|nummer|numéro|n°|nº|#|№|code|id)\\.?';

/** The shop's own number. */
export const OWN_NUMBER = labels(
  'skus?(?: (?:no|nr|number|code|id|#))?',
  'stock keeping unit',
  `(?:product|article|artikel|item)[ -]?(?:sku)`,
  `(?:web|store) ?sku`,
  `art(?:ikel|icle|iculo|ículo|icolo)?[.]?[ -]?${NO}`,
  'artikelnummer',
  'artikelnr\\.?',
  'artnr\\.?',
  'article number',
  `item ?${NO}`,
  'item',
  `stock ?${NO}`,
  `product ?${NO}`,
  `produkt[ -]?${NO}`,
  'produktnummer',
  'produktcode',
  'productcode',
  'productnummer',
  `(?:bestell|best)\\.?[ -]?${NO}`,
  'bestellnummer',
  `order ?${NO}`,
  `catalog(?:ue)? ?${NO}`,
  `cat\\.? ?${NO}`,
  'varenummer',
  'varenr\\.?',
  'vare ?nr\\.?',
  'tuotenumero',
  'tuotekoodi',
  'code (?:produit|article)',
  `(?:référence|ref|réf)\\.? ?(?:produit|article|fabricant|interne)?`,
  'référence',
  'código(?: (?:de(?:l)? )?(?:producto|artículo|produto|item|artigo|barras))?',
  'cód\\.?',
  'codice(?: (?:articolo|prodotto))?',
  'cod\\.?(?: (?:articolo|art\\.?|prod\\.?|produs))?',
  'rif\\.?',
  'riferimento',
  'referencia',
  'referência',
  'reference',
  'ref\\.?',
  'kod (?:produktu|towaru|producenta)',
  'symbol',
  'indeks',
  'nr (?:katalogowy|artykułu|kat\\.?)',
  'kód(?: (?:produktu|zboží|tovaru))?',
  'katalogové číslo',
  'objednací (?:číslo|kód)',
  'cikkszám',
  'termékkód',
  'cod produs',
  'артикул',
  'арт\\.?',
  'код(?: товара)?',
  'код товару',
  'каталожен номер',
  'ürün kodu',
  'stok kodu',
  'κωδικός(?: προϊόντος)?',
  'šifra(?: (?:izdelka|proizvoda|artikla))?',
  'prekės kodas',
  'tootekood',
  'מק"ט',
  'מק״ט',
  'رقم (?:المنتج|الصنف|الموديل)',
  'کد (?:محصول|کالا)',
  '(?:商品|製品)(?:コード|番号|id)',
  '品番',
  '商品(?:编号|編號|货号|貨號|代码)',
  '货号',
  '貨號',
  '편번|상품(?:코드|번호)',
  'mã (?:sản phẩm|sp|hàng)',
  'kode (?:produk|barang)',
  'รหัสสินค้า',
);

/** The maker's number, or that of a style or model, of which there may be several articles. */
export const MAKER_NUMBER = labels(
  `model(?:l)?(?: ?${NO})?`,
  `(?:manufacturer|mfr|mfg|mfgr|hersteller|vendor|supplier)\\.?s?(?:'s)?[ -]?(?:part|art(?:ikel)?|item|model|teile|sku)?[ -]?${NO}`,
  'herstellernummer',
  'herstellerartikelnummer',
  `part ?${NO}`,
  'p\\/n',
  'pn',
  'mpn',
  `style ?${NO}`,
  'style',
  'modell(?:nummer|nr\\.?)?',
  'modèle',
  'modelo',
  'modello',
  'модель',
  '型号',
  '型號',
  '型番',
  '모델명',
);


/** Matches a label where the search stands; a word ends with it. */
function labels(...sources: string[]): RegExp {
  // The longest first: `art. nr.` before `art.`
  const sorted = sources.toSorted((one, other) => other.length - one.length);
  return new RegExp(
    `(?:${sorted.map((source) => (UNSPACED.test(source) ? source : `${source}(?![\\p{L}])`)).join('|')})`,
    'iuy',
  );
}
