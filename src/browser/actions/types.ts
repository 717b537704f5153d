import type { MadeFile, ScreenshotOptions } from '../types.ts';

/** A step in the browser, as the contract names it. */
export type Action =
  | { type: 'wait'; milliseconds: number }
  | { type: 'wait'; selector: string }
  | ({ type: 'screenshot' } & ScreenshotOptions)
  | { type: 'click'; selector: string; all: boolean }
  | { type: 'write'; text: string }
  | { type: 'press'; key: string }
  | { type: 'scroll'; direction: 'up' | 'down'; selector: string | undefined }
  | { type: 'scrape' }
  | { type: 'executeJavascript'; script: string }
  | { type: 'pdf'; format: PaperFormat; landscape: boolean; scale: number };

export const PAPER_FORMATS = [
  'A0',
  'A1',
  'A2',
  'A3',
  'A4',
  'A5',
  'A6',
  'Letter',
  'Legal',
  'Tabloid',
  'Ledger',
] as const;
export type PaperFormat = (typeof PAPER_FORMATS)[number];

/** What the actions gave, each list in the order of the actions. */
export interface ActionResults {
  screenshots: MadeFile[];
  scrapes: { url: string; html: string }[];
  javascriptReturns: { type: string; value: unknown }[];
  pdfs: MadeFile[];
}
