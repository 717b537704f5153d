/** Converts the whole page but for the elements it is told to ignore: those that are never main content. */
import { NodeHtmlMarkdown } from 'node-html-markdown';

const converter = new NodeHtmlMarkdown({ ignore: ['aside', 'button', 'footer', 'form', 'nav'] });

export function toMarkdown(html: string): string {
  return converter.translate(html);
}
