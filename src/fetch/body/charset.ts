import { isAscii, isUtf8 } from 'node:buffer';

/** HTML Standard, section "Prescan a byte stream to determine its encoding". */
const PRESCAN_BYTES = 1024;
/** Browsers also obey a `<meta charset>` further down; in practice there is none beyond this. */
const LATE_PRESCAN_BYTES = 64 * 1024;

/** The bytes 0x80 to 0x9F in windows-1252, which Node's decoder treats as ISO-8859-1 control characters. */
const WINDOWS_1252 = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';

/**
 * Converts text to UTF-8 without a byte order mark. The encoding comes from a byte order mark, else the `charset`
 * parameter of the header, else the XML declaration or `<meta>` in the first 1,024 bytes. Without any of these it is
 * UTF-8 if the bytes are valid UTF-8, else that of a `<meta>` further down, else windows-1252 (HTML Standard, section
 * "Determining the character encoding"). Encoding names are those of the WHATWG Encoding Standard. Invalid bytes become
 * U+FFFD; in text that declares UTF-8 they stay, and become U+FFFD wherever it is decoded.
 * @param contentType the `Content-Type` header
 */
export function toUtf8(body: Buffer, contentType: string | undefined): Buffer {
  const encoding = bomEncoding(body) ?? known(charsetParameter(contentType)) ?? undeclared(body);
  // Most pages take this path: the reader of their content decodes them, not this function.
  if (encoding === 'utf-8') return withoutUtf8Bom(body);
  return Buffer.from(decode(body, encoding));
}

function decode(body: Buffer, encoding: string): string {
  if (encoding === 'windows-1252') {
    return body.toString('latin1').replace(/[\x80-\x9f]/g, (c) => WINDOWS_1252[c.charCodeAt(0) - 0x80] ?? c);
  }
  return new TextDecoder(encoding).decode(body);
}

function bomEncoding(body: Buffer): string | undefined {
  if (hasUtf8Bom(body)) return 'utf-8';
  if (body[0] === 0xff && body[1] === 0xfe) return 'utf-16le';
  if (body[0] === 0xfe && body[1] === 0xff) return 'utf-16be';
  return undefined;
}

function hasUtf8Bom(body: Buffer): boolean {
  return body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf;
}

function withoutUtf8Bom(body: Buffer): Buffer {
  return hasUtf8Bom(body) ? body.subarray(3) : body;
}

function undeclared(body: Buffer): string {
  const early = prescan(body.toString('latin1', 0, PRESCAN_BYTES));
  if (early !== undefined) return early;
  if (isUtf8(body) || isCutUtf8(body)) return 'utf-8';
  return prescan(body.toString('latin1', 0, LATE_PRESCAN_BYTES)) ?? 'windows-1252';
}

/** A truncated body may end within a character. Some whole ones must precede it: a lone one proves nothing. */
function isCutUtf8(body: Buffer): boolean {
  let end = body.length;
  while (end > body.length - 4 && end > 0 && ((body[end - 1] ?? 0) & 0xc0) === 0x80) end--;
  const whole = body.subarray(0, Math.max(0, end - 1));
  return isUtf8(whole) && !isAscii(whole);
}

function prescan(head: string): string | undefined {
  if (head.startsWith('<\0?\0x\0')) return 'utf-16le';
  if (head.startsWith('\0<\0?\0x')) return 'utf-16be';
  const declaration = /^\s*<\?xml\s[^>]*?encoding\s*=\s*["']([^"'>]+)["']/.exec(head);
  const encoding = known(declaration?.[1]) ?? metaEncoding(head.replace(/<!--[\s\S]*?(?:-->|$)/g, ''));
  // Markup that is readable as ASCII cannot be UTF-16, so that label means UTF-8.
  return encoding?.startsWith('utf-16') ? 'utf-8' : encoding;
}

function metaEncoding(head: string): string | undefined {
  for (const [, source = ''] of head.matchAll(/<meta[\s/]([^>]*)/gi)) {
    const attributes = new Map<string, string>();
    for (const [, name = '', double, single, bare] of source.matchAll(
      /([^\s=/"'>]+)\s*(?:=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?/g,
    )) {
      const lowerName = name.toLowerCase();
      if (!attributes.has(lowerName)) attributes.set(lowerName, double ?? single ?? bare ?? '');
    }
    const isPragma = attributes.get('http-equiv')?.trim().toLowerCase() === 'content-type';
    const encoding =
      known(attributes.get('charset')) ?? (isPragma ? known(charsetParameter(attributes.get('content'))) : undefined);
    if (encoding !== undefined) return encoding;
  }
  return undefined;
}

function charsetParameter(value = ''): string | undefined {
  return /charset\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s;,"']+))/i
    .exec(value)
    ?.slice(1)
    .find((name) => name !== undefined);
}

/** The encoding of a label, if it can be decoded. */
function known(label: string | undefined): string | undefined {
  if (label === undefined) return undefined;
  // The HTML Standard's rule for this label in markup; no page uses it for anything else.
  if (label.trim().toLowerCase() === 'x-user-defined') return 'windows-1252';
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return undefined;
  }
}
