/** Converts the whole page except for the ignored elements, which are never main content. */
import { NodeHtmlMarkdown } from 'node-html-markdown';

const converter = new NodeHtmlMarkdown({ ignore: ['aside', 'button', 'footer', 'form', 'nav'] });

export function toMarkdown(html: string): string {
  return converter.translate(html);
}
