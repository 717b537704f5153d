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
    /** What a key has to be allowed for; of several, one. Every route that takes a key has both. */
    endpointGroup?: EndpointGroup | readonly EndpointGroup[];
    /** Which of the plan's limits a request counts against. */
    rateGroup?: RateGroup;
  }
}

export interface AdmissionOptions {
  store: Store;
  publicAddress: PublicAddress;
  /** Undefined: nothing is done for calls without a key. */
  keyless: Keyless | undefined;
}

/**
 * What a request has to pass before its body is read, the cheapest to refuse first: key, network, what the key may do, and
 * the limits on requests. Whatever cannot be told is refused. Wrong keys are not counted by address: each costs a hash
 * and one read, guessing 128 bits is hopeless, and the count would shut out the neighbours behind one address.
 */
export function admission(options: AdmissionOptions) {
  const { store, keyless } = options;
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const { rateGroup } = groupsOf(request.routeOptions);
    const { caller, isKeyless } = await admitCaller(options, request);
    request.caller = caller;
    const rate = await countRequest(store.limits, caller, rateGroup);
    if (rate !== null) admit(reply, rate);
    // After the minute's: what that refuses takes nothing from the day.
    if (keyless !== undefined && isKeyless) admit(reply, await keyless.count(caller));
  };
}

/** Names the caller, if it may do what it asks for now. Counts nothing, so that it can be asked again about a long answer. */
export async function admitCaller({ store, publicAddress, keyless }: AdmissionOptions, request: FastifyRequest) {
  const address = clientAddress(request);
  const identified = await identify(store, request, publicAddress, keyless && (() => keyless.caller(address)));
  requireAllowedAddress(identified.caller, address);
  requireEndpointGroup(identified.caller, [groupsOf(request.routeOptions).endpointGroup].flat());
  return identified;
}

/** An `onRoute` hook: a route that does not say in which groups it is would be open to every key and without a limit. */
export function requireGroups(route: RouteOptions): void {
  groupsOf(route);
}

function groupsOf({ url, config }: Pick<RouteOptions, 'config'> & { url?: string | undefined }) {
  const { endpointGroup, rateGroup } = config ?? {};
  if (endpointGroup === undefined || rateGroup === undefined) {
    throw new Error(`The route ${url} has to say its endpointGroup and its rateGroup in its config.`);
  }
  return { endpointGroup, rateGroup };
}

/** As IPv4 where it is that, also inside of IPv6; undefined when it is not an address. */
function clientAddress({ ip }: FastifyRequest): string | undefined {
  // Undefined on a socket that is already gone, and whatever a proxy wrote behind one.
  const parsed = parseAddress(String(ip));
  if (parsed === undefined) return undefined;
  const isMapped = 'parts' in parsed && parsed.isIPv4MappedAddress();
  return (isMapped ? parsed.toIPv4Address() : parsed).toString();
}

function admit(reply: FastifyReply, state: RateState): void {
  setRateHeaders(reply, state);
  if (state.refusal !== undefined) throw state.refusal;
}
