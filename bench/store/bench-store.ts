import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Client } from 'pg';
import { S3Keeper } from '../../src/s3/s3-keeper.ts';
import { findPrograms, PostgresServer } from '../../test/support/postgres-server.ts';
import { startS3 } from '../../test/support/s3.ts';
import type { SiteReady } from '../crawl/site-server.ts';
import { processorTime } from '../process-tree.ts';
import type { Figure } from '../report.ts';
import { Service } from '../service.ts';
import { driveLargeResults, driveStore } from './drive-store.ts';

const PAGES = 2_000;
const QUICK_PAGES = 60;
/** The store alone, driven as fast as possible. */
const TEAMS = [1, 8];
const DRIVE_MS = 15_000;
const QUICK_DRIVE_MS = 300;
/** Results of 1 MB. */
const LARGE = 1_000;
const QUICK_LARGE = 10;
/** Each status request causes some reads, which must not count as those of the crawl. */
const POLL_MS = 2_000;
/** Where most of a page goes, or most rows. The others together are one figure. */
const TABLES = ['pages', 'page_documents', 'job_results', 'job_tasks', 'charges', 'job_shapes'];

/**
 * What a page of a crawl writes: rows and bytes of each table, the log, transactions and processor time, on a
 * PostgreSQL of its own; and how many pages a second that takes when nothing is fetched. Yields nothing when PostgreSQL
 * is not installed.
 */
export async function* benchStore(options: { pages: string | undefined; quick: boolean }): AsyncGenerator<Figure> {
  const programs = findPrograms();
  if (programs === undefined) return;
  const pages = options.quick ? QUICK_PAGES : PAGES;
  const folder = options.pages === undefined ? [] : [options.pages];
  const site = fork(join(import.meta.dirname, '..', 'crawl', 'site-server.ts'), [String(pages), ...folder]);
  try {
    const [ready]: SiteReady[] = await once(site, 'message');
    if (ready === undefined) throw new Error('The server of pages did not start.');
    yield { name: `page size (${pages} pages, mean)`, value: ready.bytes / 1000, unit: 'KB' };
    await using server = new PostgresServer(programs, ['autovacuum=off']);
    await server.start();
    await using service = await Service.start('node', server.url);
    const client = new Client({ connectionString: server.url });
    await client.connect();
    try {
      yield* ofCrawl(server, { client, service, address: ready.address, pages });
      for (const teams of TEAMS) yield* ofStoreAlone(server, { client, service, teams, quick: options.quick });
      yield* ofLargeResults(server, { client, service, count: options.quick ? QUICK_LARGE : LARGE });
    } finally {
      await client.end();
    }
  } finally {
    site.disconnect();
  }
}

interface Crawl {
  client: Client;
  service: Service;
  address: string;
  pages: number;
}

async function* ofCrawl(server: PostgresServer, { client, service, address, pages }: Crawl): AsyncGenerator<Figure> {
  const before = await look(server, client, service);
  const crawl = { url: address, limit: pages, sitemap: 'skip', scrapeOptions: { formats: ['markdown'] } };
  const { id } = await service.call<{ id: string }>('POST', '/v2/crawl', crawl);
  const path = `/v2/crawl/${id}?limit=1`;
  for (;;) {
    const { status, completed } = await service.call<{ status: string; completed: number }>('GET', path);
    if (status === 'completed' && completed === pages) break;
    if (status !== 'scraping') throw new Error(`The crawl ended as ${status} with ${completed} pages.`);
    await wait(POLL_MS);
  }
  const after = await look(server, client, service);
  yield* costs('a page of the crawl', before, after, pages);
  yield {
    name: 'a page of the crawl: processor time of the service',
    value: (after.service - before.service) / pages,
    unit: 'ms',
  };
  yield* ofTables(client, pages);
}

interface Drive {
  client: Client;
  service: Service;
  teams: number;
  quick: boolean;
}

async function* ofStoreAlone(server: PostgresServer, { client, service, teams, quick }: Drive): AsyncGenerator<Figure> {
  const time = quick ? QUICK_DRIVE_MS : DRIVE_MS;
  const before = await look(server, client, service);
  const rate = await driveStore(server.url, { teams, time });
  const after = await look(server, client, service);
  const name = `store alone, ${teams} team${teams === 1 ? '' : 's'}`;
  yield { name: `${name}: pages a second`, value: rate, unit: '/s' };
  yield* costs(`${name}, a page`, before, after, (rate * time) / 1000);
}

interface DriveLarge {
  client: Client;
  service: Service;
  count: number;
}

async function* ofLargeResults(server: PostgresServer, { client, service, count }: DriveLarge): AsyncGenerator<Figure> {
  await using s3 = await startS3();
  for (const [where, keeper] of [
    ['rows', undefined],
    ['a bucket', new S3Keeper(s3.settings)],
  ] as const) {
    const before = await look(server, client, service);
    await driveLargeResults(server.url, count, keeper);
    const after = await look(server, client, service);
    yield* costs(`results of 1 MB in ${where}, each`, before, after, count);
  }
}

function* costs(name: string, before: Look, after: Look, pages: number): Generator<Figure> {
  const aPage = (what: keyof Look) => (after[what] - before[what]) / pages;
  yield { name: `${name}: transactions that write`, value: aPage('writes'), unit: '' };
  yield { name: `${name}: all transactions`, value: aPage('transactions'), unit: '' };
  yield { name: `${name}: write-ahead log`, value: aPage('log') / 1000, unit: 'KB' };
  yield { name: `${name}: processor time of PostgreSQL`, value: aPage('database'), unit: 'ms' };
}

interface Look {
  writes: number;
  transactions: number;
  log: number;
  database: number;
  service: number;
}

async function look(server: PostgresServer, client: Client, service: Service): Promise<Look> {
  // Connections report their transactions at most once a second.
  await wait(1_500);
  const { rows } = await client.query<{ writes: string; transactions: string; log: string }>(`
    select
      pg_snapshot_xmax(pg_current_snapshot()) as writes, pg_current_wal_lsn() - '0/0' as log,
      (select xact_commit from pg_stat_database where datname = current_database()) as transactions`);
  const [row] = rows;
  return {
    ...{ writes: Number(row?.writes), transactions: Number(row?.transactions), log: Number(row?.log) },
    ...{ database: processorTime(pidOf(server)), service: service.processorTime },
  };
}

async function* ofTables(client: Client, pages: number): AsyncGenerator<Figure> {
  const { rows } = await client.query<{ name: string; bytes: string }>(`
    select relname as name, pg_total_relation_size(oid) as bytes from pg_class
    where relkind = 'r' and relnamespace = 'public'::regnamespace`);
  const others = { rows: 0, bytes: 0 };
  for (const { name, bytes } of rows) {
    const { rows: counts } = await client.query<{ count: string }>(`select count(*) from ${name}`);
    const table = { rows: Number(counts[0]?.count) / pages, bytes: Number(bytes) / pages / 1000 };
    if (TABLES.includes(name)) {
      yield { name: `a page of the crawl: rows in ${name}`, value: table.rows, unit: '' };
      yield { name: `a page of the crawl: size of ${name}`, value: table.bytes, unit: 'KB' };
    } else {
      others.rows += table.rows;
      others.bytes += table.bytes;
    }
  }
  yield { name: 'a page of the crawl: rows in all other tables', value: others.rows, unit: '' };
  yield { name: 'a page of the crawl: size of all other tables', value: others.bytes, unit: 'KB' };
}

function pidOf(server: PostgresServer): number {
  return Number.parseInt(readFileSync(join(server.folder, 'postmaster.pid'), 'utf8'), 10);
}
