import { addKey, revokeKey } from './keys.ts';
import { putPage } from './pages.ts';
import { ping } from './ping.ts';
import { putPlan, removePlan } from './plans.ts';
import { putPrice, removePrice } from './prices.ts';
import { release, reserve, settle } from './reservations.ts';
import { findCacheCutoff, giveDiskBack, removeExpiredScrapes, removeOldPages } from './retention.ts';
import { recordScrape } from './scrapes.ts';
import { changeTeam, makeTeam } from './teams.ts';

/** Every operation that changes something or takes long, by the name under which the writer's thread is asked for it. */
export const WRITES = {
  addKey,
  changeTeam,
  findCacheCutoff,
  giveDiskBack,
  makeTeam,
  ping,
  putPage,
  putPlan,
  putPrice,
  recordScrape,
  release,
  removeExpiredScrapes,
  removeOldPages,
  removePlan,
  removePrice,
  reserve,
  revokeKey,
  settle,
};
