import { Command } from 'commander';
import { isoTime } from '../clock.ts';
import { readAllowList } from '../team/restrictions.ts';
import { allowNetworks, anchorBilling, createTeam, findTeam, putOnPlan } from '../team/teams.ts';
import { renewWebhookSecret, webhookSecret } from '../webhook/secret.ts';
import { deleteTeam } from './delete-team.ts';
import { printColumns, withStore } from './with-store.ts';

export function teamsCommand(): Command {
  const team = ['<team>', 'id or name of the team'] as const;
  return new Command('teams')
    .description('Create teams and set their limits')
    .addCommand(
      new Command('list').description('List the teams').action(() =>
        withStore(async (store) => {
          const teams = await store.teams.list();
          printColumns([
            ['ID', 'PLAN', 'BILLING DAY', 'CREATED', 'CALLED FROM', 'NAME'],
            ...teams.map(({ id, plan, billingAnchor, createdAt, allowList, name, deletedAt }) => [
              id,
              plan,
              String(new Date(billingAnchor).getUTCDate()),
              isoTime(createdAt),
              readAllowList(allowList)?.join(',') ?? 'everywhere',
              deletedAt === null ? name : `${name} (being deleted)`,
            ]),
          ]);
        }),
      ),
    )
    .addCommand(
      new Command('create')
        .description('Create a team with a key, and print the key; it cannot be shown again')
        .argument('<name>', 'name of the team')
        .option('--plan <plan>', 'the plan of the team', 'unlimited')
        .action((name: string, { plan }: { plan: string }) =>
          withStore(async (store) => {
            const { key } = await createTeam(store, name, plan);
            process.stdout.write(`${key}\n`);
          }),
        ),
    )
    .addCommand(
      new Command('plan')
        .description('Move a team to a plan')
        .argument(...team)
        .argument('<plan>', 'name of the plan; "trawl plans list" shows them')
        .action((which: string, plan: string) =>
          withStore(async (store) => {
            await putOnPlan(store, which, plan);
            process.stdout.write(`The team ${(await findTeam(store, which)).name} is now on the plan ${plan}.\n`);
          }),
        ),
    )
    .addCommand(
      new Command('anchor')
        .description('Set the day of the month on which billing periods of a team begin, past ones included')
        .argument(...team)
        .argument('<day>', '1 to 31; in a shorter month, its last day')
        .action((which: string, day: string) =>
          withStore(async (store) => {
            await anchorBilling(store, which, Number(day));
            process.stdout.write(`Billing periods now begin on day ${Number(day)}.\n`);
          }),
        ),
    )
    .addCommand(
      new Command('allow')
        .description('Restrict the networks from which a team may be called')
        .argument(...team)
        .argument('[networks...]', 'in CIDR notation; a bare address means that address only')
        .option('--everywhere', 'lift the restriction')
        .action((which: string, networks: string[], { everywhere }: { everywhere?: true }) =>
          withStore(async (store) => {
            await allowNetworks(store, which, everywhere ? null : networks);
            process.stdout.write(`The team may be called from ${everywhere ? 'everywhere' : networks.join(', ')}.\n`);
          }),
        ),
    )
    .addCommand(
      new Command('secret')
        .description('Print the secret that signs the webhooks of a team')
        .argument(...team)
        .option('--renew', 'make a new secret; nothing is signed with the old one from now on')
        .action((which: string, { renew }: { renew?: true }) =>
          withStore(async (store) => {
            const { id } = await findTeam(store, which);
            process.stdout.write(`${await (renew ? renewWebhookSecret : webhookSecret)(store, id)}\n`);
          }),
        ),
    )
    .addCommand(
      new Command('delete')
        .description('Delete a team with its keys, jobs, results, cached pages and usage')
        .argument(...team)
        .option('--yes', 'delete it; without this flag, only list what the team has')
        .action((which: string, { yes }: { yes?: true }) =>
          withStore((store) => deleteTeam(store, which, { yes: yes === true })),
        ),
    )
    .addHelpText(
      'after',
      `
Examples:
  $ trawl teams create acme --plan hobby      prints the first key of the team
  $ trawl teams plan acme standard
  $ trawl teams anchor acme 31
  $ trawl teams allow acme 192.0.2.0/24 2001:db8::/32
  $ trawl teams secret acme                   what its webhooks are signed with
  $ trawl teams delete acme                   what it has; with --yes all of it is deleted`,
    );
}
