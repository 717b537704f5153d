import { Script } from 'node:vm';
import type { CDPSession, Page } from 'playwright-core';

/** The longest that a script may run, in milliseconds. */
const MOST_MS = 30_000;
/** Characters of one value as JSON. */
const MOST_VALUE = 1_000_000;

/** Messages of Chromium when a script leads to another page. */
const LEFT = /context was destroyed|navigated or closed|cannot find context|target closed/i;

export interface ScriptValue {
  type: string;
  value: unknown;
}

/**
 * Runs a script among those of the page. It may be an expression, statements, or a function body with "return"; promises are
 * awaited. Throws what the script throws.
 */
export async function runScript(page: Page, script: string): Promise<ScriptValue> {
  const expression = toExpression(script);
  const session = await page.context().newCDPSession(page);
  try {
    return await evaluate(session, expression);
  } catch (error) {
    if (error instanceof Error && LEFT.test(error.message)) return { type: 'undefined', value: null };
    throw error;
  } finally {
    await session.detach().catch(() => {});
  }
}

/** A call that gives the value of the script. Scripts are compiled here, and never run. */
function toExpression(script: string): string {
  const asExpression = `(async () => (\n${script.trim().replace(/;+$/, '')}\n))()`;
  if (syntaxError(asExpression) === undefined) return asExpression;
  const error = syntaxError(script);
  // The value of statements is that of the last one. Chromium allows this eval whatever the policy of the page.
  if (error === undefined) return `(0, eval)(${JSON.stringify(script)})`;
  // Only a function may have "return" and "await".
  const asBody = `(async () => {\n${script}\n})()`;
  if (syntaxError(asBody) === undefined) return asBody;
  throw new Error(`the script is not valid: ${error}`);
}

function syntaxError(script: string): string | undefined {
  try {
    new Script(script);
    return undefined;
  } catch (error) {
    return String(error).slice(0, 500);
  }
}

async function evaluate(session: CDPSession, expression: string): Promise<ScriptValue> {
  const evaluated = session.send('Runtime.evaluate', {
    expression: `(async () => (${serialized})(await ${expression}, ${MOST_VALUE}))()`,
    awaitPromise: true,
    returnByValue: true,
    userGesture: true,
    allowUnsafeEvalBlockedByCSP: true,
  });
  evaluated.catch(() => {});
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    // Its loop ends, or what it waits for is given up.
    session.send('Runtime.terminateExecution').catch(() => {});
    reject(new Error(`the script took longer than ${MOST_MS / 1000} s`));
  }, MOST_MS);
  try {
    const { result, exceptionDetails } = await Promise.race([evaluated, late]);
    if (exceptionDetails !== undefined) throw new Error(messageOf(exceptionDetails));
    return read(result.value);
  } finally {
    clearTimeout(timer);
  }
}

function read(text: unknown): ScriptValue {
  if (typeof text !== 'string') throw new Error('the page has changed what the script gives. Return a string');
  const colon = text.indexOf(':');
  const type = text.slice(0, colon);
  const rest = text.slice(colon + 1);
  if (type !== 'error') return { type, value: rest === '' ? null : JSON.parse(rest) };
  throw new Error(rest);
}

/** Runs in the page: the type and the value as text of a bounded length. */
function serialized(value: unknown, most: number): string {
  const type = value === null ? 'null' : typeof value;
  let text: string | undefined;
  try {
    text = typeof value === 'bigint' ? `"${value}"` : JSON.stringify(value);
  } catch {
    return 'error:the value of the script cannot be written as JSON. Return the parts of it that you need';
  }
  if (typeof text !== 'string') return `${type}:`;
  if (text.length <= most) return `${type}:${text}`;
  return `error:the value of the script has ${text.length} characters; at most ${most} are possible. Return less of it`;
}

interface Thrown {
  text: string;
  exception?: { description?: string; value?: unknown };
}

function messageOf({ text, exception }: Thrown): string {
  const said = exception?.description?.split(/\n\s+at /)[0] ?? (exception && String(exception.value)) ?? text;
  return `the script failed: ${said.slice(0, 500)}`;
}
