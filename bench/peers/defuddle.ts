/** Used as documented for Node, on linkedom, without calling other services for empty pages. */
import { Defuddle } from 'defuddle/node';
import { parseHTML } from 'linkedom';

export async function toMarkdown(html: string, url: string): Promise<string> {
  const { content } = await Defuddle(parseHTML(html).document, url, { markdown: true, useAsync: false });
  return content;
}
