/** The usual combination: Readability on linkedom finds the main content, and Turndown writes it as Markdown. */
import { gfm } from '@joplin/turndown-plugin-gfm';
import { Readability } from '@mozilla/readability';
import { parseHTML } from 'linkedom';
import TurndownService from 'turndown';

const turndown = new TurndownService({ headingStyle: 'atx', codeBlockStyle: 'fenced' }).use(gfm);

export function toMarkdown(html: string): string {
  const article = new Readability(parseHTML(html).document).parse();
  return turndown.turndown(article?.content ?? '');
}
