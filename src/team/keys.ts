import { createHash, randomBytes } from 'node:crypto';
import { newId, now } from '../clock.ts';
import { TrawlError } from '../errors.ts';
import type { NewKey, StoredKey } from '../store/operations/keys.ts';
import type { Store } from '../store/store.ts';
import { type Plan, readPlan } from './plans.ts';
import { type KeyRestrictions, readAllowList, readRestrictions } from './restrictions.ts';

/** The caller of a request. */
export interface Caller {
  teamId: string;
  /** The party that limits are counted for: the team, or the client of a call without a key. */
  subject: string;
  /** For calls without a key, the key of their team. Null where no key is recorded. */
  keyId: string | null;
  keyName: string | null;
  plan: Plan;
  /** Billing periods begin on this moment's day of the month, UTC. */
  billingAnchor: number;
  restrictions: KeyRestrictions;
  /** The networks (CIDR) that the team may be called from; null means every network. */
  allowList: readonly string[] | null;
}

export interface CreatedKey {
  id: string;
  /** Returned here and never again. */
  key: string;
  hint: string;
}

export interface FirstStart {
  /** The key that was created; it is shown once. */
  key?: string;
  /** A warning to the operator about the given key. */
  warning?: string;
}

/** The team of a new installation. Its id is fixed, so that processes that start together cannot make two. */
export const FIRST_TEAM_ID = '00000000-0000-7000-8000-000000000001';

/**
 * Sets up keys at a start. The first start creates a team, on the plan `unlimited`, with a key. If a key is given (1 to
 * 200 visible ASCII characters) it is used, and a later start adds it; keys from earlier starts stay.
 */
export async function firstStart(store: Store, givenKey?: string): Promise<FirstStart> {
  if (givenKey === undefined) {
    const { key, row } = newKey(FIRST_TEAM_ID, 'default');
    const made = await makeFirstTeam(store, row);
    return made ? { key } : {};
  }
  const row = keyRow(FIRST_TEAM_ID, givenKey, 'TRAWL_API_KEY');
  await addKey(store, row);
  const found = await store.keys.find(row.hash);
  if (found?.revokedAt === null) return {};
  return { warning: 'The key in TRAWL_API_KEY has been revoked. Set another one.' };
}

/** The restrictions of a key, and its team: the first one by default. */
export interface KeyOptions extends Partial<KeyRestrictions> {
  teamId?: string;
}

/**
 * Creates a key. For the first team this also works before the first start, which then creates none. Throws BAD_REQUEST
 * for an unusable name.
 */
export async function createKey(store: Store, name: string, options: KeyOptions = {}): Promise<CreatedKey> {
  if (name.trim() === '' || !/^\P{Cc}{1,100}$/u.test(name)) {
    throw new TrawlError('BAD_REQUEST', 'The name of a key is 1 to 100 characters on one line.');
  }
  const { teamId = FIRST_TEAM_ID, ...restrictions } = options;
  const { key, row } = newKey(teamId, name, restrictions);
  await addKey(store, row);
  return { id: row.id, key, hint: row.hint };
}

/** Every key of a team, oldest first, including revoked ones. */
export function listKeys(store: Store, teamId = FIRST_TEAM_ID): Promise<StoredKey[]> {
  return store.keys.list(teamId);
}

/**
 * Revokes a key of a team by its id, its name or the key itself; it is refused from now on. Revoking it again does
 * nothing. Throws NOT_FOUND, and BAD_REQUEST for a name that several active keys have.
 */
export async function revokeKey(store: Store, which: string, teamId = FIRST_TEAM_ID): Promise<StoredKey> {
  const key = await pickKey(store, which, teamId);
  await store.keys.revoke(key.teamId, key.id, now());
  return key;
}

/** The caller of a key; null for a key that is unknown or revoked. */
export function authenticate(store: Store, token: string): Promise<Caller | null> {
  return findCaller(store, hashKey(token));
}

