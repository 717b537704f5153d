import { z } from 'zod';
import { validatorCompiler } from './invalid-input.ts';

/**
 * Validates what a route takes, after dropping blank optional fields of its body. No-code tools send every field of their form, and
 * clients in typed languages send null: both mean that the field is not set.
 */
export const validateWithoutBlanks: typeof validatorCompiler = (route) => {
  const validate = validatorCompiler(route);
  // Forms and typed clients make bodies. In a query, a field without a value is a mistake, and each header says for itself
  // what a blank one means.
  if (route.httpPart !== 'body') return validate;
  return (data) => {
    dropBlanks(route.schema, data);
    return validate(data);
  };
};

/**
 * Drops from what was given the optional fields that are null or white space, and such entries of optional lists. Works
 * in place: a copy of 50,000 fields that nobody knows would take 170 ms. Required fields stay, for the schema to refuse,
 * and so does everything inside of maps with free keys.
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
