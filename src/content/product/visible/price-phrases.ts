import { beforeAmount } from './phrase.ts';

// Phrases that shops write next to amounts of money.

/** Before a former price, or the price elsewhere. */
export const FORMER_LABEL = beforeAmount(
  1,
  'was',
  'were',
  'reg(?:\\.|ular(?:ly)?)?(?: price)?',
  'old price',
  '(?:orig(?:\\.|inal(?:ly)?)?)(?: price)?',
  'list(?: price)?',
  'full price',
  'normal(?:ly)?(?: price)?',
  'r\\.?r\\.?p\\.?',
  'm\\.?s\\.?r\\.?p\\.?',
  's\\.?r\\.?p\\.?',
  '(?:suggested )?retail(?: price)?(?: value)?',
  'compar(?:e|able) (?:at|to|value)(?: price)?',
  'before(?: discount)?',
  'previous(?:ly)?(?: price)?',
  'price reduced from',
  'valued? at',
  'typical(?:ly)?(?: price)?',
  'u\\.?v\\.?p\\.?(?: des herstellers)?',
  'statt',
  '(?:alter|früherer|bisheriger|ursprünglicher|regulärer|normaler) preis',
  'vorher',
  'ursprünglich',
  'bisher',
  'war',
  'niedrigster preis',
  'streichpreis',
  'listenpreis',
  'prix (?:conseillé|barré|de base|habituel|normal|public|de référence|initial|régulier|d.origine)',
  'ancien prix',
  'au lieu de',
  'precio (?:anterior|original|habitual|normal|regular|de lista|recomendado|base|antes)',
  'antes',
  'p\\.?v\\.?p\\.?r?',
  'prezzo (?:precedente|originale|di listino|consigliato|base|normale|pieno)',
  'anziché',
  'invece di',
  'preço (?:original|anterior|normal|de)',
  'de r\\$',
  '(?:oude prijs|adviesprijs|van|normaal|was)',
  '(?:tidigare|ord(?:\\.|inarie)|rek\\.) ?pris',
  '(?:før|førpris|vejl\\.? ?(?:pris)?|norm(?:al)?\\.? ?pris|veil\\.?)',
  'ovh',
  'cena (?:regularna|katalogowa|poprzednia|podstawowa|rynkowa)',
  'najniższa cena',
  '(?:stara|původní|běžná|pôvodná|bežná|doporučená) cena',
  '(?:eredeti|korábbi|régi) ár',
  '(?:preț|pret) (?:vechi|inițial|intreg)',
  'prp',
  'старая цена',
  'обычная цена',
  'стара ціна',
  'стара цена',
  'eski fiyat',
  'piyasa fiyatı',
  'αρχική τιμή',
  '(?:通常|参考|定|元)(?:価格|価)',
  '原价|原價|市场价|建議售價',
  '정가|정상가|소비자가',
  'giá (?:gốc|cũ|niêm yết)',
);

/** Before the current price, where there may be another one. */
export const CURRENT_LABEL = beforeAmount(
  2,
  'now',
  '(?:on )?sale(?: price)?',
  'special(?: price)?',
  'our (?:low )?price',
  'your price',
  'today(?:.s price)?',
  'current price',
  'you pay',
  'deal(?: price)?',
  '(?:aktueller |unser |ihr |sonder|angebots|neuer )preis',
  'jetzt',
  'nur',
  'prix (?:promo(?:tionnel)?|actuel|soldé|réduit|spécial|remisé)',
  'maintenant',
  'precio (?:actual|especial|de oferta|final|rebajado|oferta|de venta)',
  'ahora',
  'prezzo (?:attuale|scontato|speciale|finale)',
  'ora',
  'por r\\$',
  'nu',
  'voor',
  'cena (?:promocyjna|aktualna|specjalna)',
  'akciós ár',
  '(?:販売|特別|セール)価格',
  '现价|促销价|特價|售價',
  '판매가|할인가',
);

/** Before an amount that is not a price of the product. */
export const OTHER_AMOUNT_BEFORE = beforeAmount(
  2,
  '(?:you )?sav(?:e|ed|ings?)',
  '(?:sie )?spar(?:en|e|t)?(?: sie)?',
  'ersparnis',
  'économi[es]\\p{L}*',
  'vous économisez',
  'ahorr\\p{L}*',
  'descuento',
  'risparmi\\p{L}*',
  'economize',
  'bespaar',
  'oszczęd\\p{L}*',
  'ušetří\\p{L}*',
  'скидка',
  'экономия',
  '(?:free |standard |express |plus |flat )?(?:shipping|delivery|postage|freight|versand|lieferung|livraison|env[ií]o|spedizione|consegna|verzending|bezorging|frakt|fragt|toimitus|dostawa|wysyłka|doprava|доставка|kargo)',
  '(?:on |for |all )?orders?(?: of| over| above| from| more than)?',
  'minimum(?: order)?',
  'min\\. ?(?:order)?',
  'mindestbestellwert',
  'ab einem (?:bestellwert|einkaufswert|warenwert)',
  'à partir de \\d+ ?€ d.achat',
  'deposit',
  'pfand',
  'down payment',
  'anzahlung',
  'acompte',
  'subscri(?:be|ption)(?: price)?',
  'auto-?(?:ship|delivery|renew\\p{L}*)',
  'abo(?:nnement)?-?(?:preis)?',
  '(?:members?|membership|vip|club)(?: only)? price',
  '\\d+ ?[x×](?: of| de| à| zu je)?',
  '\\d+ (?:[a-z-]+ ){0,2}(?:payments?|instal?l?ments?|zahlungen|raten|mensualit[ée]s|cuotas|rate|parcelas|termijnen)(?: of| von| de| da| di| à)?',
  '(?:payments?|instal?l?ments?|raten|mensualités|cuotas|parcelas)(?: of| de| von| from| ab| as low as)?',
  'pay (?:as low as|over|in|from|later|monthly)',
  'financ\\p{L}*',
  'earn(?: up to)?',
  'points?',
  'rewards?',
  'gift ?card',
  'fee',
  'shop pay',
  'afterpay',
  'klarna',
  'affirm',
  'with (?:code|coupon)',
  '\\d+ (?:for|für|pour|por|per)',
  'approx(?:imately|\\.)?',
  'coupon',
  'trade[- ]in',
  'credit',
  'subtotal',
  'sous-total',
  'summe',
  'gesamt',
  'unit price',
  'grundpreis',
  'prix (?:unitaire|au (?:kg|litre|m))',
  'précio por unidad',
  'stückpreis',
  'price per',
  'incl\\. ?tax of',
  'budget',
  'up to',
  'bis zu',
  'jusqu.à',
);