/** The team as the caller of its schedules; null when it is gone or being deleted. */
export async function teamCaller(store: Store, teamId: string): Promise<Caller | null> {
  const team = await store.teams.find(teamId);
  if (team === null || team.deletedAt !== null) return null;
  const plan = await store.plans.find(team.plan);
  return {
    teamId,
    subject: teamId,
    keyId: null,
    keyName: null,
    plan: readPlan(team.plan, plan?.limits ?? null),
    billingAnchor: team.billingAnchor,
    restrictions: { formats: null, endpointGroups: null },
    allowList: null,
  };
}

/** The caller of the key with this hash; null for a key that is unknown or revoked. */
export async function findCaller(store: Store, hash: string): Promise<Caller | null> {
  // The time of the search reveals nothing: whoever can steer the hash towards a stored one can break SHA-256.
  const owner = await store.keys.find(hash);
  if (owner === null || owner.revokedAt !== null) return null;
  return {
    teamId: owner.teamId,
    subject: owner.teamId,
    keyId: owner.keyId,
    keyName: owner.keyName,
    plan: readPlan(owner.plan, owner.planLimits),
    billingAnchor: owner.billingAnchor,
    restrictions: readRestrictions(owner.formats, owner.endpointGroups),
    allowList: readAllowList(owner.allowList),
  };
}

async function pickKey(store: Store, which: string, teamId: string): Promise<StoredKey> {
  const [keys, itself] = await Promise.all([listKeys(store, teamId), store.keys.find(hashKey(which))]);
  const exact = keys.find(({ id }) => id === which || id === itself?.keyId);
  if (exact !== undefined) return exact;

  const named = keys.filter(({ name }) => name === which);
  const inForce = named.filter(({ revokedAt }) => revokedAt === null);
  if (inForce.length > 1) {
    const ids = inForce.map(({ id, hint }) => `${id} (${hint})`).join(', ');
    throw new TrawlError('BAD_REQUEST', `Several keys have this name. Use an id instead: ${ids}.`);
  }
  const key = inForce[0] ?? named[0];
  if (key === undefined) {
    throw new TrawlError('NOT_FOUND', 'No key has this id or name. "trawl keys list" shows them.');
  }
  return key;
}

async function addKey(store: Store, key: NewKey): Promise<void> {
  const madeWithTeam = key.teamId === FIRST_TEAM_ID && (await makeFirstTeam(store, key));
  if (!madeWithTeam) await store.keys.add(key);
}

function makeFirstTeam(store: Store, key: NewKey): Promise<boolean> {
  const createdAt = now();
  const team = { id: FIRST_TEAM_ID, name: 'default', plan: 'unlimited', billingAnchor: createdAt, createdAt };
  return store.teams.make(team, key);
}

/** A new key of a team, and its row. Only this result has the key itself. */
export function newKey(
  teamId: string,
  name: string,
  restrictions: Partial<KeyRestrictions> = {},
): { key: string; row: NewKey } {
  const key = generateKey();
  return { key, row: keyRow(teamId, key, name, restrictions) };
}

function keyRow(
  teamId: string,
  key: string,
  name: string,
  { formats = null, endpointGroups = null }: Partial<KeyRestrictions> = {},
): NewKey {
  return {
    id: newId(),
    teamId,
    name,
    hash: hashKey(key),
    hint: hintOf(key),
    formats: formats && JSON.stringify(formats),
    endpointGroups: endpointGroups && JSON.stringify(endpointGroups),
    createdAt: now(),
  };
}

/** `fc-` and 128 random bits; clients look for the prefix. */
function generateKey(): string {
  return `fc-${randomBytes(16).toString('hex')}`;
}

/**
 * Plain SHA-256. A slow hash protects secrets that can be guessed, and 128 random bits cannot be, at any speed; it
 * would cost every request tens of milliseconds. A key that the operator chooses should be as random.
 */
function hashKey(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

/** Enough to recognise a key by; nothing of a short key, whose hidden part has to be beyond guessing. */
function hintOf(key: string): string {
  return key.length < 32 ? '…' : `${key.slice(0, 7)}…${key.slice(-2)}`;
}
