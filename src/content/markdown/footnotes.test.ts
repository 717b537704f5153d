import { describe } from 'node:test';
import { itWrites } from '../../../test/support/markdown-cases.ts';

describe('footnotes', () => {
  itWrites([
    [
      'are references and texts',
      '<p>a<sup><a href="#fn1" id=r1>1</a></sup> b<sup><a href="#fn2" id=r2>2</a></sup></p><ol><li id=fn1>c <a href="#r1">↩</a></li><li id=fn2><p>d</p><p>e <a href="#r2" class=footnote-back>back</a></p></li></ol>',
      'a[^1] b[^2]',
      '',
      '[^1]: c',
      '[^2]: d',
      '',
      '    e',
    ],
    [
      'have the link around the number or the number around the link',
      '<p>a<a href="#fn1"><sup>[1]</sup></a><div id=fn1><a href="#r1">1</a> b</div>',
      'a[^1]',
      '',
      '[^1]: b',
    ],
    [
      'are those of wikis',
      '<p>a<sup id=cite_ref-x-1 class=reference><a href="#cite_note-x-1"><span>[</span>1<span>]</span></a></sup></p><ol class=references><li id="cite_note-x-1"><b><a href="#cite_ref-x-1">^</a></b> <span>b</span></li></ol>',
      'a[^1]',
      '',
      '[^1]: b',
    ],
    [
      'are those that say so',
      '<p>a <a role=doc-noteref href="#n">*</a></p><aside id=n>b <a role=doc-backlink href="#r">return</a></aside>',
      'a [^note]',
      '',
      '[^note]: b',
    ],
    [
      'are referred to more than once',
      '<p>a<sup><a href="#f">1</a></sup> b<sup><a href="#f">1</a></sup><p id=f>c',
      'a[^1] b[^1]',
      '',
      '[^1]: c',
    ],
    [
      'have labels of their own',
      '<p>a<sup><a href="#f">1</a></sup> b<sup><a href="#g">1</a></sup><p id=f>c<p id=g>d',
      'a[^1] b[^1-2]',
      '',
      '[^1]: c',
      '',
      '[^1-2]: d',
    ],
    [
      'are not there without a text',
      '<p>a<sup><a href="#gone">1</a></sup><p hidden id=gone>b',
      'a<sup>[1](https://example.com/dir/page#gone)</sup>',
    ],
    [
      'are not links to sections',
      '<p>a <a href="#s">1</a><div id=s><h2>b</h2></div>',
      'a [1](https://example.com/dir/page#s)',
      '',
      '## b',
    ],
  ]);
});
