import { TrawlError } from '../errors.ts';
import { type OwnHeaders, readOwnHeaders } from '../fetch/request-headers.ts';
import type { Poster } from '../fetch/types.ts';
import type { NewWebhook } from '../store/operations/jobs/webhook-events.ts';
import type { Store } from '../store/store.ts';
import { webhookSecret } from './secret.ts';

/** A requested webhook. */
export interface WebhookRequest {
  url: string;
  headers: Readonly<Record<string, string>>;
  /** Returned with every event. */
  metadata: Readonly<Record<string, unknown>>;
  /** Undefined: all. */
  events: readonly string[] | undefined;
}

export interface WebhookServices {
  store: Store;
  checkTarget: Poster['checkTarget'];
}

/** Headers and metadata are sent with every event, and stored with the job until then. */
const MAX_HEADERS = 50;
const MAX_BYTES = 8 * 1024;
const MAX_URL_LENGTH = 2_048;

/** Headers that the service sets itself, besides everything that begins with `webhook-`. */
const OUR_HEADERS: ReadonlySet<string> = new Set(['content-type', 'x-firecrawl-signature']);

/**
 * Creates a webhook of the team, and the team's secret if there is none. Throws BAD_REQUEST for an address, headers or
 * metadata that cannot be sent, and for an address that the egress guard is already known to refuse.
 * @param allEvents the existing event types, for a request that names none
 */
export async function newWebhook(
  { store, checkTarget }: WebhookServices,
  teamId: string,
  request: WebhookRequest,
  allEvents: readonly string[],
): Promise<NewWebhook> {
  const url = readAddress(request.url);
  const headers = readHeaders(request.headers);
  const metadata = JSON.stringify(request.metadata);
  requireSize('metadata', metadata);
  await checkTarget(url).catch((error: unknown) => refuseFor('url', error));
  await webhookSecret(store, teamId);
  return { url: url.href, headers, metadata, events: request.events ?? allEvents };
}

function readAddress(text: string): URL {
  const url = URL.parse(text);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw refuse('url', `"${text.slice(0, 100)}" is not an http or https address.`);
  }
  if (url.href.length > MAX_URL_LENGTH) throw refuse('url', `The address is longer than ${MAX_URL_LENGTH} characters.`);
  if (url.username !== '' || url.password !== '') {
    throw refuse(
      'url',
      'A user name or password in the address is not sent. Put an Authorization header into "headers".',
    );
  }
  return url;
}

/** As JSON. */
function readHeaders(headers: WebhookRequest['headers']): string {
  const names = Object.keys(headers);
  if (names.length > MAX_HEADERS)
    throw refuse('headers', `${names.length} headers are too many; the limit is ${MAX_HEADERS}.`);
  const own = sendable(headers);
  const refused = names.find((name) => {
    const lowerName = name.toLowerCase();
    // Excludes headers that describe the connection.
    return !own.has(lowerName) || OUR_HEADERS.has(lowerName) || lowerName.startsWith('webhook-');
  });
  if (refused !== undefined) throw refuse('headers', `"${refused}" is set by the service. Leave it out.`);
  const text = JSON.stringify(Object.fromEntries(own.values()));
  requireSize('headers', text);
  return text;
}

function sendable(headers: WebhookRequest['headers']): OwnHeaders {
  try {
    return readOwnHeaders(headers);
  } catch (error) {
    return refuseFor('headers', error);
  }
}

function requireSize(field: string, text: string): void {
  if (Buffer.byteLength(text) > MAX_BYTES) throw refuse(field, `This is larger than ${MAX_BYTES / 1024} KB.`);
}

function refuseFor(field: string, error: unknown): never {
  throw error instanceof TrawlError ? refuse(field, error.message) : error;
}

function refuse(field: string, message: string): TrawlError {
  return new TrawlError('BAD_REQUEST', `webhook.${field}: ${message}`, {
    details: [{ path: ['webhook', field], message }],
  });
}
