import { stripVTControlCharacters, styleText } from 'node:util';

/** An entry of pino, parsed from JSON. */
interface Entry {
  level: number;
  time: number;
  msg?: string;
  method?: string;
  route?: string;
  status?: number;
  ms?: number;
  bytes?: number;
  keyId?: string;
  code?: string;
  err?: { stack?: string; message?: string };
}

type Style = Parameters<typeof styleText>[0];

const WARN = 40;
const ERROR = 50;
/** Key ids begin with the time of their creation; the end tells them apart. */
const KEY_ID_END = 8;

/** A log entry for people: one line, and below it the stack of an error. */
export function toTerminalLine(json: string, color: boolean): string {
  const entry: Entry = JSON.parse(json);
  const paint = (style: Style, text: string) => (color ? styleText(style, text, { validateStream: false }) : text);
  const { level, time, msg = '', err } = entry;
  const parts = [paint('dim', clockTime(time))];
  if (level >= ERROR) parts.push(paint('red', 'error'));
  else if (level >= WARN) parts.push(paint('yellow', 'warning'));
  if (entry.route !== undefined) parts.push(requestText(entry, paint));
  if (entry.route === undefined || msg !== 'request') parts.push(msg);
  const stack = err?.stack ?? err?.message;
  if (stack !== undefined) parts.push(`\n${stack.replaceAll(/^/gm, '    ')}`);
  const line = parts.join('  ');
  return `${color ? line : stripVTControlCharacters(line)}\n`;
}

function requestText(
  { method, route, status, ms, bytes, keyId, code }: Entry,
  paint: (style: Style, text: string) => string,
): string {
  const parts = [`${method} ${route}`];
  if (status !== undefined) parts.unshift(paint(statusStyle(status), String(status)));
  if (ms !== undefined) parts.push(`${Math.round(ms)} ms`);
  if (bytes !== undefined) parts.push(sizeText(bytes));
  if (keyId !== undefined) parts.push(paint('dim', `key …${keyId.slice(-KEY_ID_END)}`));
  if (code !== undefined) parts.push(paint('yellow', code));
  return parts.join('  ');
}

function statusStyle(status: number): Style {
  if (status >= 500) return 'red';
  if (status >= 400) return 'yellow';
  return 'green';
}

function sizeText(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 1_000_000) return `${Math.round(bytes / 1000)} KB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** In local time. */
function clockTime(time: number): string {
  return new Date(time).toTimeString().slice(0, 8);
}
