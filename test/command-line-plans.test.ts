import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { openStore } from '../src/store/open-store.ts';
import { temporaryFolder } from './support/folder.ts';
import { runTrawl } from './support/process.ts';
import { shared } from './support/shared.ts';
import { html, startSite } from './support/site.ts';
import { startTrawl } from './support/trawl.ts';

/** The operator's commands next to a running service. Most of the time goes into starting processes. */

const site = await shared(startSite());
const url = site.page('/', html('<h1>Here</h1>'));
const trawl = await shared(startTrawl());
const USING = `Using the SQLite database ${join(trawl.dataDir, 'trawl.db')}\n`;
const run = (...args: string[]) => runTrawl(args, { TRAWL_DATA_DIR: trawl.dataDir });

async function done(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await run(...args);
  assert.deepEqual({ code, stderr }, { code: 0, stderr: USING }, args.join(' '));
  return stdout;
}

/** The line of a list that starts or ends with this word. Two or more spaces separate its columns. */
function columns(list: string, word: string): string[] {
  const lines = list.split('\n').map((line) => line.trim().split(/ {2,}/));
  return lines.find((line) => line[0] === word || line.at(-1) === word) ?? [];
}

test('trawl plans: creates, changes, assigns and removes a plan', async () => {
  const list = await done('plans', 'list');
  assert.deepEqual(columns(list, 'free'), ['free', '1000', '2', '50000', '10/10/2/10/2/500']);
  assert.deepEqual(columns(list, 'scale'), ['scale', '1000000', '150', '300000', '10000/10000/2000/10000/2000/500000']);
  assert.deepEqual(columns(list, 'unlimited'), ['unlimited', 'none', 'none', 'none', 'none']);

  const made = await done('plans', 'set', 'gold', '--credits', '2', '--concurrency', '7', '--rate', '60');
  assert.deepEqual(columns(made, 'gold'), ['gold', '2', '7', 'none', '60/60/60/60/60/60']);
  const changed = await done('plans', 'set', 'gold', '--rate', 'scrape=9,status=90', '--concurrency', 'none');
  assert.deepEqual(columns(changed, 'gold'), ['gold', '2', 'none', 'none', '9/60/60/60/60/90']);

  const key = (await done('teams', 'create', 'acme', '--plan', 'gold')).trim();
  assert.match(key, /^fc-[0-9a-f]{32}$/);
  for (let scrape = 0; scrape < 2; scrape++) await trawl.scrape(url, {}, { key });
  assert.equal((await trawl.refusal({ url }, { key })).status, 402);

  const refused = await run('plans', 'remove', 'gold');
  assert.equal(refused.code, 2);
  assert.match(refused.stderr, /Teams are on the plan "gold".*trawl teams plan/);
  await done('teams', 'plan', 'acme', 'free');
  await done('plans', 'remove', 'gold');
  assert.equal((await run('plans', 'remove', 'gold')).code, 1);
  await trawl.scrape(url, {}, { key });
});

test('trawl plans: restores a changed built-in plan', async () => {
  await done('plans', 'set', 'hobby', '--credits', '6000');
  assert.equal(columns(await done('plans', 'list'), 'hobby')[1], '6000');
  await done('plans', 'remove', 'hobby');
  assert.equal(columns(await done('plans', 'list'), 'hobby')[1], '5000');
  const again = await run('plans', 'remove', 'hobby');
  assert.equal(again.code, 1);
  assert.match(again.stderr, /built in/);
});

test('trawl prices: sets a price, which is charged, and resets it', async () => {
  await using own = await startTrawl();
  const prices = (...args: string[]) => runTrawl(['prices', ...args], { TRAWL_DATA_DIR: own.dataDir });
  const { stdout } = await prices('list');
  assert.deepEqual(columns(stdout, 'redaction'), ['redaction', '4', '4']);
  await prices('set', 'redaction', '2');
  // Nothing has been charged yet, so the service has not read a price.
  assert.equal((await own.scrape(url, { redactPII: true })).metadata.creditsUsed, 3);
  assert.deepEqual(columns((await prices('list')).stdout, 'redaction'), ['redaction', '2', '4']);
  assert.equal((await prices('reset', 'redaction')).code, 0);
  assert.deepEqual(columns((await prices('list')).stdout, 'redaction'), ['redaction', '4', '4']);
});

test('trawl teams secret: creates the secret on first use, then repeats it, and replaces it with --renew', async () => {
  await done('teams', 'create', 'signers');
  const secret = await done('teams', 'secret', 'signers');
  assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=\n$/);
  assert.equal(await done('teams', 'secret', 'signers'), secret);
  const renewed = await done('teams', 'secret', 'signers', '--renew');
  assert.match(renewed, /^whsec_/);
  assert.notEqual(renewed, secret);
  assert.equal(await done('teams', 'secret', 'signers'), renewed);
  assert.notEqual(await done('teams', 'secret', 'default'), renewed);
});

