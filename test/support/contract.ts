import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';

/** Checks answers against the wire contract in test/contract: OpenAPI structure, one file per version of the API. */

type Version = 'v1' | 'v2';

interface WebhookContract {
  webhooks: Record<string, { post: { requestBody: { content: Record<string, { schema: unknown }> } } }>;
}

interface Contract {
  paths: Record<string, Record<string, { responses?: Record<string, { content?: Record<string, unknown> }> }>>;
}

/** The contract's notation for a key that stands for all others. */
const ANY_OTHER = '<any other metadata> ';

const ajv = new Ajv({ strict: true, strictTypes: false, strictRequired: false, allErrors: true });
addFormats.default(ajv);
// The package refuses addresses on loopback, where the service under test is.
ajv.addFormat('url', (text) => URL.canParse(text));
ajv.addVocabulary(['openapi', 'paths', 'webhooks', 'components']);

const contracts: Record<Version, Contract> = { v1: readContract('v1'), v2: readContract('v2') };
ajv.addSchema(contracts.v1, 'v1').addSchema(contracts.v2, 'v2');
const webhooks: WebhookContract = readContract('webhooks');
ajv.addSchema(webhooks, 'webhooks');
const validators = new Map<string, ValidateFunction>();

/** Every failure has this shape, even where the contract file lacks the status or some fields. */
const isFailure = ajv.compile({
  type: 'object',
  required: ['success', 'error', 'code'],
  additionalProperties: false,
  properties: {
    success: { const: false },
    error: { type: 'string', minLength: 10 },
    code: { type: 'string', pattern: '^[A-Z_]+$' },
    details: {},
  },
});

