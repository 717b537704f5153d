import { newId, now } from '../clock.ts';
import { ConfigError } from '../config.ts';
import { TrawlError } from '../errors.ts';
import { parseNetworks } from '../fetch/egress/networks.ts';
import type { StoredTeam } from '../store/operations/teams.ts';
import type { Store } from '../store/store.ts';
import { KEYLESS_TEAM_ID } from './keyless.ts';
import { newKey } from './keys.ts';
import { findPlan } from './operator-plans.ts';

/** Teams as the operator creates and changes them. A change takes effect with the next request. */

export interface CreatedTeam {
  id: string;
  /** The first key of the team. Returned here and never again. */
  key: string;
}

/** A network list is parsed with every request of the team. */
const MAX_NETWORKS = 1_000;

/**
 * Creates a team with a key. Throws BAD_REQUEST for an unusable name or one that is taken, and NOT_FOUND for a plan
 * that does not exist.
 */
export async function createTeam(store: Store, name: string, planName: string): Promise<CreatedTeam> {
  if (name.trim() === '' || !/^\P{Cc}{1,100}$/u.test(name)) {
    throw new TrawlError('BAD_REQUEST', 'The name of a team is 1 to 100 characters on one line.');
  }
  const [teams, plan] = await Promise.all([store.teams.list(), findPlan(store, planName)]);
  if (teams.some((team) => team.name === name && team.deletedAt === null)) {
    throw new TrawlError('BAD_REQUEST', `There already is a team "${name}". Choose another name.`);
  }
  const [id, createdAt] = [newId(), now()];
  const { key, row } = newKey(id, 'default');
  await store.teams.make({ id, name, plan: plan.name, billingAnchor: createdAt, createdAt }, row);
  return { id, key };
}

/** The team with this id or name. Throws NOT_FOUND, and BAD_REQUEST for a name that several have. */
export async function findTeam(store: Store, which: string): Promise<StoredTeam> {
  const teams = await store.teams.list();
  const namesakes = teams.filter(({ name }) => name === which);
  const inForce = namesakes.filter(({ deletedAt }) => deletedAt === null);
  const named = inForce.length > 0 ? inForce : namesakes;
  const team = teams.find(({ id }) => id === which) ?? named[0];
  if (team === undefined) {
    throw new TrawlError('NOT_FOUND', `No team has the id or name "${which}". "trawl teams list" shows them.`);
  }
  if (team.id !== which && named.length > 1) {
    const ids = named.map(({ id }) => id).join(', ');
    throw new TrawlError('BAD_REQUEST', `Several teams have this name. Use an id instead: ${ids}.`);
  }
  return team;
}

/** Throws CONFLICT for the only team with keys: nobody could call the service without it. */
export async function requireAnotherTeam(store: Store, { id }: StoredTeam): Promise<void> {
  const teams = await store.teams.list();
  const others = teams.filter((team) => team.id !== id && team.id !== KEYLESS_TEAM_ID && team.deletedAt === null);
  if (id === KEYLESS_TEAM_ID || others.length > 0) return;
  throw new TrawlError(
    'CONFLICT',
    'This is the only team. Create another one first, or stop the service and remove its whole database.',
  );
}

/** Moves a team to a plan. Throws NOT_FOUND. */
export async function putOnPlan(store: Store, which: string, planName: string): Promise<void> {
  const [team, plan] = await Promise.all([findTeam(store, which), findPlan(store, planName)]);
  await store.teams.change(team.id, { plan: plan.name });
}

/**
 * Sets the day of the month on which billing periods of a team begin, past ones included, in all reports. Throws
 * BAD_REQUEST for an invalid day, and NOT_FOUND.
 */
export async function anchorBilling(store: Store, which: string, dayOfMonth: number): Promise<void> {
  if (!Number.isInteger(dayOfMonth) || dayOfMonth < 1 || dayOfMonth > 31) {
    throw new TrawlError('BAD_REQUEST', 'Billing periods begin on a day from 1 to 31.');
  }
  const team = await findTeam(store, which);
  // Any month with 31 days works: only the day of an anchor counts.
  await store.teams.change(team.id, { billingAnchor: Date.UTC(2024, 0, dayOfMonth) });
}

/**
 * Restricts a team to calls from these networks (CIDR; a bare address means that address only); null lifts the
 * restriction. Throws BAD_REQUEST for an invalid network, and NOT_FOUND.
 */
export async function allowNetworks(store: Store, which: string, networks: readonly string[] | null): Promise<void> {
  for (const network of networks ?? []) requireNetwork(network);
  if (networks !== null && (networks.length === 0 || networks.length > MAX_NETWORKS)) {
    throw new TrawlError('BAD_REQUEST', `Give 1 to ${MAX_NETWORKS} networks.`);
  }
  const team = await findTeam(store, which);
  await store.teams.change(team.id, { allowList: networks && JSON.stringify(networks) });
}

function requireNetwork(network: string): void {
  try {
    parseNetworks([network], 'The allow-list');
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    throw new TrawlError('BAD_REQUEST', `"${network}" is not a network. Write it as CIDR, for example 10.0.0.0/8.`);
  }
}
