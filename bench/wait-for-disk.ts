import { Client } from 'pg';

/**
 * Makes commits in a test database wait for the disk from the next connection on, as in a real service. Tests disable
 * this.
 */
export async function waitForDisk(databaseUrl: string): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(`alter database "${new URL(databaseUrl).pathname.slice(1)}" reset synchronous_commit`);
  await client.end();
}
