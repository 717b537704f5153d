/**
 * The most frequent function words of languages that share their script with others, by ISO 639-1 code. The part before
 * an apostrophe is a word (`qu'`). A word that several languages share counts less for each, so a list can include it.
 * Latin and Cyrillic letters that are words are left out: lists of goods are full of single letters. Latin is included
 * so that filler text ("Lorem ipsum") is not taken for another language.
 */
export const FUNCTION_WORDS: readonly (readonly [language: string, words: string])[] = [
  // Latin script
  [
    'en',
    'the of and to in is that for it with as was on are be this by at from or an have not which you his her but they their we has been were will can would more when who your our what how about if there all',
  ],
  [
    'de',
    'der die und das den von ist mit des sich im dem nicht ein eine auf für auch als werden an aus er sie wie nach bei einer einen um am sind oder zum zur haben nur über wird einem kann durch noch ich wir aber wenn mehr bis es zu war so vor ihre unsere',
  ],
  [
    'fr',
    'le la les de des du et est en un une que qui dans pour pas au sur avec ne se par plus ce sont il elle aux ou son sa ses nous vous ont cette mais leur comme être fait qu été avoir tout très notre votre ces je on',
  ],
  [
    'es',
    'de la que el en los se del las un por con una para es su al lo como más pero sus le ya este sí porque esta entre cuando muy sin sobre también me hasta hay donde quien desde nos todo durante ha son está fue no ser tiene nuestro puede',
  ],
  [
    'pt',
    'de que do da em um para com não uma os no se na por mais as dos como mas foi ao ele das tem seu sua ou ser quando muito há nos já está eu também só pelo pela até isso ela entre era depois sem mesmo aos são você nosso nossa pode',
  ],
  [
    'it',
    'di il la che in un per una del con non della si le da dei al sono gli alla più come nel ha ma anche lo questo se ai delle dal nella sul questa essere ci tutti tra dalla era suo sua loro perché quando molto degli',
  ],
  [
    'nl',
    'de het een van en in is dat op te zijn met voor niet die aan er om ook als dan maar bij uit door naar wordt over ze hij je was nog worden heeft hebben kan deze tot of wij geen wel meer we dit zich onze kunnen wat veel',
  ],
  [
    'af',
    'die van en in is het dat nie met vir te aan om op hy was sy as ook deur wat word kan hulle ons maar by sal uit jy ek meer tot daar so of na se baie hierdie een wees moet',
  ],
  [
    'sv',
    'och att det en som är av för på den med till inte om har ett de var jag från men så kan ska eller när vi man han under du efter också vid än nu sig alla mot hade där hur vara mycket finns bara denna våra',
  ],
  [
    'da',
    'og at det en som er af for på den med til ikke om har et de var jeg fra men så kan skal eller når vi man han under du efter også ved sig alle mod havde der hvor være meget blev bliver være kun denne vores hun dem',
  ],
  [
    'no',
    'og at det en som er av for på den med til ikke om har et de var jeg fra men så kan skal eller når vi man han under du etter også ved seg alle mot hadde der hvor være mye ble blir bare denne våre hun dem mer noe',
  ],
  [
    'is',
    'og að er sem við það til um með fyrir af ekki en hann var eru ég var því verið þetta hefur hún einnig þau þá þar eða frá eftir þegar þess svo verður voru mjög sé',
  ],
  [
    'fi',
    'ja on ei se että oli hän ovat mutta kun myös joka kuin sen tai ole ovat niin jos voi mitä sekä mukaan olla tämä kanssa jotka jo vain ollut nyt vielä sitä hyvin ne me tässä siitä hänen minä olen',
  ],
  [
    'et',
    'ja on ei et see oli ta ka mis aga kui siis nii või oma mida seda ning kes välja üle selle pärast peale juba oleks veel mitte need tema olnud väga saab olla nagu',
  ],
  [
    'lv',
    'un ir no ar par kas uz ka tā arī bet lai pēc tas kā vai tika viņš to kurš pie bija savu nav ļoti var tikai līdz ja šo tiek mūsu jūs jau gan būs',
  ],
  [
    'lt',
    'ir yra kad su iš tai kaip bet apie buvo jo tik už po nuo jis ar kurie dėl iki kuris savo dar gali pagal taip jau mūsų labai ne jų bus per arba šis',
  ],
  [
    'pl',
    'na się nie do to że jest jak po od ale za przez co dla tym są może oraz tego jego które ze być tylko ich które który jej czy już był było tak przy która także lub bardzo mnie ma',
  ],
  [
    'cs',
    'se na je že do to ve jsou pro jako za by po ale od ze které který si jeho bylo byl také být jen která při aby jsem není nebo když podle více až mezi již které může však byla tak',
  ],
  [
    'sk',
    'sa na je že do to aj vo sú pre ako za by po ale od zo ktoré ktorý si jeho bolo bol tiež byť len ktorá pri aby som nie je alebo keď podľa viac až medzi už môže však bola tak pri ich',
  ],
  [
    'sl',
    'in je na se za da so ki pa tudi ne po kot bi ali od do pri kako več ter ni lahko bil bila ker med bilo še samo pod si smo sem zelo tako njegov bo vse',
  ],
  [
    'hr',
    'je se na da za su od što koji kao ne ili te iz do bi koje koja će sam nije kako samo ali još više bio bila prije uz biti može također nakon zbog gdje svoje ovo dio vrijeme',
  ],
  [
    'sr',
    'je se na da za su od sa što koji kao ne ili iz do bi koje koja će sam nije kako samo ali još više bio bila pre uz biti može takođe nakon zbog gde svoje ovo deo vreme šta ovde',
  ],
  [
    'hu',
    'az és hogy nem is egy ez de meg csak volt már ki mint vagy ha el ezt még kell van azt fel amely amit lehet után alatt nagyon minden akkor ami lesz pedig által szerint sem majd több között neki',
  ],
  [
    'ro',
    'de și în la cu nu pe un că este din care pentru mai se au fost fi ce sau dar prin are după ca al ale lui sunt acest această ei să le iar am foarte ar când până unde între ul',
  ],
  [
    'ca',
    'de la el que en les per els del un amb és una no es al dels com més ha són però també pel va seva seu aquest aquesta entre ser on fins hi quan molt han ens nostra perquè tot',
  ],
  [
    'gl',
    'de que do da en un para con non unha os no se na por máis as dos como pero foi ao das ten seu súa ou ser cando moi hai nos xa está tamén só polo pola ata isto entre era sen son pode',
  ],
  [
    'eu',
    'eta da ez du bat ere egin zen izan dira den baina dute edo zuen beste hau hori bere izango baino dela ditu oso egiten duen behar ari gara dago dugu arte',
  ],
  [
    'sq',
    'të në dhe me për që nga një së është si do ka më nuk se por janë tij kjo ky ishte edhe ai pas kanë duke kur mund shumë ose deri vetëm sipas',
  ],
  [
    'tr',
    've bir bu da de için ile olarak çok daha gibi olan ne var en kadar ise sonra ama değil her mi olduğu ya ki oldu ben sen biz onun tarafından veya göre şey kendi bunu olduğunu yok ancak',
  ],
  [
    'az',
    'və bir bu üçün ilə də ki da olan olaraq çox daha sonra var kimi onun isə edir hər lakin deyil görə qədər ən idi mən biz edən olub ya öz etmək tərəfindən',
  ],
  [
    'vi',
    'và của là có được cho không trong người một các với này những để đã khi về từ đến tôi như ra nhiều trên cũng tại năm theo sẽ lại phải hơn bạn nhưng vào làm',
  ],
  [
    'id',
    'yang dan di untuk dengan ini dari dalam pada tidak itu adalah akan juga ke karena oleh saya atau kami bisa telah dapat sebagai lebih ada anda kita mereka bahwa sudah hanya tersebut saat seperti kalau sangat bukan',
  ],
  [
    'ms',
    'yang dan di untuk dengan ini dari dalam pada tidak itu adalah akan juga ke kerana oleh saya atau kami boleh telah dapat sebagai lebih ada anda kita mereka bahawa sudah hanya tersebut semasa seperti sangat bukan ialah iaitu daripada kepada',
  ],
  [
    'tl',
    'ang ng sa na mga at ay ni para ito kung hindi siya may mo ako ko si isang lang pa rin niya nang kanyang din naman dahil kanilang sila po kaya mula upang ating',
  ],
  [
    'sw',
    'na ya wa kwa ni katika za la kuwa hii cha kama au vya hiyo pia hivyo huo yake wake hapo sana lakini baada mtu watu kwamba huu ambao hao yao kila hayo wao',
  ],
  [
    'la',
    'et in est non ad ut cum sed qui ex quod sit aut quam amet dolor ipsum ac vel si nec enim nisi sunt eius nunc lorem eget quis vitae',
  ],
  // Cyrillic script
  [
    'ru',
    'не на что по как это он но из для от его за так все или же был бы при также если она мы вы только может было которые до является ещё еще их были более чтобы этот во когда где того очень',
  ],
  [
    'uk',
    'не на що та до як для це за від про він але його або так по при також був якщо вона ми ви тільки може було які ще їх були більш щоб цей коли де дуже після має та бути через',
  ],
  [
    'be',
    'не на што да як для гэта за ад пра ён але яго або так па пры таксама ёсць быў калі яна мы вы толькі можа было якія яшчэ іх былі больш каб гэты дзе вельмі пасля мае быць праз',
  ],
  [
    'bg',
    'на не се да за от по са че като до или но при му си след ще които който това също така има беше той тя ви ние само може още както към без през бил много през тези която със',
  ],
  [
    'mk',
    'во на не се да за од со по се дека како до или но при му си по ќе кои кој ова исто така има беше тој таа ние само може уште кон без низ бил многу овие која што ги го',
  ],
  [
    'sr',
    'је се на да за су од са што који као не или из до би које која ће сам није како само али још више био била пре уз бити може такође након због где своје ово део време шта овде',
  ],
  [
    'kk',
    'және мен бұл үшін бір да деп де бар болып ол осы немесе пен ретінде болды керек кейін үлкен оның жылы өз сол емес дейін бойынша туралы арқылы',
  ],
  // Arabic script
  [
    'ar',
    'في من على إلى أن هذا التي عن هذه الذي مع لا ما كان هو ذلك قد أو كما بعد بين كل هي لم تم غير حيث عند إن وقد ثم حتى كانت قبل لكن نحن يمكن',
  ],
  [
    'fa',
    'و در به از که این را با است برای آن یک خود تا کرد بر هم نیز می شود شده ها های ما بود اما دو یا باید شد اگر هر آنها ای دارد کند بسیار پس نمی',
  ],
  [
    'ur',
    'کے کی میں اور ہے سے کا کو اس نے پر یہ کہ ہیں ایک بھی تھا نہیں وہ ہو کر تو جو ان تھے لیے گیا رہے ہی کیا یا اپنے تک ہم آپ بعد ساتھ تھی',
  ],
  ['ckb', 'لە بە و کە بۆ ئەم لەگەڵ دا ئەو هەر وەک بوو ئەوەی یان لەسەر دەکات'],
  ['ps', 'د په او چې ته له کې دا هم نه سره یې کړي دی شي ده کړ'],
  // Devanagari script
  [
    'hi',
    'के है में की और से का को पर यह ने हैं एक कि भी इस नहीं तो ही हो कर था वह जो किया लिए अपने थे साथ रहा गया बाद तक या होता सकते कुछ',
  ],
  [
    'mr',
    'आहे आणि या व ते तो होते हे मध्ये आहेत नाही एक की ही मी तर असे होता करण्यात झाले म्हणून केले काही पण त्यांनी त्या होती आपल्या किंवा सर्व',
  ],
  ['ne', 'र छ मा को का हो यो छन् पनि भने लागि गर्न गरेको थियो हुन् एक तथा भएको नेपाल गरी नै छैन तर यस हुन्छ बाट गर्दै रहेको सबै'],
  // Hebrew, Bengali and Ethiopic script
  ['he', 'של את על לא הוא זה עם היא אל כי או גם אני כל יש אם היה הם אך רק מה לו אבל בין זו יותר אשר אין'],
  ['yi', 'און איז די דער אין פון צו מיט האט נישט אויף פֿון זיך דאס דאָס אַ ווי איך האָט'],
  ['bn', 'এই করে থেকে ও এবং তার হয় একটি না জন্য করা যে হয়েছে তিনি সঙ্গে এর কিন্তু করতে তাদের আমি কোনো'],
  ['as', 'আৰু পৰা এই হয় বাবে যে কৰা কৰে এটা তেওঁ ইয়াৰ হৈছে'],
  ['am', 'ነው እና ላይ ወደ ውስጥ ነበር ግን ይህ እንደ ሁሉ ጋር ሲሆን ስለ ነገር ደግሞ'],
  ['ti', 'ናይ ኣብ እዩ እቲ ነቲ ካብ ምስ እዚ ድማ ከም'],
];
