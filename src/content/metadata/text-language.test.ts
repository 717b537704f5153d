import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { languageOf } from './text-language.ts';

const TEXTS: [language: string, text: string][] = [
  [
    'en',
    'The library is open on Sundays, but you will have to bring the books back by the end of the week. If they are late, we will send you a letter.',
  ],
  [
    'de',
    'Die Bibliothek ist auch am Sonntag geöffnet, aber die Bücher müssen bis zum Ende der Woche wieder zurück sein. Wenn sie zu spät kommen, schicken wir Ihnen einen Brief.',
  ],
  [
    'fr',
    'La bibliothèque est ouverte le dimanche, mais les livres doivent être rendus avant la fin de la semaine. S’ils sont en retard, nous vous enverrons une lettre dans les jours qui suivent.',
  ],
  [
    'es',
    'La biblioteca está abierta los domingos, pero los libros se tienen que devolver antes del final de la semana. Si llegan tarde, le enviaremos una carta y una multa muy pequeña.',
  ],
  [
    'pt',
    'A biblioteca está aberta aos domingos, mas os livros têm de ser devolvidos até ao fim da semana. Se não chegarem a tempo, enviamos uma carta com uma multa muito pequena.',
  ],
  [
    'pt',
    'Você também pode renovar os livros pela internet, se não houver outra pessoa à espera. Isso é muito fácil e não custa nada: é só entrar na sua conta com o seu número.',
  ],
  [
    'it',
    'La biblioteca è aperta anche la domenica, ma i libri devono essere restituiti entro la fine della settimana. Se sono in ritardo, ti mandiamo una lettera con una multa molto piccola.',
  ],
  [
    'nl',
    'De bibliotheek is ook op zondag open, maar de boeken moeten voor het einde van de week weer terug zijn. Als ze te laat zijn, sturen wij u een brief met een kleine boete.',
  ],
  [
    'af',
    'Die biblioteek is ook op Sondag oop, maar die boeke moet voor die einde van die week terug wees. As hulle laat is, sal ons vir jou ’n brief stuur met ’n baie klein boete.',
  ],
  [
    'sv',
    'Biblioteket har öppet även på söndagar, men böckerna måste vara tillbaka före slutet av veckan. Om de är sena skickar vi ett brev till dig, och det kostar också mycket pengar.',
  ],
  [
    'da',
    'Biblioteket har også åbent om søndagen, men bøgerne skal afleveres inden slutningen af ugen. Hvis de kommer for sent, bliver der sendt et brev, og det koster meget efter den første uge.',
  ],
  [
    'no',
    'Biblioteket er åpent også på søndager, men bøkene må leveres tilbake før slutten av uken. Hvis de kommer for sent, blir det sendt et brev til deg, og det koster mye etter den første uken å få dem.',
  ],
  [
    'is',
    'Bókasafnið er opið á sunnudögum, en bókunum verður að skila fyrir lok vikunnar. Ef þær koma of seint sendum við bréf til þín og þá þarf að borga sekt. Það hefur ekki verið vandamál.',
  ],
  [
    'fi',
    'Kirjasto on auki myös sunnuntaisin, mutta kirjat on palautettava ennen viikon loppua. Jos ne ovat myöhässä, lähetämme kirjeen, ja siitä on maksettava pieni sakko, joka ei ole suuri.',
  ],
  [
    'et',
    'Raamatukogu on avatud ka pühapäeviti, aga raamatud tuleb tagastada enne nädala lõppu. Kui need ei ole õigeks ajaks tagasi, siis saadame kirja ning selle eest tuleb maksta väike trahv, mis on väga väike.',
  ],
  [
    'lv',
    'Bibliotēka ir atvērta arī svētdienās, bet grāmatas ir jāatdod līdz nedēļas beigām. Ja tās nav laikā, mēs sūtām vēstuli, un par to ir jāmaksā neliels sods, kas nav ļoti liels.',
  ],
  [
    'lt',
    'Biblioteka yra atvira ir sekmadieniais, bet knygas reikia grąžinti iki savaitės pabaigos. Jei jos vėluoja, mes išsiunčiame laišką, o už tai reikia mokėti nedidelę baudą, kuri nėra labai didelė.',
  ],
  [
    'pl',
    'Biblioteka jest czynna także w niedziele, ale książki trzeba oddać do końca tygodnia. Jeśli nie wrócą na czas, wyślemy list, a za to jest kara, która nie jest bardzo wysoka.',
  ],
  [
    'cs',
    'Knihovna je otevřená také v neděli, ale knihy se musí vrátit do konce týdne. Když nejsou včas zpátky, pošleme dopis a za to se platí pokuta, která není příliš vysoká, ale může být i vyšší.',
  ],
  [
    'sk',
    'Knižnica je otvorená aj v nedeľu, ale knihy sa musia vrátiť do konca týždňa. Keď nie sú včas späť, pošleme list a za to sa platí pokuta, ktorá nie je veľmi vysoká, ale môže byť aj vyššia.',
  ],
  [
    'sl',
    'Knjižnica je odprta tudi ob nedeljah, vendar je treba knjige vrniti do konca tedna. Če jih ni nazaj, bo poslano pismo, za to pa se plača kazen, ki ni zelo visoka, ampak je lahko tudi višja ter bolj neprijetna.',
  ],
  [
    'hr',
    'Knjižnica je otvorena i nedjeljom, ali knjige treba vratiti prije kraja tjedna, što je također važno zbog drugih. Gdje god da su, može se poslati pismo nakon tog dana, a kazna nije visoka.',
  ],
  [
    'sr',
    'Библиотека је отворена и недељом, али књиге треба да се врате пре краја недеље. Ако нису на време враћене, биће послато писмо, а за то се плаћа казна која није висока.',
  ],
  [
    'hu',
    'A könyvtár vasárnap is nyitva van, de a könyveket a hét vége előtt vissza kell hozni. Ha ez nem történik meg, akkor levelet küldünk, és azt is meg kell fizetni, de nem nagyon sok.',
  ],
  [
    'ro',
    'Biblioteca este deschisă și duminica, dar cărțile trebuie să fie aduse înapoi până la sfârșitul săptămânii. Dacă nu sunt la timp, vă trimitem o scrisoare care nu este foarte plăcută.',
  ],
  [
    'ca',
    'La biblioteca és oberta també els diumenges, però els llibres s’han de tornar abans del final de la setmana. Si no hi són, us enviem una carta amb una multa que no és molt alta, i això és tot.',
  ],
  [
    'gl',
    'A biblioteca está aberta tamén os domingos, pero os libros hai que devolvelos antes do final da semana. Se non chegan a tempo, ten que pagar unha multa moi pequena, máis ou menos coma sempre, xa o sabe.',
  ],
  [
    'eu',
    'Liburutegia igandeetan ere irekita dago, baina liburuak astea amaitu baino lehen itzuli behar dira. Egun hori pasa eta gero gutun bat bidaltzen dugu, eta isuna ordaindu behar da, baina ez da oso handia izango.',
  ],
  [
    'sq',
    'Biblioteka është e hapur edhe të dielën, por librat duhet të kthehen deri në fund të javës. Nëse nuk janë në kohë, do të dërgojmë një letër, dhe për këtë ka një gjobë që nuk është shumë e lartë.',
  ],
  [
    'tr',
    'Kütüphane pazar günleri de açık, ama kitapları hafta sonundan önce geri getirmek gerekiyor. Bu olmazsa bir mektup gönderiyoruz ve bunun için çok yüksek olmayan bir ceza var, daha sonra artabilir.',
  ],
  [
    'az',
    'Kitabxana bazar günləri də açıqdır, lakin kitabları həftənin sonuna qədər qaytarmaq lazımdır. Bu olmasa, biz məktub göndəririk və bunun üçün cərimə var, amma o çox yüksək deyil, daha sonra isə arta bilər.',
  ],
  [
    'vi',
    'Thư viện mở cửa cả vào chủ nhật, nhưng sách phải được trả lại trước khi hết tuần. Nếu không, chúng tôi sẽ gửi một lá thư cho bạn, và bạn phải trả tiền phạt, nhưng không nhiều.',
  ],
  [
    'id',
    'Perpustakaan juga buka pada hari Minggu, tetapi buku harus dikembalikan sebelum akhir pekan. Kalau tidak, kami akan mengirim surat karena orang lain juga bisa menunggu, dan ada denda yang sangat kecil untuk itu, bahwa anda tahu.',
  ],
  [
    'ms',
    'Perpustakaan juga dibuka pada hari Ahad, tetapi buku boleh dipulangkan pada bila-bila masa daripada pagi kepada petang. Ada denda yang sangat kecil untuk itu kerana orang lain juga menunggu, iaitu bukan untuk kami.',
  ],
  [
    'tl',
    'Bukas din ang aklatan sa mga araw ng Linggo, ngunit kailangan mong ibalik ang mga aklat bago matapos ang linggo. Kung hindi, magpapadala kami ng sulat at may multa na hindi naman po malaki.',
  ],
  [
    'sw',
    'Maktaba hii iko wazi pia siku ya Jumapili, lakini vitabu vya watu wote lazima virudishwe kabla ya mwisho wa wiki. Kama mtu akichelewa, barua hutumwa kwake na kuna faini kwa sababu hiyo, lakini si kubwa sana.',
  ],
  [
    'ru',
    'Библиотека открыта и по воскресеньям, но книги нужно вернуть до конца недели. Если их нет, мы отправим письмо, и за это будет штраф, который не очень большой, но может быть больше.',
  ],
  [
    'uk',
    'Бібліотека відкрита також у неділю, але книги треба повернути до кінця тижня. Якщо їх немає, ми надішлемо лист, і за це буде штраф, який не дуже великий, але може бути більший після цього.',
  ],
  [
    'be',
    'Бібліятэка адчынена таксама ў нядзелю, але кнігі трэба вярнуць да канца тыдня. Калі іх няма, мы дашлём ліст, і за гэта будзе штраф, які не вельмі вялікі, але можа быць большы пасля гэтага.',
  ],
  [
    'bg',
    'Библиотеката е отворена и в неделя, но книгите трябва да се върнат до края на седмицата. Ако не са върнати, ще изпратим писмо, а за това има глоба, която не е много висока, но може да бъде и по-голяма.',
  ],
  [
    'mk',
    'Библиотеката е отворена и во недела, но книгите треба да се вратат до крајот на седмицата. Ако не се вратени, ќе испратиме писмо, а за ова има казна која не е многу висока, но може да биде и поголема.',
  ],
  [
    'kk',
    'Кітапхана жексенбі күні де ашық, бірақ кітаптарды апта соңына дейін қайтару керек. Егер олай болмаса, біз хат жібереміз және бұл үшін айыппұл бар, ол өте үлкен емес, бірақ кейін өсуі мүмкін.',
  ],
  ['el', 'Η βιβλιοθήκη είναι ανοιχτή και την Κυριακή, αλλά τα βιβλία πρέπει να επιστραφούν.'],
  [
    'ar',
    'المكتبة مفتوحة أيضا يوم الأحد، ولكن يجب إعادة الكتب قبل نهاية الأسبوع. إذا لم تصل في الوقت المحدد، فإننا نرسل رسالة إلى القارئ، وهذه الغرامة ليست كبيرة، وقد تكون أكبر بعد ذلك.',
  ],
  [
    'fa',
    'کتابخانه روزهای یکشنبه هم باز است، اما کتاب ها باید تا پایان هفته برگردانده شود. اگر این کار انجام نشود، برای شما نامه می فرستیم که در آن جریمه نیز هست، اما بسیار کم است.',
  ],
  [
    'ur',
    'لائبریری اتوار کو بھی کھلی ہے لیکن کتابیں ہفتے کے آخر تک واپس کرنی ہیں۔ اگر وہ وقت پر نہیں آئیں تو ہم آپ کو ایک خط بھیجیں گے اور اس کے لیے جرمانہ بھی ہے جو زیادہ نہیں۔',
  ],
  [
    'he',
    'הספרייה פתוחה גם ביום ראשון, אבל יש להחזיר את הספרים עד סוף השבוע. אם הם לא הגיעו בזמן, נשלח מכתב, ועל זה יש קנס, אך הוא לא גבוה יותר.',
  ],
  [
    'hi',
    'पुस्तकालय रविवार को भी खुला रहता है, लेकिन किताबें सप्ताह के अंत तक वापस करनी होती हैं। अगर वे समय पर नहीं आईं, तो हम आप को एक पत्र भेजेंगे और इस के लिए जुर्माना है।',
  ],
  [
    'mr',
    'ग्रंथालय रविवारीही उघडे असते आणि पुस्तके आठवड्याच्या शेवटी परत करायची आहेत. ती वेळेवर आली नाही तर आम्ही पत्र पाठवतो व दंड आहे, पण तो मोठा नाही, हे सर्व माहीत आहे.',
  ],
  [
    'ne',
    'पुस्तकालय आइतबार पनि खुला छ, तर पुस्तकहरू हप्ताको अन्त्य सम्म फिर्ता गर्न पर्छ। समयमा नआए हामी पत्र पठाउँछौं र यस को लागि जरिवाना छ, तर त्यो ठूलो छैन भने सबै खुसी हुन्छ।',
  ],
  [
    'bn',
    'গ্রন্থাগার রবিবারও খোলা থাকে, কিন্তু বই সপ্তাহের শেষ হওয়ার আগে ফেরত দিতে হয় এবং না দিলে একটি চিঠি পাঠানো হয়। এর জন্য জরিমানা আছে, তবে তা বেশি না।',
  ],
  ['ja', '図書館は日曜日も開いていますが、本は週末までに返してください。遅れた場合は、お手紙をお送りします。'],
  ['zh', '图书馆星期天也开放，但是书必须在周末之前归还。如果没有按时归还，我们会给您寄一封信，并收取少量罚款。'],
  ['zh', '圖書館星期天也開放，但是書必須在週末之前歸還。如果沒有按時歸還，我們會給您寄一封信，並收取少量罰款。'],
  ['ko', '도서관은 일요일에도 문을 열지만 책은 주말까지 반납해야 합니다. 늦으면 편지를 보내 드립니다.'],
  ['th', 'ห้องสมุดเปิดวันอาทิตย์ด้วย แต่ต้องคืนหนังสือก่อนสิ้นสัปดาห์'],
  ['ka', 'ბიბლიოთეკა კვირასაც ღიაა, მაგრამ წიგნები უნდა დაბრუნდეს.'],
  ['hy', 'Գրադարանը բաց է նաև կիրակի օրերին, բայց գրքերը պետք է վերադարձնել։'],
  ['ta', 'நூலகம் ஞாயிற்றுக்கிழமையும் திறந்திருக்கும், ஆனால் புத்தகங்களைத் திருப்பித் தர வேண்டும்.'],
];

