import { newId, now } from '../clock.ts';
import { ConfigError } from '../config.ts';
import { TrawlError } from '../errors.ts';
import { parseNetworks } from '../fetch/egress/networks.ts';
import type { StoredTeam } from '../store/operations/teams.ts';
import type { Store } from '../store/store.ts';
import { KEYLESS_TEAM_ID } from './keyless.ts';
import { newKey } from './keys.ts';
import { findPlan } from './operator-plans.ts';

/** Teams as the operator makes and changes them. A change counts from the next request on. */

export interface CreatedTeam {
  id: string;
  /** The first key of the team. Told here and never again. */
  key: string;
}

/** A network list is read with every request of the team. */
const MOST_NETWORKS = 1_000;

/**
 * Makes a team with a key. Throws BAD_REQUEST for a name that is no use in a list or that a team has, and NOT_FOUND for a
 * plan that does not exist.
 */
export async function createTeam(store: Store, name: string, planName: string): Promise<CreatedTeam> {
  if (name.trim() === '' || !/^\P{Cc}{1,100}$/u.test(name)) {
    throw new TrawlError('BAD_REQUEST', 'The name of a team is 1 to 100 characters on one line.');
  }
  const [teams, plan] = await Promise.all([store.teams.list(), findPlan(store, planName)]);
  if (teams.some((team) => team.name === name && team.deletedAt === null)) {
    throw new TrawlError('BAD_REQUEST', `There is a team "${name}". Take another name.`);
  }
  const [id, createdAt] = [newId(), now()];
  const { key, row } = newKey(id, 'default');
  await store.teams.make({ id, name, plan: plan.name, billingAnchor: createdAt, createdAt }, row);
  return { id, key };
}

/** The team of this id or name. Throws NOT_FOUND, and BAD_REQUEST for a name that several have. */
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
    throw new TrawlError('BAD_REQUEST', `Several teams have this name. Take the id of the one you mean: ${ids}.`);
  }
  return team;
}

/** Throws CONFLICT for the only team that has keys: nobody could call the service without it. */
export async function requireAnotherTeam(store: Store, { id }: StoredTeam): Promise<void> {
  const teams = await store.teams.list();
  const others = teams.filter((team) => team.id !== id && team.id !== KEYLESS_TEAM_ID && team.deletedAt === null);
  if (id === KEYLESS_TEAM_ID || others.length > 0) return;
  throw new TrawlError(
    'CONFLICT',
    'This is the only team. Make another one first, or stop the service and remove its whole database.',
  );
}

/** Puts a team on a plan. Throws NOT_FOUND. */
export async function putOnPlan(store: Store, which: string, planName: string): Promise<void> {
  const [team, plan] = await Promise.all([findTeam(store, which), findPlan(store, planName)]);
  await store.teams.change(team.id, { plan: plan.name });
}

/**
 * Has billing periods of a team begin on this day of the month: the past ones too, in all reports. Throws BAD_REQUEST for
 * what is no day, and NOT_FOUND.
 */
export async function anchorBilling(store: Store, which: string, dayOfMonth: number): Promise<void> {
  if (!Number.isInteger(dayOfMonth) || dayOfMonth < 1 || dayOfMonth > 31) {
    throw new TrawlError('BAD_REQUEST', 'The day on which billing periods begin is 1 to 31.');
  }
  const team = await findTeam(store, which);
  // Any month with 31 days does: of an anchor only its day counts.
  await store.teams.change(team.id, { billingAnchor: Date.UTC(2024, 0, dayOfMonth) });
}

/**
 * Lets a team be called only from these networks (CIDR; a bare address stands for itself); null lets it be called from
 * everywhere. Throws BAD_REQUEST for what is no network, and NOT_FOUND.
 */
export async function allowNetworks(store: Store, which: string, networks: readonly string[] | null): Promise<void> {
  for (const network of networks ?? []) requireNetwork(network);
  if (networks !== null && (networks.length === 0 || networks.length > MOST_NETWORKS)) {
    throw new TrawlError('BAD_REQUEST', `Name 1 to ${MOST_NETWORKS} networks.`);
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
