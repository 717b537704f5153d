/**
 * One attack of the hostile team, in a separate process: `node bench/neighbours/attacker.ts KIND SIZE SERVICE KEY
 * SITE`.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { Agent, request } from 'undici';

const [kind = '', givenSize = '', service = '', key = '', site = ''] = process.argv.slice(2);
/** Concurrent scrapes, or pages of a batch. */
const size = Number(givenSize);
const dispatcher = new Agent({ connections: 500, headersTimeout: 0, bodyTimeout: 0 });
let count = 0;

async function call(path: string, body: object): Promise<string> {
  const answer = await request(`${service}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    dispatcher,
  });
  const text = await answer.body.text();
  // Refused requests are retried, but not so fast that the refusals become the attack.
  if (answer.statusCode === 503) await wait(100);
  return text;
}

async function scrapeOn(): Promise<void> {
  for (;;) await call('/v2/scrape', { url: `${site}/${kind}?${count++}`, maxAge: 0, timeout: 300_000 });
}

/** The one who stops the attack must cancel it. */
async function startJob(path: string, body: object): Promise<void> {
  const { id }: { id: string } = JSON.parse(await call(path, body));
  process.send?.(`${path}/${id}`);
}

if (kind === 'crawl') {
  const start = `${site}/linked/start`;
  await startJob('/v2/crawl', { url: start, robotsUserAgent: 'slowbot', scrapeOptions: { maxAge: 0 } });
  const urls = Array.from({ length: size }, (_, n) => `${site}/slow?page=${n}`);
  await startJob('/v2/batch/scrape', { urls, maxAge: 0 });
} else {
  for (let n = 0; n < size; n++) void scrapeOn();
}
process.on('disconnect', () => process.exit());
