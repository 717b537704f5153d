/** A regular file of an archive. */
export interface ArchivedFile {
  path: string;
  isExecutable: boolean;
  bytes: Buffer;
}

const BLOCK = 512;
const REGULAR_FILE = /^[0\0]$/;

/** The regular files of a tar archive (POSIX.1-1988 ustar) without long names: those of the npm package have none. */
export function* readTar(archive: Buffer): Generator<ArchivedFile> {
  for (let at = 0; at + BLOCK <= archive.length && archive[at] !== 0; ) {
    const header = archive.subarray(at, at + BLOCK);
    const size = octal(header, 124, 12);
    const start = at + BLOCK;
    at = start + Math.ceil(size / BLOCK) * BLOCK;
    if (!REGULAR_FILE.test(header.toString('latin1', 156, 157))) continue;
    const isExecutable = (octal(header, 100, 8) & 0o100) !== 0;
    yield { path: text(header, 0, 100), isExecutable, bytes: archive.subarray(start, start + size) };
  }
}

function octal(header: Buffer, at: number, length: number): number {
  return Number.parseInt(text(header, at, length), 8);
}

function text(header: Buffer, at: number, length: number): string {
  return header.toString('utf8', at, at + length).replace(/\0.*$/s, '');
}