/** Promises about every scraped page that the contract makes only in prose. */
const isScrape = ajv.compile({
  type: 'object',
  required: ['success', 'data'],
  additionalProperties: false,
  properties: {
    success: { const: true },
    data: {
      type: 'object',
      required: ['metadata'],
      properties: {
        metadata: {
          type: 'object',
          required: [
            ...['sourceURL', 'url', 'statusCode', 'contentType'],
            ...['scrapeId', 'proxyUsed', 'cacheState', 'creditsUsed'],
          ],
          properties: {
            scrapeId: { type: 'string', format: 'uuid' },
            proxyUsed: { enum: ['basic', 'enhanced'] },
            creditsUsed: { type: 'integer', minimum: 1 },
            cachedAt: { type: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$' },
          },
          oneOf: [
            { properties: { cacheState: { const: 'miss' }, cachedAt: false } },
            { properties: { cacheState: { const: 'hit' } }, required: ['cachedAt'] },
          ],
        },
      },
    },
  },
});

/** Operations that clients call and the contract files lack. Their answers are what the SDK reads. */
const isConcurrencyCheck = ajv.compile({
  type: 'object',
  required: ['success', 'concurrency', 'maxConcurrency'],
  additionalProperties: false,
  properties: {
    success: { const: true },
    concurrency: { type: 'integer', minimum: 0 },
    maxConcurrency: { type: 'integer', minimum: 1 },
  },
});

const isWebhookReport = ajv.compile({
  type: 'object',
  required: ['success', 'url', 'pending', 'delivered', 'failed', 'lastError', 'nextAttemptAt', 'events'],
  additionalProperties: false,
  properties: {
    success: { const: true },
    url: { type: ['string', 'null'], format: 'uri' },
    pending: { type: 'integer', minimum: 0 },
    delivered: { type: 'integer', minimum: 0 },
    failed: { type: 'integer', minimum: 0 },
    lastError: { type: ['string', 'null'] },
    nextAttemptAt: { type: ['string', 'null'], format: 'date-time' },
    events: {
      type: 'array',
      items: {
        type: 'object',
        required: ['id', 'type', 'url', 'status', 'attempts', 'statusCode', 'error', 'createdAt', 'endedAt'],
        additionalProperties: false,
        properties: {
          id: { type: 'string', format: 'uuid' },
          type: { enum: ['started', 'page', 'completed', 'failed'] },
          url: { type: ['string', 'null'] },
          status: { enum: ['pending', 'delivered', 'failed'] },
          attempts: { type: 'integer', minimum: 0, maximum: 4 },
          statusCode: { type: ['integer', 'null'] },
          error: { type: ['string', 'null'] },
          createdAt: { type: 'string', format: 'date-time' },
          endedAt: { type: ['string', 'null'], format: 'date-time' },
        },
      },
    },
  },
});

/** Operations beyond the contract files, and the fields that clients can rely on. */
const OURS: readonly (readonly [RegExp, ValidateFunction])[] = [
  [/^\/concurrency-check$/, isConcurrencyCheck],
  [/^\/(?:batch\/scrape|crawl)\/[^/]+\/webhook$/, isWebhookReport],
];

/**
 * Fails unless this is an answer that the contract allows.
 *
 * @param path as on the wire, for example `/v2/scrape`
 */
export function assertContract(method: string, path: string, status: number, body: unknown): void {
  const answer = `The answer ${status} of ${method} ${path}`;
  if (status >= 400) assertValid(isFailure, body, answer);

  const [, version, rest = ''] = /^\/(v[12])(\/[^?]*)/.exec(path) ?? [];
  if (version !== 'v1' && version !== 'v2') return;
  const own = status === 200 ? OURS.find(([pattern]) => pattern.test(rest))?.[1] : undefined;
  const validator = own ?? validatorOf(version, methodInContract(method, rest), rest, status);
  if (validator !== undefined) assertValid(validator, body, answer);
  else assert.ok(status >= 400, `${answer} is unknown to the contract.`);
  if (status === 200 && rest.startsWith('/scrape')) assertValid(isScrape, body, answer);
}

/** Fails unless this is an event of a webhook that the contract allows. */
export function assertWebhook(type: string, event: unknown): void {
  // "batch_scrape.page" is "batchScrapePage" there. For a cancelled job it has only the name in "events".
  const name = Object.keys(webhooks.webhooks).find((one) => one.toLowerCase() === type.replaceAll(/[._]/g, ''));
  assertValid(name === undefined ? isFailedJob : webhookValidator(name), event, `The event ${type}`);
}

function webhookValidator(name: string): ValidateFunction {
  const steps = ['webhooks', name, 'post', 'requestBody', 'content', 'application/json', 'schema'];
  return validatorAt(`webhooks#/${steps.map((step) => step.replaceAll('/', '~1')).join('/')}`);
}

function validatorAt(reference: string): ValidateFunction {
  const validator = validators.get(reference) ?? ajv.compile({ $ref: reference });
  validators.set(reference, validator);
  return validator;
}

const isFailedJob = ajv.compile({
  type: 'object',
  required: ['success', 'type', 'id', 'webhookId', 'data', 'metadata', 'error'],
  additionalProperties: false,
  properties: {
    success: { const: false },
    type: { enum: ['batch_scrape.failed', 'crawl.failed'] },
    id: { type: 'string', format: 'uuid' },
    webhookId: { type: 'string', format: 'uuid' },
    data: { type: 'array', maxItems: 0 },
    metadata: { type: 'object' },
    error: { type: 'string' },
  },
});

/** The v1 client requests an error report with DELETE, and gets the answer to GET. */
function methodInContract(method: string, path: string): string {
  return method === 'DELETE' && path.endsWith('/errors') ? 'get' : method.toLowerCase();
}

function assertValid(validator: ValidateFunction, body: unknown, answer: string): void {
  if (validator(body)) return;
  assert.fail(`${answer} breaks the contract: ${ajv.errorsText(validator.errors)}\n${JSON.stringify(body)}`);
}

/** The check for an operation and status; undefined when the contract has none. */
function validatorOf(version: Version, method: string, path: string, status: number): ValidateFunction | undefined {
  const { paths } = contracts[version];
  const template = path in paths ? path : Object.keys(paths).find((one) => isPathOf(one, path));
  const content = template && paths[template]?.[method]?.responses?.[status]?.content;
  if (!content || !('application/json' in content)) return undefined;

  const steps = ['paths', template, method, 'responses', String(status), 'content', 'application/json', 'schema'];
  const pointer = steps.map((step) => step.replaceAll('~', '~0').replaceAll('/', '~1')).join('/');
  return validatorAt(`${version}#/${encodeURI(pointer)}`);
}

function isPathOf(template: string, path: string): boolean {
  const pattern = template.replaceAll(/\{\w+\}/g, '[^/]+');
  return new RegExp(`^${pattern}$`).test(path);
}

function readContract<File extends Contract | WebhookContract>(version: Version | 'webhooks'): File {
  const text = readFileSync(join(import.meta.dirname, '..', 'contract', `${version}.json`), 'utf8');
  return JSON.parse(text, toJsonSchema);
}

/** Translates OpenAPI 3.0's `nullable` and the contract's own "any other" key to JSON Schema. */
function toJsonSchema(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if ('nullable' in value && value.nullable === true) {
    const { nullable: _nullable, ...schema } = value;
    return { anyOf: [{ type: 'null' }, schema] };
  }
  if ('properties' in value && isRecord(value.properties) && ANY_OTHER in value.properties) {
    const { [ANY_OTHER]: _other, ...known } = value.properties;
    // Repeated tags become arrays in both versions; v1's file shows that for two of them only.
    const other = { type: ['string', 'array'], items: { type: 'string' } };
    return { ...value, properties: { ...known, creditsUsed: { type: 'integer' } }, additionalProperties: other };
  }
  return value;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
