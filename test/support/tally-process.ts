import { now } from '../../src/clock.ts';
import { readConfig } from '../../src/config.ts';
import { startService } from '../../src/server/service.ts';
import { jobKinds, type KindServices } from '../../src/service/job-kinds.ts';
import { FIRST_TEAM_ID, teamCaller } from '../../src/team/keys.ts';
import { tally } from './tally-kind.ts';

// The service with one additional kind of job. Its parent process says what to start.

export type TallyOrder = { texts: string[]; webhook: string | null; key: string } | { schedule: string };
export type TallyAnswer = { address: string } | { id: string } | { scheduled: true };

let services: KindServices | undefined;
const service = await startService(readConfig(process.env), {
  kinds: (given) => {
    services = given;
    return [...jobKinds(given), tally.register(given)];
  },
});
process.send?.({ address: service.address } satisfies TallyAnswer);

process.on('message', async (order: TallyOrder) => {
  if (services === undefined) throw new Error('The service has no kinds of jobs.');
  process.send?.('texts' in order ? { id: await start(services, order) } : await schedule(services, order.schedule));
});
process.on('disconnect', () => service.close());

async function start(given: KindServices, { texts, webhook, key }: Extract<TallyOrder, { texts: string[] }>) {
  const caller = await teamCaller(given.store, FIRST_TEAM_ID);
  if (caller === null) throw new Error('There is no team.');
  return tally.start(given, {
    caller,
    options: { pauseMs: 20 },
    payloads: texts.map((text) => ({ payload: { text } })),
    request: { key, hash: '' },
    webhook: webhook === null ? null : { url: webhook, headers: {}, metadata: {}, events: undefined },
    zeroDataRetention: false,
    target: null,
    origin: { apiVersion: 'v2', origin: null, integration: null, auditUsername: null },
  });
}

async function schedule({ store }: KindServices, text: string) {
  const everySecond = { cron: '* * * * * *', zone: 'Europe/Berlin' };
  await store.schedules.put({
    ...{ teamId: FIRST_TEAM_ID, id: 'tally', kind: 'tally', ...everySecond, options: text },
    nextAt: now() - 60_000,
  });
  return { scheduled: true as const };
}
