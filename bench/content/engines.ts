/** One way to turn a page into the Markdown of its main content. */
export interface Engine {
  toMarkdown(html: string, url: string): string | Promise<string>;
}

/** Each is loaded only in the process that measures it. */
export const ENGINES: Readonly<Record<string, () => Promise<Engine>>> = {
  trawl: () => import('./trawl.ts'),
  readability: () => import('../peers/readability.ts'),
  defuddle: () => import('../peers/defuddle.ts'),
  mdream: () => import('../peers/mdream.ts'),
  'node-html-markdown': () => import('../peers/node-html-markdown.ts'),
};
