import { countKeylessRequest } from './keyless.ts';
import { addKey, revokeKey } from './keys.ts';
import { putPage } from './pages.ts';
import { ping } from './ping.ts';
import { putPlan, removePlan } from './plans.ts';
import { putPrice, removePrice } from './prices.ts';
import { release, reserve, settle } from './reservations.ts';
import {
  findCacheCutoff,
  giveDiskBack,
  removeEndedWindows,
  removeExpiredScrapes,
  removeKeylessDays,
  removeOldPages,
  removeOldPlaces,
} from './retention.ts';
import { recordScrape } from './scrapes.ts';
import { changeTeam, makeTeam } from './teams.ts';

/** Every operation that changes something or takes long, by the name under which the writer's thread is asked for it. */
export const WRITES = {
  addKey,
  countKeylessRequest,
  changeTeam,
  findCacheCutoff,
  giveDiskBack,
  makeTeam,
  ping,
  putPage,
  putPlan,
  putPrice,
  recordScrape,
  removeEndedWindows,
  release,
  removeExpiredScrapes,
  removeKeylessDays,
  removeOldPages,
  removeOldPlaces,
  removePlan,
  removePrice,
  reserve,
  revokeKey,
  settle,
};
