import { validatorCompiler } from 'fastify-type-provider-zod';
import { z } from 'zod';

/**
 * Validates what a route takes, after dropping blank optional fields. No-code tools send every field of their form, and
 * clients in typed languages send null: both mean that the field is not set.
 */
export const validateWithoutBlanks: typeof validatorCompiler = (route) => {
  const validate = validatorCompiler(route);
  // Each header says for itself what a blank one means.
  if (route.httpPart === 'headers') return validate;
  return (data) => validate(withoutBlanks(route.schema, data));
};

/**
 * What was given, less its optional fields that are null or white space, and less such entries of optional lists.
 * Required fields stay, for the schema to refuse, and so does everything inside of maps with free keys.
 */
export function withoutBlanks(schema: z.core.$ZodType, given: unknown): unknown {
  const inner = unwrap(schema);
  if (Array.isArray(given)) {
    if (!(inner instanceof z.ZodArray)) return given;
    const entries = isOptional(schema) ? given.filter((entry) => !isBlank(entry)) : given;
    return entries.map((entry) => withoutBlanks(inner.element, entry));
  }
  if (typeof given !== 'object' || given === null) return given;
  if (inner instanceof z.ZodUnion) return inner.options.reduce<unknown>((rest, one) => withoutBlanks(one, rest), given);
  if (!(inner instanceof z.ZodObject)) return given;
  const { shape } = inner;
  const fields = Object.entries(given).flatMap(([name, value]) => {
    const field = Object.hasOwn(shape, name) ? shape[name] : undefined;
    if (field === undefined) return [[name, value]];
    return isOptional(field) && isBlank(value) ? [] : [[name, withoutBlanks(field, value)]];
  });
  return Object.fromEntries(fields);
}

function isBlank(value: unknown): boolean {
  return value === null || (typeof value === 'string' && value.trim() === '');
}

function isOptional(schema: z.core.$ZodType): boolean {
  return schema._zod.optin !== undefined;
}

/** The schema that says what the fields are, inside of defaults and the like. */
function unwrap(schema: z.core.$ZodType): z.core.$ZodType {
  const isWrapper =
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodExactOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault;
  if (isWrapper) return unwrap(schema.unwrap());
  if (schema instanceof z.ZodPreprocess) return unwrap(schema.out);
  if (schema instanceof z.ZodPipe) return unwrap(schema.in);
  return schema;
}
