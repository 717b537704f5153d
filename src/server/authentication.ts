import type { FastifyRequest } from 'fastify';
import { TrawlError } from '../errors.ts';
import type { Store } from '../store/store.ts';
import { authenticate, type Caller } from '../team/keys.ts';
import type { PublicAddress } from './public-address.ts';

/** RFC 6750 section 2.1: the scheme in any case, then one token. */
const BEARER = /^Bearer +([\x21-\x7e]{1,200}) *$/i;

/** What clients without a key send: nothing, no token, or the word that a missing variable turns into. */
const NO_TOKEN = /^Bearer *(undefined *)?$/i;

interface Identified {
  caller: Caller;
  isKeyless: boolean;
}

/**
 * Returns the caller of a request by its bearer key, or throws a 401 that says what is wrong with it.
 * @param keyless returns the caller of a request without a key, if those are allowed
 */
export async function identify(
  store: Store,
  request: FastifyRequest,
  publicAddress: PublicAddress,
  keyless: (() => Promise<Caller | null>) | undefined,
): Promise<Identified> {
  const unauthorized = (message: string) => unauthorizedAt(publicAddress(request), message);
  const header = request.headers.authorization;
  if (keyless !== undefined && (header === undefined || NO_TOKEN.test(header))) {
    const caller = await keyless();
    if (caller !== null) return { caller, isKeyless: true };
  }
  if (header === undefined) throw unauthorized('No API key. Send the header "Authorization: Bearer <API_KEY>".');
  const token = BEARER.exec(header)?.[1];
  if (token === undefined) {
    throw unauthorized('The Authorization header is malformed. Send "Authorization: Bearer <API_KEY>".');
  }
  const caller = await authenticate(store, token);
  if (caller === null) {
    throw unauthorized('This API key is unknown or was revoked. "trawl keys create" makes a new one.');
  }
  return { caller, isKeyless: false };
}

/** The caller of a route that needs a key. */
export function callerOf(request: FastifyRequest): Caller {
  if (request.caller === null) throw new Error(`${request.routeOptions.url} asks for its caller but takes no key`);
  return request.caller;
}

/** RFC 9728 section 5.1: this header tells a client where to learn how to get a key. */
function unauthorizedAt(address: string, message: string): TrawlError {
  return new TrawlError('UNAUTHORIZED', message, {
    headers: { 'www-authenticate': `Bearer resource_metadata="${address}/.well-known/oauth-protected-resource"` },
  });
}
