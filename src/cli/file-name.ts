import { createHash } from 'node:crypto';

/**
 * File systems allow 255 bytes, some encrypting ones 143. This leaves space for a hash that distinguishes names, and for an
 * extension.
 */
const MAX_BYTES = 100;
/** Extensions of pages on servers; the file gets the extension of its content. */
const PAGE_EXTENSION = /\.(?:x?html?|php|aspx?|jspx?)$/i;
/** Windows treats these names as devices, whatever follows a dot. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

/** Names for the pages of a job: readable, safe on every file system, and unique. */
export class FileNames {
  /** In lower case, because some file systems ignore case. */
  readonly #taken = new Set<string>();

  /** @param prefix put in front, for example a number */
  add(address: string, extension: string, prefix = ''): string {
    const stem = prefix + stemOf(address, extension);
    const hash = createHash('sha256').update(address).digest('hex').slice(0, 8);
    // The same address may occur twice.
    for (let count = 0; ; count++) {
      const mark = count === 0 ? '' : count === 1 ? `-${hash}` : `-${hash}-${count}`;
      const name = `${stem}${mark}.${extension}`;
      if (this.#taken.has(name.toLowerCase())) continue;
      this.#taken.add(name.toLowerCase());
      return name;
    }
  }
}

/** `https://example.com/docs/guide.html?page=2` is `example.com_docs_guide-page-2`. */
function stemOf(address: string, extension: string): string {
  const { host, pathname, search } = new URL(address);
  const path = decoded(pathname).replace(PAGE_EXTENSION, '');
  const stem = `${host}${path}${decoded(search)}`
    .normalize('NFC')
    .replaceAll(/\/+/g, '_')
    // Letters of every script with their marks; anything else may have a meaning in a shell or a file system.
    .replaceAll(/[^\p{L}\p{M}\p{N}._-]+/gu, '-');
  const short = cut(stem).replaceAll(/^[-_.]+|[-_.]+$/g, '');
  const plain = short.endsWith(`.${extension}`) ? short.slice(0, -extension.length - 1) : short;
  return DEVICE.test(plain) || plain === '' ? `_${plain}` : plain;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Cuts to this many bytes, without splitting a character. */
function cut(text: string): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= MAX_BYTES) return text;
  return bytes
    .subarray(0, MAX_BYTES)
    .toString('utf8')
    .replace(/\uFFFD+$/, '');
}
