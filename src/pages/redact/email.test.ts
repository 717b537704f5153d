import { testFindings } from '../../../test/support/marked-text.ts';
import { findEmails } from './email.ts';

testFindings(findEmails, [
  'Write to «john.doe@example.com».',
  "«o'brien+news@mail.example.co.uk», «x_y-z%2Bw@example.museum»",
  '\'«jane@example.com»\' and "«joe@example.com»"',
  // Markdown: autolinks whole, escapes inside, emphasis outside.
  'Mail «<jane@example.com>» or «<mailto:jane@example.com>»',
  '«first\\_last@example.com»',
  '**«jane@example.com»**, _«jane@example.com»_, `«jane@example.com»`',
  '| «jane@example.com» | «joe@example.com» |',
  '[«jane@example.com»](mailto:«jane@example.com»)',
  '[write](mailto:«jane@example.com»?subject=Hello&cc=«joe@example.com»)',
  // Addresses.
  'https://shop.example/unsubscribe?email=«jane%40example.com»&list=4',
  'https://shop.example/u?name=a%20«bob%40example.com»',
  // Languages.
  '請寄«abc@example.com»謝謝',
  '邮箱：«user123@163.com»。',
  '«иван.петров@почта.рф», «info@münchen.example», «jürgen@müller.example»',
  '«用户@例子.公司» ',
  'お問い合わせは«support＠example.jp»まで',
  'البريد: «info@example.sa»',
  // Written against robots.
  '«john [at] example [dot] com», «john(at)example.com», «john\\[at\\]example.com», «john {at} example {dot} org»',
  '«john[@]example.com»',
  // Sentences go on without a space.
  'a@b, «jane@example.com».',
  '«jane@example.com»,«joe@example.com»;«jim@example.com»',

  // Near misses.
  'Follow @jane and @jane@social.example',
  'https://social.example/@jane@other.example',
  'npm install left-pad@1.3.0 react@18.2.0-beta.next lodash@latest',
  'git clone git@github.com:owner/repo.git',
  'ssh://git@github.com/owner/repo.git and https://user:secret@example.com/',
  'https://token@example.com/path',
  '![](https://cdn.example/icon@2x.png) logo@3x.webp',
  'a@b a@@b.co me@localhost @ @@ @@@ x@ @y.com',
  'at 5 pm [at] the office',
  'user@-example.com user@.com',
]);
