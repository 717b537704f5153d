import { newId, now } from '../clock.ts';
import { TrawlError } from '../errors.ts';
import { parseAddress } from '../fetch/egress/parse-address.ts';
import { Windows } from '../store/limits/windows.ts';
import type { Store } from '../store/store.ts';
import { type Caller, findCaller } from './keys.ts';
import { type RateState, refuse } from './rate-limit.ts';
import type { EndpointGroup } from './restrictions.ts';

/** Its id is fixed, so that processes that start together cannot make two. */
export const KEYLESS_TEAM_ID = '00000000-0000-7000-8000-000000000002';
/** In the place of a key's hash: no key has it. The row is a key like any other: it can be restricted and revoked. */
const NO_KEY = 'no key';

/**
 * What everybody may call. Not what lists the work of the team, which would show strangers to each other: here a result
 * is for whoever has its id, which cannot be guessed.
 */
const OPEN_GROUPS: readonly EndpointGroup[] = ['scrape', 'map', 'search', 'parse'];

const DAY_MS = 86_400_000;
/** Clients that are known to have had their day: one that is forgotten is asked for again. */
const MOST_FULL = 10_000;

/** Calls without a key: one team for all of them, each client within limits of its own. */
export class Keyless {
  readonly #store: Store;
  readonly #perDay: number;
  readonly #full = new Windows(MOST_FULL);

  constructor(store: Store, perDay: number) {
    this.#store = store;
    this.#perDay = perDay;
  }

  /** Makes the team that acts for whoever has no key, unless it is there. */
  static async makeTeam(store: Store): Promise<void> {
    const createdAt = now();
    const team = { id: KEYLESS_TEAM_ID, name: 'keyless', plan: 'keyless', billingAnchor: createdAt, createdAt };
    await store.teams.make(team, {
      id: newId(),
      teamId: KEYLESS_TEAM_ID,
      name: 'keyless',
      hash: NO_KEY,
      hint: '…',
      formats: null,
      endpointGroups: JSON.stringify(OPEN_GROUPS),
      createdAt,
    });
  }

  /** Whoever calls from this address; null when the operator has revoked the team's key. Throws FORBIDDEN without an address. */
  async caller(address: string | undefined): Promise<Caller | null> {
    const client = address === undefined ? undefined : clientOf(address);
    if (client === undefined) {
      throw new TrawlError(
        'FORBIDDEN',
        'The address of this client cannot be read, and without a key requests are counted by it. Send a key.',
      );
    }
    const caller = await findCaller(this.#store, NO_KEY);
    return caller && { ...caller, subject: client };
  }

  /** Counts a request of this caller into its day, which ends at midnight UTC. */
  async count({ subject: client }: Caller): Promise<RateState> {
    const day = Math.floor(now() / DAY_MS);
    const endsAt = (day + 1) * DAY_MS;
    const limit = this.#perDay;
    const isFull = this.#full.running(client, DAY_MS) !== undefined;
    const requests = isFull ? null : await this.#store.keyless.count({ client, day, limit });
    if (requests !== null) return { limit, remaining: limit - requests, endsAt };

    if (!isFull) this.#full.begin(client, { requests: limit, endsAt });
    const what = `Without a key, ${limit} requests a day are allowed. Send the header "Authorization: Bearer <API_KEY>" for more`;
    return { limit, remaining: 0, endsAt, refusal: refuse(what, endsAt) };
  }
}

/** An IPv4 address, or the network of 64 bits that an IPv6 address is in: who has one address there has all of them. */
export function clientOf(address: string): string | undefined {
  const parsed = parseAddress(address);
  if (parsed === undefined) return undefined;
  if (!('parts' in parsed)) return parsed.toString();
  if (parsed.isIPv4MappedAddress()) return parsed.toIPv4Address().toString();
  return `${parsed.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`;
}
