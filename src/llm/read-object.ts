import { z } from 'zod';

/** The problem is shown to the model and to people: they need no more of a long one. */
const MAX_PROBLEM = 500;

/**
 * The object in a model's answer: bare, in a fence, among other words or after its reasoning. Models write null for
 * fields that they leave out.
 */
export function readObject<T>(schema: z.ZodType<T>, said: string): { object: T } | { problem: string } {
  const answer = said.slice(said.lastIndexOf('</think>') + 1);
  const begin = answer.indexOf('{');
  const end = answer.lastIndexOf('}');
  if (begin === -1 || end < begin) return { problem: 'There is no JSON object in it.' };
  let value: unknown;
  try {
    value = JSON.parse(answer.slice(begin, end + 1), (_key, part) => (part === null ? undefined : part));
  } catch {
    return { problem: 'It is not valid JSON.' };
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return { object: parsed.data };
  return { problem: `It does not fit the schema: ${z.prettifyError(parsed.error).slice(0, MAX_PROBLEM)}` };
}
