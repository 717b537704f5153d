/** A pair of markers around inline content: emphasis, a link or inline HTML. */
export interface Mark {
  kind: 'emphasis' | 'link' | 'html';
  open: string;
  close: string;
}
