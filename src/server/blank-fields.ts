import { z } from 'zod';
import { validatorCompiler } from './invalid-input.ts';

/**
 * Validates the input of a route after dropping blank optional fields of its body. No-code tools send every field of
 * their form, and clients in typed languages send null: both mean that the field is not set.
 */
export const validateWithoutBlanks: typeof validatorCompiler = (route) => {
  const validate = validatorCompiler(route);
  // Only bodies: they come from forms and typed clients. In a query, a field without a value is a mistake, and each
  // header decides for itself what a blank value means.
  if (route.httpPart !== 'body') return validate;
  return (data) => {
    dropBlanks(route.schema, data);
    return validate(data);
  };
};

/**
 * Drops optional fields and entries of optional lists that are null or white space. Works in place: copying 50,000
 * unknown fields would take 170 ms. Required fields stay, for the schema to refuse, and so does everything inside maps
 * with free keys.
 */
function dropBlanks(schema: z.core.$ZodType, given: unknown): void {
  if (typeof given !== 'object' || given === null) return;
  const inner = unwrap(schema);
  if (inner instanceof z.ZodUnion) {
    for (const option of inner.options) dropBlanks(option, given);
  } else if (inner instanceof z.ZodArray && Array.isArray(given)) {
    for (const entry of given) dropBlanks(inner.element, entry);
  } else if (inner instanceof z.ZodObject && isRecord(given)) {
    for (const [name, field] of Object.entries(inner.shape)) dropBlankField(field, given, name);
  }
}

function dropBlankField(field: z.core.$ZodType, given: Record<string, unknown>, name: string): void {
  if (!Object.hasOwn(given, name)) return;
  const value = given[name];
  const isOptional = field._zod.optin !== undefined;
  if (isOptional && isBlank(value)) {
    delete given[name];
    return;
  }
  if (isOptional && Array.isArray(value)) given[name] = value.filter((entry) => !isBlank(entry));
  dropBlanks(field, given[name]);
}

function isRecord(given: object): given is Record<string, unknown> {
  return !Array.isArray(given);
}

function isBlank(value: unknown): boolean {
  return value === null || (typeof value === 'string' && value.trim() === '');
}

/** The schema inside wrappers such as defaults. */
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
