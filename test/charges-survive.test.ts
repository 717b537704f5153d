import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as hostile from './support/hostile.ts';
import { startProcess, type TrawlProcess } from './support/process.ts';
import { Random } from './support/random.ts';
import { rowsIn, settingsOf } from './support/rows.ts';
import { shared } from './support/shared.ts';
import { html, startSite } from './support/site.ts';
import { STORE_KINDS } from './support/stores.ts';

interface CreditHistory {
  periods: { totalCredits: number }[];
}

const FULL = process.env.TRAWL_TEST_FULL === '1';
const KILLS = FULL ? 30 : 4;
const CLIENTS = 12;

const site = await shared(startSite());
const PAGES = [
  site.page('/here', html('<h1>Here</h1>')),
  // A page that answers with an error is delivered and charged.
  site.page('/lost', { status: 404, body: html('<h1>Lost</h1>') }),
  // A scrape that delivers nothing is not charged.
  site.page('/gone', hostile.hangUp),
] as const;
const PAGE_OPTIONS = [{ maxAge: 0 }, {}, { maxAge: 0, zeroDataRetention: true }, { redactPII: true }] as const;

for (const { name, skip, create } of STORE_KINDS) {
  describe(`charges in ${name}`, { skip }, () => {
    test(`equal deliveries after kill -9 at ${KILLS} random moments under load`, {
      timeout: 300_000,
    }, async () => {
      await using location = await create();
      const random = new Random(30_09);
      const settings = settingsOf(location.options);
      /** Credits by scrape id, for every scrape whose answer arrived. */
      const delivered = new Map<string, number>();
      for (let kill = 0; kill < KILLS; kill++) {
        await using trawl = await startProcess(settings);
        await scrapeUntilKilled(trawl, random, delivered, 10 + random.below(200));
      }
      // Restarts as after a crash, and returns the sums.
      await using trawl = await startProcess(settings);
      const { body: told } = await trawl.get<CreditHistory>('/v2/team/credit-usage/historical');

      const charges = await creditsById(
        location.options,
        "select job_id as id, credits from charges where capability = 'scrape'",
      );
      const completed = await creditsById(
        location.options,
        "select id, credits from scrapes where outcome = 'completed'",
      );
      const [failed] = await rowsIn(
        location.options,
        "select cast(count(*) as text) as count from scrapes where outcome = 'failed' and credits = 0",
      );
      assert.ok(Number(failed?.count) > 0, 'some scrapes failed, and cost nothing');
      assert.deepEqual(charges, completed);
      for (const [id, credits] of delivered) assert.equal(charges.get(id), credits, id);
      // Apart from deliveries, there are only scrapes that were done when their process died, at most one per client.
      assert.ok(
        charges.size - delivered.size <= KILLS * CLIENTS,
        `${charges.size} charged, ${delivered.size} delivered`,
      );
      assert.ok(delivered.size >= KILLS * 10);

      const total = [...charges.values()].reduce((sum, credits) => sum + credits, 0);
      assert.equal(
        told.periods.reduce((sum, { totalCredits }) => sum + totalCredits, 0),
        total,
      );
      const [log] = await rowsIn(
        location.options,
        `select cast(count(*) as text) as count from scrapes
         where not exists (select 1 from activity where activity.team_id = scrapes.team_id and activity.id = scrapes.id)`,
      );
      assert.equal(log?.count, '0', 'each is in the activity log');
    });
  });
}

/**
 * Clients that scrape one page after another. The service is killed after this many answers, with others in progress.
 */
async function scrapeUntilKilled(
  trawl: TrawlProcess,
  random: Random,
  delivered: Map<string, number>,
  answers: number,
): Promise<void> {
  let come = 0;
  const scrapeOn = async () => {
    while (true) {
      const body = { url: random.pick(PAGES), ...random.pick(PAGE_OPTIONS) };
      try {
        const { status, body: answer } = await trawl.post('/v2/scrape', body);
        if (status === 200) delivered.set(answer.data.metadata.scrapeId, answer.data.metadata.creditsUsed);
      } catch (error) {
        // A broken connection means that the service is dead. A wrong answer is a different error.
        if (error instanceof TypeError) return;
        throw error;
      }
      come += 1;
      if (come === answers) trawl.signal('SIGKILL');
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, scrapeOn));
  await trawl.ended();
}

async function creditsById(options: Parameters<typeof rowsIn>[0], query: string): Promise<Map<string, number>> {
  const rows = await rowsIn(options, `${query} order by 1`);
  return new Map(rows.map(({ id, credits }) => [String(id), Number(credits)]));
}
