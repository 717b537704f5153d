/** Converts the whole page: it has no option to find the main content. */
import { NodeHtmlMarkdown } from 'node-html-markdown';

const converter = new NodeHtmlMarkdown();

export function toMarkdown(html: string): string {
  return converter.translate(html);
}
