import { createHash, randomBytes } from 'node:crypto';
import { newId } from '../../src/clock.ts';
import { openStore } from '../../src/store/open-store.ts';
import { newKeyRow, newTeamRow } from './store-rows.ts';

/** Makes one more team in the store of a running service, as no command does yet. Returns its key. */
export async function addTeam(dataDir: string, name: string): Promise<string> {
  const store = await openStore({ dataDir });
  try {
    const key = `fc-${randomBytes(16).toString('hex')}`;
    const hash = createHash('sha256').update(key).digest('hex');
    const teamId = newId();
    await store.teams.make(newTeamRow(teamId, { name }), newKeyRow(teamId, { name, hash }));
    return key;
  } finally {
    await store.close();
  }
}
