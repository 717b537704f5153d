import type { ElementNode } from '../tree.ts';

/** How highlighters name the language in a class of the code or of what is around it. */
const NAMED = [
  /(?:^|\s)(?:language|highlight-source)-([\w+#.-]+)/i,
  /(?:^|\s)brush:\s*([\w+#.-]+)/i,
  /(?:^|\s)highlight-([\w+#.]+)(?:\s|$)/i,
];
/** Only on the code itself: elsewhere `lang-en` is the language of people. */
const NAMED_ON_CODE = /(?:^|\s)(?:lang|src)-([\w+#.-]+)/i;

/** Languages that stand as a class of their own: `<pre class="hljs python">`. */
const KNOWN = new Set(
  'asm awk bash bat c clojure cmake cpp cs csharp css cuda dart diff docker dockerfile elixir erlang fortran fsharp go golang gradle graphql groovy haskell hcl html http ini java javascript js json json5 jsonc jsx julia kotlin latex less lisp lua makefile markdown matlab nginx nix objectivec ocaml pascal perl php powershell prolog protobuf ps1 py python r rb ruby rust sass scala scheme scss sh shell shell-session solidity sql swift tcl terraform tex toml ts tsx typescript vb vbnet verilog vhdl vim vue wasm xml yaml yml zig zsh'.split(
    ' ',
  ),
);
/** What highlighters say when they do not know. */
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

/** How far up a highlighter puts its boxes. */
const MAX_BOXES = 3;

/** The language of a code block, as its class or that of a box around it says; '' when nothing says it. */
export function languageOf(element: ElementNode): string {
  const inner = element.children.find((child) => child.kind === 'element' && child.name === 'code');
  const own = inner?.kind === 'element' ? [inner, element] : [element];
  for (const candidate of own) {
    const language = onCode(candidate);
    if (language !== '') return language;
  }
  let box = element.parent;
  for (let level = 0; box !== null && level < MAX_BOXES; level++, box = box.parent) {
    const language = onBox(box);
    if (language !== '') return language;
  }
  return '';
}

function onCode(element: ElementNode): string {
  const name = element.attributes.class ?? '';
  const tokens = name.toLowerCase().split(/\s+/);
  return onBox(element) || known(NAMED_ON_CODE.exec(name)?.[1]) || (tokens.find((token) => KNOWN.has(token)) ?? '');
}

function onBox({ attributes }: ElementNode): string {
  const language = known(attributes['data-lang'] ?? attributes['data-language']);
  if (language !== '') return language;
  const name = attributes.class ?? '';
  for (const pattern of NAMED) {
    const named = known(pattern.exec(name)?.[1]);
    if (named !== '') return named;
  }
  return '';
}

/** The name as an info string; '' for names that say nothing and for what is no name. */
function known(name: string | undefined): string {
  const language = name?.toLowerCase() ?? '';
  return /^[\w+#.-]{1,30}$/.test(language) && !UNKNOWN.has(language) ? language : '';
}
