import { looksLikePassword, looksRandom } from './randomness.ts';
import type { Span } from './span.ts';

/** `password=…`, `"api_key": "…"`, `SECRET_KEY => '…'`, `?access_token=…`; the keyword may end a longer name. */
const PASSWORD =
  'pass(?:word|wd|phrase)?|pwd|passwort|kennwort|mot de passe|contraseñ?a|senha|hasło|пароль|密码|密碼|パスワード|비밀번호';
const KEY =
  '(?:api|app|access|account|auth|client|consumer|encryption|private|secret|session|shared|signing|storage|webhook)[-_ ]?(?:key|token|secret)(?:[-_]base)?|secret|token|bearer';
const ASSIGNMENT = new RegExp(
  String.raw`(?:(?<password>${PASSWORD})|${KEY})["'\x60*\]]{0,3}[^\S\n]{0,3}(?:=>|:=|[=:：])` +
    String.raw`[\t "'\x60*\u00a0]{0,6}(?<value>[^\s"'\x60<>()[\]{},;|&，。]{6,4096})`,
  'giu',
);
/** RFC 6750 and RFC 7617. */
const AUTHORIZATION = /\b(?:bearer|(?<basic>basic)) {1,3}(?<value>[A-Za-z0-9._~+/-]{8,4096}={0,2})/gi;

/** Values given to names that stand for passwords, keys and tokens, when they look like it. */
export function* findCredentials(text: string): Generator<Span> {
  for (const match of text.matchAll(ASSIGNMENT)) {
    const value = match.groups?.value ?? '';
    const secret = value.replace(/[.:?\\*_]+$/, '');
    const isCall = text[match.index + match[0].length] === '(';
    if (isCall || secret.includes('://')) continue;
    if (!(match.groups?.password ? looksLikePassword(secret) : looksRandom(secret))) continue;
    const start = match.index + match[0].length - value.length;
    yield { start, end: start + secret.length };
  }
}

/** Values of `Authorization` headers in examples and logs. */
export function* findAuthorization(text: string): Generator<Span> {
  for (const match of text.matchAll(AUTHORIZATION)) {
    const { basic, value = '' } = match.groups ?? {};
    const secret = value.replace(/\.+$/, '');
    if (!(basic ? isBasicCredentials(secret) : looksRandom(secret))) continue;
    const start = match.index + match[0].length - value.length;
    yield { start, end: start + secret.length };
  }
}

/** Base64 of `user:password`. */
function isBasicCredentials(value: string): boolean {
  return /^[\x20-\x7e]+:[\x20-\x7e]+$/.test(Buffer.from(value, 'base64').toString('latin1'));
}
