import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { parseAddress } from '../fetch/egress/parse-address.ts';
import type { Store } from '../store/store.ts';
import type { Keyless } from '../team/keyless.ts';
import { requireAllowedAddress, requireEndpointGroup } from '../team/permissions.ts';
import type { RateGroup } from '../team/plans.ts';
import { countRequest, type RateState } from '../team/rate-limit.ts';
import type { EndpointGroup } from '../team/restrictions.ts';
import { identify } from './authentication.ts';
import type { PublicAddress } from './public-address.ts';
import { setRateHeaders } from './rate-headers.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The groups that a key needs: one of several is enough. Every route that takes a key has both fields. */
    endpointGroup?: EndpointGroup | readonly EndpointGroup[];
    /** Which of the plan's limits a request counts against. */
    rateGroup?: RateGroup;
  }
}

export interface AdmissionOptions {
  store: Store;
  publicAddress: PublicAddress;
  /** Undefined: calls without a key are refused. */
  keyless: Keyless | undefined;
}

/**
 * The checks of a request before its body is read, the cheapest refusal first: key, network, permissions of the key,
 * and the limits on requests. Whatever cannot be determined is refused. Wrong keys are not counted by address: each
 * costs a hash and one read, guessing 128 bits is hopeless, and the count would lock out the neighbours behind one
 * address.
 */
export function admission(options: AdmissionOptions) {
  const { store, keyless } = options;
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const { rateGroup } = groupsOf(request.routeOptions);
    const { caller, isKeyless } = await admitCaller(options, request);
    request.caller = caller;
    const rate = await countRequest(store.limits, caller, rateGroup);
    if (rate !== null) admit(reply, rate);
    // After the limit per minute: a request that it refuses does not count towards the day.
    if (keyless !== undefined && isKeyless) admit(reply, await keyless.count(caller));
  };
}

/** Returns the caller if it may make this request now. Counts nothing, so that a long response can check it again. */
export async function admitCaller({ store, publicAddress, keyless }: AdmissionOptions, request: FastifyRequest) {
  const address = clientAddress(request);
  const identified = await identify(store, request, publicAddress, keyless && (() => keyless.caller(address)));
  requireAllowedAddress(identified.caller, address);
  requireEndpointGroup(identified.caller, [groupsOf(request.routeOptions).endpointGroup].flat());
  return identified;
}

/** An `onRoute` hook: a route without groups would be open to every key and without a limit. */
export function requireGroups(route: RouteOptions): void {
  groupsOf(route);
}

function groupsOf({ url, config }: Pick<RouteOptions, 'config'> & { url?: string | undefined }) {
  const { endpointGroup, rateGroup } = config ?? {};
  if (endpointGroup === undefined || rateGroup === undefined) {
    throw new Error(`The route ${url} must set endpointGroup and rateGroup in its config.`);
  }
  return { endpointGroup, rateGroup };
}

/** An address as IPv4 if it is one, even inside IPv6; undefined when it is not an address. */
function clientAddress({ ip }: FastifyRequest): string | undefined {
  // Undefined on a socket that is already gone, and for whatever text a proxy wrote.
  const parsed = parseAddress(String(ip));
  if (parsed === undefined) return undefined;
  const isMapped = 'parts' in parsed && parsed.isIPv4MappedAddress();
  return (isMapped ? parsed.toIPv4Address() : parsed).toString();
}

function admit(reply: FastifyReply, state: RateState): void {
  setRateHeaders(reply, state);
  if (state.refusal !== undefined) throw state.refusal;
}
