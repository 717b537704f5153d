import type { ElementNode } from '../tree.ts';
import type { Renderer } from './renderer.ts';

/** How highlighters name the language in a class of the code or of a box around it. */
const NAMED = [
  /(?:^|\s)(?:language|highlight-(?:source|text)|(?:[\w-]+-)?highlight-lang)-([\w+#.-]+)/i,
  /(?:^|\s)brush:\s*([\w+#.-]+)/i,
  /(?:^|\s)highlight-([\w+#.]+)(?:\s|$)/i,
];
/** Only on the code itself: elsewhere `lang-en` is a human language. */
const NAMED_ON_CODE = /(?:^|\s)(?:lang|src)-([\w+#.-]+)/i;
/** Around code, only for known programming languages: `lang-rust`, `type-python` (GitHub's gists), `phpcode`. */
const NAMED_AROUND = /(?:^|\s)(?:lang-([\w+#.-]+)|data type-([\w+#.-]+)|([a-z]+)code(?:\s|$))/i;
/** Classes of boxes around code that may have the bare language beside them: `<figure class="highlight js">`. */
const CODE_BOX =
  /(?:^|\s)(?:highlight|codehilite|syntaxhighlighter|source-?code|code(?:-?block)?|listing|src)(?:\s|$)/i;
const ATTRIBUTES = ['data-code-language', 'data-code-lang', 'data-enlighter-language', 'data-tagsearch-lang'];

/** Languages recognised as a class of their own: `<pre class="hljs python">`. */
const KNOWN = new Set(
  'ada asm astro awk bash bat c cjs clojure cmake console cpp cs csharp css cuda d dart diff docker dockerfile elixir elm erlang fish fortran fsharp go golang gradle graphql groovy haskell hcl html http ini java javascript js json json5 jsonc jsx julia kotlin latex less lisp lua makefile markdown matlab mermaid mjs mysql nginx nim nix objectivec ocaml pascal perl php powershell prolog protobuf ps1 pycon py python python3 r rb ruby rust sass scala scheme scss sh shell shell-session solidity sql svelte swift systemverilog tcl terraform tex toml ts tsx twig typescript vb vbnet verilog vhdl vim vue wasm xml yaml yml zig zsh'.split(
    ' ',
  ),
);
/** What highlighters write if they do not know the language. */
const UNKNOWN = new Set([
  'none',
  'plain',
  'plaintext',
  'text',
  'txt',
  'default',
  'auto',
  'nohighlight',
  'undefined',
  'wrapper',
]);
/** Endings of GitHub's grammar names that are not languages themselves. */
const GRAMMARS = new Map(Object.entries({ 'css-less': 'less', 'css-scss': 'scss', 'html-basic': 'html' }));
/** Display names that differ from the names that highlighters use. */
const NAMES_FOR_PEOPLE = new Map(
  Object.entries({
    'c#': 'csharp',
    'c++': 'cpp',
    'f#': 'fsharp',
    'objective-c': 'objectivec',
    'plain text': 'text',
    'shell session': 'console',
    'vb.net': 'vbnet',
    'visual basic': 'vb',
  }),
);
/** Words that appear above code where a language would, but are not languages. */
const NO_LANGUAGES = new Set(['code', 'example', 'input', 'output', 'result', 'sample', 'terminal']);

/** How many boxes a highlighter puts around the code, not counting parts of tables. */
const MAX_BOXES = 3;
const TABLE_PARTS = new Set(['table', 'tbody', 'tr', 'td']);

/** The language of a code block as named by the block, a box around it or a label beside it; '' if nothing names it. */
export function languageOf(element: ElementNode, page: Renderer): string {
  const own = ownLanguageOf(element);
  if (own !== '') return own;
  let box = element.parent;
  for (let level = 0; box !== null && level < MAX_BOXES; box = box.parent) {
    const language = onBox(box) || aroundCode(box);
    if (language !== '') return language;
    if (!TABLE_PARTS.has(box.name)) level++;
  }
  return page.codeLabels.languageOf(element);
}

/** The language as named by the element itself or by the `<code>` in it. */
export function ownLanguageOf(element: ElementNode): string {
  const inner = codeIn(element, MAX_BOXES);
  return (inner === null ? '' : onCode(inner)) || onCode(element);
}

/** The language named by a visible label; '' if the label says that there is none; null if it is not such a label. */
export function languageOfLabel(text: string, isNamed: boolean): string | null {
  const lower = text.trim().toLowerCase();
  const name = NAMES_FOR_PEOPLE.get(lower) ?? lower;
  if (UNKNOWN.has(name)) return isNamed ? '' : null;
  if (KNOWN.has(name)) return name;
  return isNamed && !NO_LANGUAGES.has(name) && /^[a-z][\w+#-]{0,29}$/.test(name) ? name : null;
}

function codeIn(element: ElementNode, boxes: number): ElementNode | null {
  for (const child of element.children) {
    if (child.kind === 'text') continue;
    if (child.name === 'code') return child;
    const inner = boxes > 0 ? codeIn(child, boxes - 1) : null;
    if (inner !== null) return inner;
  }
  return null;
}

function onCode(element: ElementNode): string {
  const { class: name = '', lang } = element.attributes;
  return onBox(element) || known(NAMED_ON_CODE.exec(name)?.[1]) || bareName(name) || ofLang(lang);
}

function onBox({ attributes }: ElementNode): string {
  const language = known(attributes['data-lang'] ?? attributes['data-language']);
  if (language !== '') return language;
  const name = attributes.class ?? '';
  for (const pattern of NAMED) {
    const named = known(pattern.exec(name)?.[1]);
    if (named !== '') return named;
  }
  for (const attribute of ATTRIBUTES) {
    const named = known(attributes.get(attribute));
    if (named !== '') return named;
  }
  // This attribute is Confluence's.
  return known(NAMED[1]?.exec(attributes.get('data-syntaxhighlighter-params') ?? '')?.[1]);
}

function aroundCode({ attributes }: ElementNode): string {
  const name = attributes.class ?? '';
  if (CODE_BOX.test(name)) {
    const bare = bareName(name);
    if (bare !== '') return bare;
  }
  const [, ...found] = NAMED_AROUND.exec(name) ?? [];
  const language = known(found.find((each) => each !== undefined));
  return KNOWN.has(language) ? language : '';
}

function bareName(classes: string): string {
  const tokens = classes.toLowerCase().split(/\s+/);
  return tokens.find((token) => KNOWN.has(token)) ?? '';
}

/** `<pre lang="rust">`, as GitHub renders its Markdown. `en` and `pt-br` are human languages. */
function ofLang(lang: string | undefined): string {
  const language = known(lang?.split(',')[0]);
  return KNOWN.has(language) || (language.length > 3 && !language.includes('-')) ? language : '';
}

/** The name as an info string; '' if it is not a name or does not name a language. */
function known(name: string | undefined): string {
  const lower = name?.trim().toLowerCase() ?? '';
  const language = GRAMMARS.get(lower) ?? lower;
  return /^[\w+#.-]{1,30}$/.test(language) && !UNKNOWN.has(language) ? language : '';
}