describe('the language of a text', () => {
  for (const [language, text] of TEXTS) {
    it(`is ${language} for “${text.slice(0, 30)}…”`, () => assert.equal(languageOf(text), language));
  }
});

describe('no language is detected', () => {
  const cases: [title: string, text: string][] = [
    ['for a short text', 'The end of the story'],
    ['for a short text in Han signs, which can be Japanese', '東京都交通局路線図'],
    [
      'for filler text',
      'Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor incididunt ut labore et dolore magna aliqua. Ut enim ad minim veniam, quis nostrud exercitation ullamco laboris nisi ut aliquip ex ea commodo consequat.',
    ],
    [
      'for a list of names',
      'Anna Schmidt, John Smith, María García, Jean Dupont, Giulia Rossi, Piotr Nowak, Lars Hansen, Ana Silva, Jan de Vries, Emma Johansson, Mehmet Yılmaz',
    ],
    [
      'for source text',
      'const value = await fetch(address); if (value.ok) { return value.json(); } else { throw new Error(value.statusText); } for (let i = 0; i < 10; i++) console.log(i);',
    ],
    ['for two languages in equal parts', `${TEXTS[0]?.[1]} ${TEXTS[1]?.[1]}`],
    [
      'for two scripts in equal parts',
      'The library is open on Sundays, but you will have to bring. Библиотека открыта и по воскресеньям, но книги нужно вернуть',
    ],
    [
      'for Esperanto, which is not among those known',
      'La biblioteko estas malfermita ankaŭ dimanĉe, sed la libroj devas esti redonitaj antaŭ la fino de la semajno. Se ili malfruas, ni sendos al vi leteron, kaj oni devas pagi malgrandan monpunon.',
    ],
    [
      'for Welsh, which is not among those known',
      'Mae’r llyfrgell ar agor ar ddydd Sul hefyd, ond rhaid dychwelyd y llyfrau cyn diwedd yr wythnos. Os ydynt yn hwyr, byddwn yn anfon llythyr atoch, ac mae dirwy fach i’w thalu.',
    ],
    [
      'for Mongolian, which is not among those known',
      'Номын сан ням гарагт ч нээлттэй боловч номыг долоо хоног дуусахаас өмнө буцаах ёстой. Хэрэв хоцорвол бид захидал илгээх бөгөөд торгууль төлөх болно.',
    ],
    ['for figures and marks', '1234567890 '.repeat(50)],
    ['for nothing', ''],
  ];
  for (const [title, text] of cases) it(title, () => assert.equal(languageOf(text), undefined));
});
