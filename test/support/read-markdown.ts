import katexPlugin from '@vscode/markdown-it-katex';
import { Parser } from 'htmlparser2';
import MarkdownIt from 'markdown-it';
import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { math, mathHtml } from 'micromark-extension-math';

/** Renders Markdown as HTML, including any HTML in it. */
export interface MarkdownReader {
  name: string;
  html: (markdown: string) => string;
  hasMath: boolean;
  /** Basic renderers show tables and strikethrough as plain text. */
  hasTables: boolean;
}

const FORMULAS = { throwOnError: false, strict: 'ignore', output: 'mathml', trust: true } as const;

const plain = new MarkdownIt({ html: true });
const withKatex = new MarkdownIt({ html: true }).use(katexPlugin.default, FORMULAS);
const dangerous = { allowDangerousHtml: true, allowDangerousProtocol: true };

/** Two independent renderers, each with and without maths support. */
export const READERS: readonly [MarkdownReader, ...MarkdownReader[]] = [
  { name: 'markdown-it', html: (markdown) => plain.render(markdown), hasMath: false, hasTables: true },
  { name: 'markdown-it with KaTeX', html: (markdown) => withKatex.render(markdown), hasMath: true, hasTables: true },
  {
    name: 'micromark',
    html: (markdown) => micromark(markdown, { ...dangerous, extensions: [gfm()], htmlExtensions: [gfmHtml()] }),
    hasMath: false,
    hasTables: true,
  },
  {
    name: 'micromark without extensions',
    html: (markdown) => micromark(markdown, dangerous),
    hasMath: false,
    hasTables: false,
  },
  {
    name: 'micromark with KaTeX',
    html: (markdown) =>
      micromark(markdown, {
        ...dangerous,
        extensions: [gfm(), math()],
        htmlExtensions: [gfmHtml(), mathHtml(FORMULAS)],
      }),
    hasMath: true,
    hasTables: true,
  },
];

/** The rendered HTML as a reader sees it. */
export interface ReadBack {
  /** The number of elements of each name, without those in formulas and without links that show their own address. */
  names: Map<string, number>;
  /** The targets of links and images. */
  addresses: string[];
  text: string;
}

interface Link {
  address: string;
  text: string;
}

export function readBack(html: string): ReadBack {
  const read: ReadBack = { names: new Map(), addresses: [], text: '' };
  const count = (name: string) => read.names.set(name, (read.names.get(name) ?? 0) + 1);
  const links: Link[] = [];
  let formulas = 0;
  const parser = new Parser({
    onopentag(name, attributes) {
      if (name === 'math') formulas++;
      if (name === 'a') links.push({ address: attributes.href ?? '', text: '' });
      else if (formulas === 0) count(name);
      if (name !== 'a')
        read.addresses.push(...[attributes.href, attributes.src].filter((address) => address !== undefined));
      for (const attribute of Object.keys(attributes)) if (/^on|^data-live/.test(attribute)) count(`* ${attribute}`);
    },
    onclosetag(name) {
      if (name === 'math') formulas--;
      const link = name === 'a' ? links.pop() : undefined;
      if (link === undefined || showsItself(link)) return;
      count('a');
      read.addresses.push(link.address);
    },
    ontext(text) {
      if (formulas === 0) read.text += text;
      for (const link of links) link.text += text;
    },
    oncomment: () => count('!--'),
    onprocessinginstruction: (name) => count(name),
  });
  parser.end(html);
  return read;
}

/** Whether a link shows its own address. GitHub's Markdown turns bare addresses into such links. */
function showsItself({ address, text }: Link): boolean {
  const bare = address.replace(/^mailto:|^http:\/\/(?=www\.)/, '');
  return /^(?:https?:|mailto:)/.test(address) && lettersOf(bare) === lettersOf(text);
}

function lettersOf(address: string): string {
  return address.replace(/%[\da-f]{2}|\W/gi, '');
}
