import { newId, now } from '../clock.ts';
import { TrawlError } from '../errors.ts';
import { parseAddress } from '../fetch/egress/parse-address.ts';
import { Windows } from '../store/limits/windows.ts';
import type { Store } from '../store/store.ts';
import { type Caller, findCaller } from './keys.ts';
import { type RateState, refuse } from './rate-limit.ts';
import type { EndpointGroup } from './restrictions.ts';

/** The id is fixed, so that processes that start together cannot make two teams. */
export const KEYLESS_TEAM_ID = '00000000-0000-7000-8000-000000000002';
/**
 * Replaces the hash of a key: no key has this hash. The row is a key like any other: it can be restricted and revoked.
 */
const NO_KEY = 'no key';

/**
 * What calls without a key may do. They may not list the work of the team, which would show strangers to each other:
 * here a result is for whoever has its id, which cannot be guessed.
 */
const OPEN_GROUPS: readonly EndpointGroup[] = ['scrape', 'map', 'search', 'parse'];

const DAY_MS = 86_400_000;
/** Clients that are known to have used up their day. A forgotten one is looked up again. */
const MAX_FULL = 10_000;

/** Calls without a key: one team for all of them, with limits for each client. */
export class Keyless {
  readonly #store: Store;
  readonly #perDay: number;
  readonly #full = new Windows(MAX_FULL);

  constructor(store: Store, perDay: number) {
    this.#store = store;
    this.#perDay = perDay;
  }

  /** Creates the team for calls without a key, unless it exists. */
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

  /**
   * The caller at this address; null when the operator has revoked the team's key. Throws FORBIDDEN without an address.
   */
  async caller(address: string | undefined): Promise<Caller | null> {
    const client = address === undefined ? undefined : clientOf(address);
    if (client === undefined) {
      throw new TrawlError(
        'FORBIDDEN',
        'Requests without a key are counted by client address, and the address of this client cannot be determined. Send a key.',
      );
    }
    const caller = await findCaller(this.#store, NO_KEY);
    return caller && { ...caller, subject: client };
  }

  /** Counts a request of this caller in its day, which ends at midnight UTC. */
  async count({ subject: client }: Caller): Promise<RateState> {
    const day = Math.floor(now() / DAY_MS);
    const endsAt = (day + 1) * DAY_MS;
    const limit = this.#perDay;
    const isFull = this.#full.running(client, DAY_MS) !== undefined;
    const requests = isFull ? null : await this.#store.keyless.count({ client, day, limit });
    if (requests !== null) return { limit, remaining: limit - requests, endsAt };

    if (!isFull) this.#full.begin(client, { requests: limit, endsAt });
    const what = `${limit} requests a day are allowed without a key. Send the header "Authorization: Bearer <API_KEY>" for more`;
    return { limit, remaining: 0, endsAt, refusal: refuse(what, endsAt) };
  }
}

/** An IPv4 address, or the /64 network of an IPv6 address: the owner of one address there usually has all of them. */
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
