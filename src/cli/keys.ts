import { Command } from 'commander';
import { z } from 'zod';
import { isoTime } from '../clock.ts';
import { TrawlError } from '../errors.ts';
import { UNAVAILABLE_FORMATS } from '../pages/availability.ts';
import { SCRAPE_FORMATS } from '../pages/request.ts';
import type { Store } from '../store/store.ts';
import { createKey, FIRST_TEAM_ID, listKeys, revokeKey } from '../team/keys.ts';
import { ENDPOINT_GROUPS, type KeyRestrictions, readRestrictions } from '../team/restrictions.ts';
import { findTeam } from '../team/teams.ts';
import { withStore } from './with-store.ts';

const FORMATS = [...SCRAPE_FORMATS, ...UNAVAILABLE_FORMATS] as const;

interface TeamFlag {
  team?: string;
}

interface CreateFlags extends TeamFlag {
  formats?: string;
  endpoints?: string;
}

export function keysCommand(): Command {
  return new Command('keys')
    .description('Create, list and revoke API keys')
    .addCommand(
      ofTeam(new Command('create'))
        .description('Create a key and print it; it cannot be shown again')
        .argument('[name]', 'what the key is for', 'default')
        .option('--formats <names>', 'the only formats it may request, separated by commas')
        .option('--endpoints <groups>', `the only operations it may call, from ${ENDPOINT_GROUPS.join(', ')}`)
        .addHelpText(
          'after',
          `
Examples:
  $ trawl keys create laptop
  $ trawl keys create reader --team acme --formats markdown,links --endpoints scrape,map`,
        )
        .action((name: string, flags: CreateFlags) =>
          withStore(async (store) => {
            const { key } = await createKey(store, name, {
              teamId: await teamId(store, flags),
              formats: readNames(FORMATS, 'format', flags.formats),
              endpointGroups: readNames(ENDPOINT_GROUPS, 'group of operations', flags.endpoints),
            });
            process.stdout.write(`${key}\n`);
          }),
        ),
    )
    .addCommand(
      ofTeam(new Command('list'))
        .description('List the keys of a team, including revoked ones')
        .action((flags: TeamFlag) =>
          withStore(async (store) => {
            for (const key of await listKeys(store, await teamId(store, flags))) {
              const state = key.revokedAt === null ? 'active' : `revoked ${isoTime(key.revokedAt)}`;
              const restrictions = restrictionsOf(readRestrictions(key.formats, key.endpointGroups));
              process.stdout.write(
                `${key.id}  ${key.hint}  ${isoTime(key.createdAt)}  ${state}${restrictions}  ${key.name}\n`,
              );
            }
          }),
        ),
    )
    .addCommand(
      ofTeam(new Command('revoke'))
        .description('Revoke a key; it stops working at once')
        .argument('<key>', 'the id of the key, its name, or the key itself')
        .action((which: string, flags: TeamFlag) =>
          withStore(async (store) => {
            const key = await revokeKey(store, which, await teamId(store, flags));
            process.stdout.write(`Revoked ${key.hint} (${key.name}).\n`);
          }),
        ),
    );
}

function ofTeam(command: Command): Command {
  return command.option('--team <team>', 'id or name of the team (default: the first one)');
}

async function teamId(store: Store, { team }: TeamFlag): Promise<string> {
  return team === undefined ? FIRST_TEAM_ID : (await findTeam(store, team)).id;
}

function readNames<Name extends string>(known: readonly [Name, ...Name[]], what: string, list?: string): Name[] | null {
  if (list === undefined) return null;
  const names = list.split(',').map((name) => name.trim());
  return names.map((name) => {
    const parsed = z.enum(known).safeParse(name);
    if (parsed.success) return parsed.data;
    throw new TrawlError('BAD_REQUEST', `"${name}" is not a ${what}. Choose from: ${known.join(', ')}.`);
  });
}

function restrictionsOf({ formats, endpointGroups }: KeyRestrictions): string {
  const toFormats = formats === null ? '' : `  formats ${formats.join(',')}`;
  return endpointGroups === null ? toFormats : `${toFormats}  endpoints ${endpointGroups.join(',')}`;
}
