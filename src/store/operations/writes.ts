import { addKey, revokeKey } from './keys.ts';
import { putPage } from './pages.ts';
import { ping } from './ping.ts';
import { giveDiskBack, removeExpiredScrapes, removeOldPages, shrinkPageCache } from './retention.ts';
import { recordScrape } from './scrapes.ts';
import { makeTeam } from './teams.ts';

/** Every operation that changes something, by the name under which the writer's thread is asked for it. */
export const WRITES = {
  addKey,
  giveDiskBack,
  makeTeam,
  ping,
  putPage,
  recordScrape,
  removeExpiredScrapes,
  removeOldPages,
  revokeKey,
  shrinkPageCache,
};