/** The same, but directly before the amount. Elsewhere these words are parts of names. */
export const OTHER_AMOUNT_RIGHT_BEFORE = beforeAmount(
  0,
  'over',
  'above',
  'under',
  'spend',
  'get',
  'add',
  'total',
  'or(?: from| as low as)?',
  '(?:used|refurbished|rent|lease|gebraucht)(?: from| for| ab)?',
);

/** Before the price of the same product in another condition, in one line: `an open-box model for $34`. */
export const OTHER_CONDITION = beforeAmount(
  4,
  '(?:open|opened)[- ]box',
  'b[- ]?(?:stock|ware)',
  '(?:pre-?owned|second[- ]hand|used|refurbished|renewed|demo)(?= (?:from|for|at|model|offers?|ones?|price)(?!\\p{L}))',
  '(?:gebraucht|generalüberholt|refurbished)(?= (?:ab|für|kaufen)(?!\\p{L}))',
  '(?:d.occasion|reconditionné)(?= (?:à|dès|pour)(?!\\p{L}))',
  '(?:reacondicionado|usado|de segunda mano|usato|ricondizionato)(?= (?:desde|a|por|da)(?!\\p{L}))',
  '(?:tweedehands|refurbished)(?= (?:vanaf|voor)(?!\\p{L}))',
);

/** After an amount that is not a price of the product. */
export const OTHER_AMOUNT_BEHIND =
  /^\s*[(*]?\s*(?:(?:\/\s?|(?:per|a|each|every|pro|par|por|al|alla|ao|im|je)\s)(?:mo(?:nth|nat|is|\.)?|mes|mese|mês|maand|måned|månad|week|woche|year|yr|jahr|an|ans|año|anno|day|tag|jour)(?!\p{L})|monthly|mtl|monatlich|off(?!\p{L})|sav(?:ed|ings?)|discount|rabatt|de (?:réduction|remise|descuento)|korting|cash ?back|credit|points?|(?:shipping|delivery|versand)(?!\p{L}| (?:calculated|not|cost|excl|incl|free|gratis|kostenlos|extra))|x\s?\d|value|gift ?card|deposit|pfand|minimum|(?:or|and) (?:more|over|above|up)|and (?:get|under)|or less|purchase|orders?)/iu;

/** After a unit price: `/ 100 g`, `per litre`, `je kg`. */
export const PER_MEASURE_BEHIND =
  /^\s*\)?\s*(?:\/\s?|(?:per|pro|je|par|por|le|al|il|à)\s)\(?\s?(?:\d+(?:[.,]\d+)?\s?)?(?:kg|g|gr|gram|lbs?|oz|fl\.? ?oz|ounces?|m?l|cl|dl|lit(?:re|er|ro)s?|m|m²|m2|m³|cm|mm|ft|sq|sqm|meter|metres?|yard|count|ct|tablet|kapsel|capsules?|serving|portion|sheet|unité|unidad|100)(?!\p{L})/iu;

/** Before an amount that is the lowest of several. */
export const FROM_LABEL =
  /(?:^|[^\p{L}])(?:from|starting at|starts at|starting from|as low as|ab|à partir de|dès|desde|a partir de|da|a partire da|partendo da|vanaf|fra|från|od|от|від|από|alkaen|kezdve)[\s:]*$/iu;

/** The start of a line that belongs to the amount above it. */
export const GOES_ON = /^(?:\/|x\s?\d|(?:per|pro|je|par|por|a|each|every|al|monthly|monatlich|off)(?!\p{L}))/iu;

/** A label that says the next amount is a price. */
export const PRICE_LABEL =
  /(?:^|[^\p{L}])(?:price|preis|prix|precio|prezzo|preço|prijs|pris|hinta|cena|ár|preț|цена|ціна|fiyat|τιμή|価格|价格|售价|售價|가격|giá|harga|ราคา)[\s:：*]*$/iu;

/** Marks an amount without tax, where the amount with tax may be next to it. */
export const UNTAXED =
  /(?:ex(?:cl?(?:uding|\.)?)?\.? ?(?:of )?(?:vat|tax|gst|mwst|tva|iva|btw|moms)|zzgl\.? ?(?:mwst|ust)|exkl\.?|\bHT\b|netto|nett|\+ ?(?:vat|gst|iva)|hors taxes?|sin iva|iva esclusa|bez (?:vat|dph)|без ндс|税抜|税別|本体価格)/iu;
