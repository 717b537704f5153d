import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { itWrites, markdownOf } from '../../../test/support/markdown-cases.ts';

describe('footnotes', () => {
  it('take linear time, whatever their numbers', () => {
    const many = 20_000;
    const indices = Array.from({ length: many }, (_, index) => index);
    const references = indices.map((index) => `<sup><a href="#f${index}">1</a></sup> `);
    const texts = indices.map((index) => `<dt id="f${index}">1<dd>a`);
    const markdown = markdownOf(`<p>${references.join('')}</p><dl>${texts.join('')}</dl>`);
    assert.ok(markdown.endsWith(`[^1-${many}]: a`));
  });

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
      'are those marked as such',
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
      'need a text',
      '<p>a<sup><a href="#gone">1</a></sup><p hidden id=gone>b',
      'a<sup>[1](https://example.com/dir/page#gone)</sup>',
    ],
    [
      'are those of Sphinx',
      '<p>a <a class="footnote-reference brackets" href="#id3" id="id1" role="doc-noteref"><span class="fn-bracket">[</span>1<span class="fn-bracket">]</span></a> b<a class="footnote-reference brackets" href="#id4" id="id2" role="doc-noteref"><span class="fn-bracket">[</span>2<span class="fn-bracket">]</span></a></p><aside class="footnote-list brackets"><aside class="footnote brackets" id="id3" role="doc-footnote"><span class="label"><span class="fn-bracket">[</span><a role="doc-backlink" href="#id1">1</a><span class="fn-bracket">]</span></span><p>c</p><p>d</p></aside><aside class="footnote brackets" id="id4" role="doc-footnote"><span class="label"><span class="fn-bracket">[</span>2<span class="fn-bracket">]</span></span><span class="backrefs">(<a role="doc-backlink" href="#id2">1</a>,<a role="doc-backlink" href="#id9">2</a>)</span><p>e</p></aside></aside>',
      'a [^1] b[^2]',
      '',
      '[^1]: c',
      '',
      '    d',
      '',
      '[^2]: e',
    ],
    [
      'are the definition lists of Sphinx before 5',
      '<p>a<a class="footnote-reference brackets" href="#id3" id="id1">1</a> b<a class="footnote-reference brackets" href="#id4" id="id2">2</a></p><dl class="footnote brackets"><dt class="label" id="id3"><span class="brackets"><a class="fn-backref" href="#id1">1</a></span></dt><dd><p>c</p></dd><dt class="label" id="id4"><span class="brackets">2</span><span class="fn-backref">(<a href="#id2">1</a>,<a href="#id9">2</a>)</span></dt><dd><p>d</p></dd></dl>',
      'a[^1] b[^2]',
      '',
      '[^1]: c',
      '',
      '[^2]: d',
    ],
    [
      'are the tables of docutils',
      '<p>a<a class="footnote-reference" href="#id3" id="id1">[1]</a></p><table class="docutils footnote" id="id3" rules="none"><colgroup><col class="label"><col></colgroup><tbody><tr><td class="label"><a class="fn-backref" href="#id1">[1]</a></td><td>b <i>c</i></td></tr></tbody></table>',
      'a[^1]',
      '',
      '[^1]: b *c*',
    ],
    [
      'are not the other links of Sphinx',
      '<p>a <a class="reference internal" href="#if">if</a></p><section id="if"><h2>b</h2><p>c</p></section>',
      'a [if](https://example.com/dir/page#if)',
      '',
      '## b',
      '',
      'c',
    ],
    [
      'include the brackets that DocBook and AsciiDoc set around the link',
      '<p>a<sup class="footnote">[<a id="r1" class="footnote" href="#d1">1</a>]</sup></p><div class="footnote" id="d1"><a href="#r1">1</a>. b</div>',
      'a[^1]',
      '',
      '[^1]: b',
    ],
    [
      'have their number only once (mdBook sets it before the text)',
      '<p>a<sup class="footnote-reference"><a href="#1">1</a></sup></p><div class="footnote-definition" id="1"><sup class="footnote-definition-label">1</sup><p>b</p></div>',
      'a[^1]',
      '',
      '[^1]: b',
    ],
    [
      'are below the headings of Texinfo',
      '<p>a<a class="footnote" id="DOCF1" href="#FOOT1"><sup>1</sup></a></p><div class="footnotes-segment"><hr><h4>Footnotes</h4><h5 class="footnote-body-heading"><a id="FOOT1" href="#DOCF1">(1)</a></h5><p>b</p></div>',
      'a[^1]',
      '',
      '---',
      '',
      '#### Footnotes',
      '',
      '[^1]: b',
    ],
    [
      'begin with their number if nothing refers to them, as citations begin with their name',
      '<p>a <a class="reference internal" href="#cit2002" id="id5"><span>[CIT2002]</span></a></p><aside class="footnote brackets" id="id9" role="doc-footnote"><span class="label"><span class="fn-bracket">[</span>3<span class="fn-bracket">]</span></span><p>b</p></aside><div class="citation" id="cit2002" role="doc-biblioentry"><span class="label"><span class="fn-bracket">[</span><a role="doc-backlink" href="#id5">CIT2002</a><span class="fn-bracket">]</span></span><p>c</p><p>d</p></div>',
      'a [\\[CIT2002\\]](https://example.com/dir/page#cit2002)',
      '',
      '[3] b',
      '',
      '[CIT2002] c',
      '',
      'd',
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
