/** How much of a file is inspected (WHATWG MIME Sniffing Standard, section "Reading the resource header"). */
const HEAD_BYTES = 1445;

type Signature = readonly [bytes: string, type: string, offset?: number];

/** Byte patterns in Latin-1, and their types: those of the standard, and the documents that Trawl reads. */
const SIGNATURES: readonly Signature[] = [
  ['%PDF-', 'application/pdf'],
  ['%!PS-Adobe-', 'application/postscript'],
  ['{\\rtf', 'application/rtf'],
  ['\x89PNG\r\n\x1a\n', 'image/png'],
  ['\xff\xd8\xff', 'image/jpeg'],
  ['GIF87a', 'image/gif'],
  ['GIF89a', 'image/gif'],
  ['WEBPVP', 'image/webp', 8],
  ['II*\0', 'image/tiff'],
  ['MM\0*', 'image/tiff'],
  ['\0\0\x01\0', 'image/x-icon'],
  ['ftypavif', 'image/avif', 4],
  ['ftypheic', 'image/heic', 4],
  ['ftypqt', 'video/quicktime', 4],
  ['ftypM4A', 'audio/mp4', 4],
  ['ftyp', 'video/mp4', 4],
  ['\x1aE\xdf\xa3', 'video/webm'],
  ['AVI ', 'video/avi', 8],
  ['WAVE', 'audio/wave', 8],
  ['OggS\0', 'application/ogg'],
  ['ID3', 'audio/mpeg'],
  ['fLaC', 'audio/flac'],
  ['\x1f\x8b\x08', 'application/x-gzip'],
  ['Rar!\x1a\x07', 'application/x-rar-compressed'],
  ['7z\xbc\xaf\x27\x1c', 'application/x-7z-compressed'],
  ['\0asm', 'application/wasm'],
  ['wOFF', 'font/woff'],
  ['wOF2', 'font/woff2'],
  // The container of doc, xls, ppt and msg; the actual format stands deep inside.
  ['\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', 'application/x-ole-storage'],
  ['PK\x03\x04', 'application/zip'],
];

const OPEN_XML = 'application/vnd.openxmlformats-officedocument.';

/** Names of entries that reveal the type of a zip file. */
const ZIP_ENTRIES: readonly (readonly [entry: string, type: string])[] = [
  ['word/document.xml', `${OPEN_XML}wordprocessingml.document`],
  ['xl/workbook.xml', `${OPEN_XML}spreadsheetml.sheet`],
  ['xl/workbook.bin', 'application/vnd.ms-excel.sheet.binary.macroEnabled.12'],
  ['ppt/presentation.xml', `${OPEN_XML}presentationml.presentation`],
];

/** What the first bytes of a file prove: a media type, or undefined for all text and unknown formats. */
export function magicType(body: Buffer): string | undefined {
  const head = body.toString('latin1', 0, 64);
  const signature = SIGNATURES.find(([bytes, , offset = 0]) => head.startsWith(bytes, offset));
  if (signature === undefined) return lateStart(body);
  return signature[1] === 'application/zip' ? zipType(body) : signature[1];
}

/**
 * Whether the head has bytes that never occur in text (MIME Sniffing Standard, "binary data byte"). Text in UTF-16 or
 * UTF-32 counts as binary here, unless it starts with a byte order mark.
 */
export function isBinary(body: Buffer): boolean {
  if ((body[0] === 0xfe && body[1] === 0xff) || (body[0] === 0xff && body[1] === 0xfe)) return false;
  const end = Math.min(body.length, HEAD_BYTES);
  for (let i = 0; i < end; i++) {
    const byte = body[i] ?? 0;
    // All controls except tab, line feed, form feed, carriage return and escape (for ISO-2022-JP).
    if (byte < 0x20 && (byte < 0x09 || byte === 0x0b || (byte > 0x0d && byte !== 0x1b))) return true;
  }
  return false;
}

/**
 * PDF readers accept the signature within the first kilobyte (ISO 32000-1 annex H.3.4.1), after white space or stray
 * headers.
 */
function lateStart(body: Buffer): string | undefined {
  return /^[\s\xef\xbb\xbf\0]*%PDF-\d/.test(body.toString('latin1', 0, 1024)) ? 'application/pdf' : undefined;
}

/** OpenDocument and EPUB files begin with an entry `mimetype` that holds their type; the others list their parts at the end. */
function zipType(body: Buffer): string {
  // The first entry's name begins at byte 30 (APPNOTE.TXT section 4.3.7).
  const declared = /^mimetype(application\/[\w.+-]+?)(?=PK|[^\w.+-])/.exec(body.toString('latin1', 30, 160));
  if (declared?.[1] !== undefined) return declared[1];
  const directory = body.toString('latin1', Math.max(0, body.length - 64 * 1024));
  return ZIP_ENTRIES.find(([entry]) => directory.includes(entry))?.[1] ?? 'application/zip';
}
