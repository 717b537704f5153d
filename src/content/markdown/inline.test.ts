import { describe } from 'node:test';
import { itWrites } from '../../../test/support/markdown-cases.ts';

describe('emphasis', () => {
  itWrites([
    [
      'is bold, italic and struck',
      '<b>a</b> <strong>b</strong> <i>c</i> <em>d</em> <del>e</del> <s>f</s>',
      '**a** **b** *c* *d* ~~e~~ ~~f~~',
    ],
    ['nests', '<b>a <i>b</i></b> <i>c <b>d</b></i> <b><i>e</i></b>', '**a *b*** *c **d*** ***e***'],
    ['keeps white space outside', 'a<b> b </b>c', 'a **b** c'],
    ['keeps line breaks outside', '<p><b>a<br></b>b', '**a**  ', 'b'],
    ['is left out when empty', 'a<b></b><i> </i>b<i><img></i>', 'a b'],
    ['is merged when it continues at once', '<b>a</b><b>b</b> <b>c</b>', '**ab** **c**'],
    ['keeps markers of two kinds readable', '<s><i>a</i></s>b c<i><s>d</s></i>', '~~*a*~~ b c *~~d~~*'],
    ['keeps four asterisks apart', '<b>a <i>b</i></b><i>c</i>', '**a *b*** *c*'],
    ['is italic and struck only once', '<em>a <cite>b</cite></em> <s>c <del>d</del></s>', '*a b* ~~c d~~'],
    ['is bold only once', '<b>a<strong>b</strong></b>', '**ab**'],
    ['works inside words', 'foo<b>bar</b>baz', 'foo**bar**baz'],
    ['gets the space it needs behind punctuation', '<b>Note:</b>text', '**Note:** text'],
    ['gets the space it needs before punctuation', 'text<b>(note)</b>', 'text **(note)**'],
    ['gets no space where none is needed', '(<b>a</b>) "<i>b</i>" <b>c</b>, <b>d.</b>', '(**a**) "*b*" **c**, **d.**'],
    ['gets the space it needs in text without spaces', '中文<b>「强调」</b>中文', '中文 **「强调」** 中文'],
    ['meets other emphasis', '<i>a</i><b>b</b><i>c</i>', '*a***b***c*'],
    ['goes on in the next block', '<b>a<p>b</p>c</b>', '**a**', '', '**b**', '', '**c**'],
    ['is not on punctuation alone', 'a<b>:</b> b', 'a: b'],
    [
      'is not what a style takes back, as around Google Docs',
      '<b style="font-weight:normal;" id="docs-internal-guid-1"><p dir="ltr"><span style="font-size:11pt;font-weight:400">a</span></p></b><i style="font-style: normal">b</i>',
      'a',
      '',
      'b',
    ],
    [
      'is what a style says',
      '<p><span style="font-size:11pt;font-weight:700;">a</span> <span style="FONT-WEIGHT: bold">b</span> <span style="font-style:italic">c</span> <span style="font-weight:600;font-style:oblique">d</span> <em style="font-weight:bold">e</em> <span style="font-weight:500">f</span></p><p style="font-weight:bold">g <b>h</b></p><div style="font-style:italic">j</div><div style="font-weight:bold"><p>k</p></div><h2><span style="font-weight:700">i</span></h2>',
      '**a** **b** *c* ***d*** ***e*** f',
      '',
      '**g h**',
      '',
      '*j*',
      '',
      'k',
      '',
      '## i',
    ],
    ['is of titles, definitions and variables', '<cite>a</cite> <dfn>b</dfn> <var>c</var>', '*a* *b* *c*'],
    [
      'ends before a link that continues it',
      '<b>a </b><a href=/x><b>b</b></a>',
      '**a** [**b**](https://example.com/x)',
    ],
  ]);
});

describe('other inline elements', () => {
  itWrites([
    ['sub and sup stay HTML', 'H<sub>2</sub>O, 1<sup>st</sup>', 'H<sub>2</sub>O, 1<sup>st</sup>'],
    ['signs are raised already', 'Acme<sup>®</sup>', 'Acme®'],
    [
      'abbr, mark, u, ins and small are text',
      '<abbr title="b">a</abbr><mark>c</mark><u>d</u><ins>e</ins><small>f</small>',
      'acdef',
    ],
    ['q gets quotation marks', '<q>a</q>', '“a”'],
    ['ruby gets parentheses', '<ruby>漢<rt>kan</rt>字<rt>ji</rt></ruby>', '漢(kan)字(ji)'],
    ['ruby keeps the parentheses it has', '<ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby>', '漢(kan)'],
    ['custom elements keep words apart', '<x-a>a</x-a><x-b>b</x-b>', 'a b'],
    [
      'spans set apart only by style are separate words',
      '<span>Reply</span><span>Delete</span> <a href=/a>ACME</a><span>Boots</span> <span>$5</span><span>$7</span> <b>a</b><span>B</span>',
      'Reply Delete [ACME](https://example.com/a) Boots $5 $7 **a** B',
    ],
    [
      'spans inside words are not',
      '<span>coopera</span><span>tive</span> <span>5</span><span>%</span> <b>T</b>he <span>Mac</span>Book <span>A</span><span>B</span>',
      'cooperative 5% **T**he MacBook AB',
    ],
    ['wbr is nothing', 'a<wbr>b', 'ab'],
    [
      'controls are left out',
      'a<input value=b><select><option>c</select><textarea>d</textarea><button>e</button>f',
      'af',
    ],
    ['labels stay', '<label>a <input></label>', 'a'],
    ['buttons that fold a section stay', '<button aria-expanded=false>a</button><div>b</div>', 'a', '', 'b'],
  ]);
});

describe('text', () => {
  itWrites([
    ['has its white space collapsed', '<p> a\n\t b  c ', 'a b c'],
    ['has no-break spaces as spaces', '<p>&nbsp;a&nbsp;&nbsp;b&nbsp;</p><p>&nbsp;</p>', 'a b'],
    ['loses invisible characters', 'a\u00adb\u200bc\ufeffd<p>&zwnj;', 'abcd'],
    ['keeps joiners, marks of direction and emoji', 'می\u200cخواهم \u200fא 👨‍👩‍👧', 'می\u200cخواهم \u200fא 👨‍👩‍👧'],
    ['keeps right-to-left text', '<p dir=rtl>שלום <b>עולם</b></p>', 'שלום **עולם**'],
    ['breaks lines', '<p>a<br>b <br/> c', 'a  ', 'b  ', 'c'],
    ['starts a paragraph after two breaks', '<p>a<br><br>b', 'a', '', 'b'],
    ['has no break at the edge of a block', '<p><br>a<br></p><br><p>b', 'a', '', 'b'],
    ['is read across comments and entities', 'a<!-- x -->b &amp; &copy; &#x4e2d;', 'ab & © 中'],
  ]);
});
