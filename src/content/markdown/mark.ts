/** What surrounds inline content: emphasis, a link, inline HTML. */
export interface Mark {
  kind: 'emphasis' | 'link' | 'html';
  open: string;
  close: string;
}
