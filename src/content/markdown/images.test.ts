import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { itWrites, markdownOf } from '../../../test/support/markdown-cases.ts';

/** Large enough to be an image and no placeholder. */
const DATA = `data:image/png;base64,${'A'.repeat(300)}`;

describe('images', () => {
  itWrites([
    [
      'have a description and a title',
      '<img src=/a.png alt="b [c]" title=\'d "e"\'>',
      '![b \\[c\\]](https://example.com/a.png "d \\"e\\"")',
    ],
    ['need no description', '<img src="a b.png">', '![](https://example.com/dir/a%20b.png)'],
    ['are linked', '<a href=/a><img src=/b.png alt=c></a>', '[![c](https://example.com/b.png)](https://example.com/a)'],
    [
      'come late',
      '<img src="data:image/gif;base64,R0lGOD" data-src=/a.png><img src=/blank.gif srcset="/b.png 1x, /c.png 2x">',
      '![](https://example.com/a.png)![](https://example.com/c.png)',
    ],
    [
      'come late without scripts',
      '<img src="data:image/gif;base64,R0lGOD" alt=a><noscript><img src=/a.png alt=a></noscript>',
      '![a](https://example.com/a.png)',
    ],
    ['come once', '<img data-src=/a.png><noscript><img src=/a.png></noscript>', '![](https://example.com/a.png)'],
    [
      'come in several formats',
      '<picture><source srcset="/a.webp 1x, /b.webp 2x"><img src=/c.png></picture><picture><source srcset=/d.webp><img></picture>',
      '![](https://example.com/c.png)![](https://example.com/d.webp)',
    ],
    ['are left out when they count visits', '<img src=/a.png width=1 height=1>b', 'b'],
    ['are left out when they have no address', '<img alt=a>b', 'b'],
    [
      'are emoji',
      'a <img src=/e.png alt="👍🏽"> <img src=/f.png alt="1"> b',
      'a 👍🏽 ![1](https://example.com/f.png) b',
    ],
    ['lose data addresses, and keep their description', `<img src="${DATA}" alt=a><img src="${DATA}">`, '![a]()'],
  ]);

  it('keep data: addresses when asked to', () => {
    assert.equal(markdownOf(`<img src="${DATA}" alt=a>`, false), `![a](${DATA})`);
  });
});

describe('frames, video and audio', () => {
  itWrites([
    [
      'are links',
      '<iframe src="https://video.example.org/embed/1" title="a b"></iframe><video src=/c.mp4></video><audio><source src=/d.mp3></audio>',
      '[a b](https://video.example.org/embed/1)',
      '',
      '[Video](https://example.com/c.mp4)',
      '',
      '[Audio](https://example.com/d.mp3)',
    ],
    [
      'are called after their host',
      '<iframe src="https://video.example.org/embed/1"></iframe>',
      '[video.example.org](https://video.example.org/embed/1)',
    ],
    [
      'are left out when they show nothing',
      'a<iframe src="about:blank"></iframe><iframe src=/b width=0 height=0></iframe><video></video>',
      'a',
    ],
    ['are text in a link', '<a href=/a><video src=/b.mp4 title=c></video></a>', '[c](https://example.com/a)'],
  ]);
});
