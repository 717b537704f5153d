/** The used parts of the peers, so that types can be checked when the peers are not installed. */

declare module '@joplin/turndown-plugin-gfm' {
  import type { TurndownPlugin } from 'turndown';
  export const gfm: TurndownPlugin;
}

declare module '@mozilla/readability' {
  import type { LinkedomDocument } from 'linkedom';
  export class Readability {
    constructor(document: LinkedomDocument);
    parse(): { content?: string | null } | null;
  }
}

declare module 'defuddle/node' {
  import type { LinkedomDocument } from 'linkedom';
  export function Defuddle(
    document: LinkedomDocument,
    url: string,
    options: { markdown: boolean; useAsync: boolean },
  ): Promise<{ content: string }>;
}

declare module 'linkedom' {
  export interface LinkedomDocument {
    readonly documentElement: object | null;
  }
  export function parseHTML(html: string): { document: LinkedomDocument };
}

declare module 'mdream' {
  export function htmlToMarkdown(
    html: string,
    options: { origin: string; minimal: boolean; frontmatter: boolean },
  ): string;
}

declare module 'node-html-markdown' {
  export class NodeHtmlMarkdown {
    constructor(options: { ignore: readonly string[] });
    translate(html: string): string;
  }
}

declare module 'turndown' {
  export type TurndownPlugin = (service: TurndownService) => void;
  export default class TurndownService {
    constructor(options: { headingStyle: 'atx'; codeBlockStyle: 'fenced' });
    use(plugin: TurndownPlugin): this;
    turndown(html: string): string;
  }
}

declare module '@crawlee/cheerio' {
  export class Configuration {
    constructor(options: { persistStorage: boolean; availableMemoryRatio: number });
  }
  export class CheerioCrawler {
    constructor(
      options: {
        maxRequestsPerCrawl: number;
        maxConcurrency: number;
        requestHandler(context: {
          body: string | Buffer;
          enqueueLinks(options: { strategy: 'same-hostname' }): Promise<unknown>;
        }): Promise<void>;
        failedRequestHandler(context: { request: { url: string; errorMessages: readonly string[] } }): void;
      },
      configuration: Configuration,
    );
    run(addresses: readonly string[]): Promise<unknown>;
  }
  export const log: { setLevel(level: number): void; readonly LEVELS: { readonly OFF: number } };
}
