import { describe } from 'node:test';
import { itWrites } from '../../../test/support/markdown-cases.ts';

describe('embedded documents', () => {
  itWrites([
    ['are links to frames', '<iframe src="/map" title="Map"></iframe>', '[Map](https://example.com/map)'],
    [
      'are links with their title or file name, without the fallback text',
      '<object data="/doc/a%20b.pdf" type="application/pdf"><p>Get a better browser.</p></object><embed src="c.pdf" title="d">',
      '[a b.pdf](https://example.com/doc/a%20b.pdf)',
      '',
      '[d](https://example.com/dir/c.pdf)',
    ],
    [
      'are links to players, once',
      '<object width="425"><param name="movie" value="https://video.example/v/x"><embed src="https://video.example/v/x" type="application/x-shockwave-flash"></object>',
      '[video.example](https://video.example/v/x)',
    ],
    [
      'are pictures',
      '<object data="a.svg" type="image/svg+xml"><img src="a.png" alt="b"></object><embed type="image/png" src="/c" title="d [e]">',
      '![b](https://example.com/dir/a.svg)![d \\[e\\]](https://example.com/c)',
    ],
    [
      'are their fallback content if they cannot be opened',
      '<object type="text/html"><p>a</p></object><object data="data:text/html,x"><img src="b.png" alt="c"></object><object data="d.swf"><p>e</p></object><embed src="javascript:f()">',
      'a',
      '',
      '![c](https://example.com/dir/b.png)',
      '',
      'e',
    ],
  ]);
});
