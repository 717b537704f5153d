/** The native engine with its preset for the main content, without the metadata that it writes above it. */
import { htmlToMarkdown } from 'mdream';

export function toMarkdown(html: string, url: string): string {
  return htmlToMarkdown(html, { origin: new URL(url).origin, minimal: true, frontmatter: false });
}
