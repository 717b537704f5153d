import { Client } from 'pg';

/** Has commits in a database of the tests wait for the disk from the next connection on, as a service's do. Tests do without it. */
export async function waitForDisk(databaseUrl: string): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(`alter database "${new URL(databaseUrl).pathname.slice(1)}" reset synchronous_commit`);
  await client.end();
}
