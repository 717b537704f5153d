import { Command } from 'commander';
import { BUILT_IN_PRICES, readPrices, resetPrice, setPrice } from '../team/prices.ts';
import { printColumns, withStore } from './with-store.ts';

export function pricesCommand(): Command {
  return new Command('prices')
    .description('List and change prices, in credits')
    .addCommand(
      new Command('list').description('List the prices').action(() =>
        withStore(async (store) => {
          const builtIn = new Map<string, number>(Object.entries(BUILT_IN_PRICES));
          printColumns([
            ['PRICE', 'CREDITS', 'BUILT IN'],
            ...Object.entries(await readPrices(store)).map(([name, credits]) => [
              name,
              String(credits),
              String(builtIn.get(name)),
            ]),
          ]);
        }),
      ),
    )
    .addCommand(
      new Command('set')
        .description('Set a price; running services apply it within two seconds')
        .argument('<name>', 'name of the price; "trawl prices list" shows them')
        .argument('<credits>', 'a whole number')
        .action((name: string, credits: string) =>
          withStore(async (store) => {
            await setPrice(store, name, credits.trim() === '' ? Number.NaN : Number(credits));
            process.stdout.write(`${name} now costs ${Number(credits)}.\n`);
          }),
        ),
    )
    .addCommand(
      new Command('reset')
        .description('Reset a price to the built-in one')
        .argument('<name>', 'name of the price')
        .action((name: string) =>
          withStore(async (store) => {
            await resetPrice(store, name);
            process.stdout.write(`${name} is back to its built-in price.\n`);
          }),
        ),
    )
    .addHelpText('after', '\nExample:\n  $ trawl prices set redaction 2');
}