test('trawl teams: changes the billing day, networks and keys of a team', async () => {
  const key = (await done('teams', 'create', 'harbour')).trim();
  await done('teams', 'anchor', 'harbour', '31');
  await done('teams', 'allow', 'harbour', '127.0.0.0/8', '::1');
  const [id = '', plan, day, , from] = columns(await done('teams', 'list'), 'harbour');
  assert.deepEqual({ plan, day, from }, { plan: 'unlimited', day: '31', from: '127.0.0.0/8,::1' });
  await done('teams', 'allow', id, '--everywhere');
  assert.equal(columns(await done('teams', 'list'), 'harbour')[4], 'everywhere');

  const other = (
    await done('keys', 'create', 'reader', '--team', id, '--formats', 'markdown, links', '--endpoints', 'scrape')
  ).trim();
  await trawl.scrape(url, {}, { key: other });
  const listed = await done('keys', 'list', '--team', 'harbour');
  assert.match(listed, /active {2}formats markdown,links {2}endpoints scrape {2}reader/);
  assert.match(listed, /active {2}default/);
  assert.doesNotMatch(await done('keys', 'list'), /reader/);

  // A key of another team does not count as one of this team.
  assert.equal((await run('keys', 'revoke', other)).code, 1);
  await trawl.scrape(url, {}, { key: other });
  await done('keys', 'revoke', other, '--team', 'harbour');
  assert.equal((await trawl.refusal({ url }, { key: other })).status, 401);
  await trawl.scrape(url, {}, { key });
});

describe('an invalid value is refused with what to change', { concurrency: 2 }, () => {
  for (const [args, code, says] of [
    [['plans', 'set', 'Gold!'], 2, /name of a plan has/],
    [['plans', 'set', 'gold', '--credits', '-1'], 2, /"-1" is not a limit/],
    [['plans', 'set', 'gold', '--concurrency', '0'], 2, /concurrency must be at least 1/],
    [['plans', 'set', 'gold', '--rate', 'scrape=10'], 2, /requestsPerMinute\.map/],
    [['plans', 'set', 'gold', '--rate', '10,teleport=3'], 2, /"10" is not a rate/],
    [['plans', 'set', 'gold', '--credits', '99999999999999'], 2, /at most/],
    [['prices', 'set', 'teleport', '1'], 2, /There is no price "teleport"\. Choose from: scrape/],
    [['prices', 'set', 'scrape', '1.5'], 2, /whole number of credits/],
    [['prices', 'set', 'scrape', ''], 2, /whole number of credits/],
    [['teams', 'create', ' '], 2, /name of a team is/],
    [['teams', 'create', 'one', '--plan', 'teleport'], 1, /no plan "teleport"/],
    [['teams', 'plan', 'nobody', 'free'], 1, /No team has the id or name "nobody"/],
    [['teams', 'anchor', 'default', '32'], 2, /from 1 to 31/],
    [['teams', 'allow', 'default', '10.0.0.0/40'], 2, /"10\.0\.0\.0\/40" is not a network/],
    [['teams', 'secret', 'nobody'], 1, /No team has the id or name "nobody"/],
    [['teams', 'allow', 'default'], 2, /Give 1 to/],
    [['keys', 'create', 'reader', '--formats', 'pdf'], 2, /"pdf" is not a format\. Choose from: markdown/],
    [['keys', 'create', 'reader', '--endpoints', 'teleport'], 2, /"teleport" is not a group of operations/],
    [['keys', 'create', 'reader', '--team', 'nobody'], 1, /No team has the id or name/],
  ] as const) {
    test(`trawl ${args.join(' ')}`, async () => {
      const finished = await run(...args);
      assert.equal(finished.code, code, finished.stderr);
      assert.equal(finished.stdout, '');
      assert.match(finished.stderr, says);
      assert.doesNotMatch(finished.stderr, /\n\s+at /);
    });
  }
});

test('a team name that is taken is refused', async () => {
  await using folder = await temporaryFolder();
  await (await openStore({ dataDir: folder.path })).close();
  const teams = (...args: string[]) => runTrawl(['teams', ...args], { TRAWL_DATA_DIR: folder.path });
  assert.equal((await teams('create', 'acme')).code, 0);
  const again = await teams('create', 'acme');
  assert.equal(again.code, 2);
  assert.match(again.stderr, /There already is a team "acme"/);
});
