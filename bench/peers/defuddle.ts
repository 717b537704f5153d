/** As its documentation says for Node, on linkedom; without asking other services for pages that hold nothing. */
import { Defuddle } from 'defuddle/node';
import { parseHTML } from 'linkedom';

export async function toMarkdown(html: string, url: string): Promise<string> {
  const { content } = await Defuddle(parseHTML(html).document, url, { markdown: true, useAsync: false });
  return content;
}
