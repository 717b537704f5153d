/**
 * Thrown when an address leads to a file or to nothing instead of a page: a PDF, a picture, a download, a 204. The plain
 * fetch knows what to do with it.
 */
export class NotAPage extends Error {
  override readonly name = 'NotAPage';

  constructor(url: string) {
    super(`${url} is not a page that a browser shows.`);
  }
}
