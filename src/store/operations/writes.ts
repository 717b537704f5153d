import { addChunk, beginArtifact, keepArtifact, measureArtifacts, removeArtifacts, removeChunks } from './artifacts.ts';
import { lockProfile, releaseProfile, removeUnusedProfiles, saveProfile, touchProfile } from './browser-profiles.ts';
import { recordCall } from './calls.ts';
import { deleteSomeOfTeam, markTeamDeleted } from './delete-team.ts';
import { sumCache } from './figures.ts';
import { foldRevokedKeys, foldUsageDays } from './fold.ts';
import { giveDiskBack } from './give-disk-back.ts';
import { addFound } from './jobs/add-work.ts';
import { cancelJob } from './jobs/cancel-job.ts';
import { claimTasks } from './jobs/claim-tasks.ts';
import { completeTasks } from './jobs/complete-tasks.ts';
import { claimEvents, recordDelivery } from './jobs/deliver-events.ts';
import { eraseJobKeys } from './jobs/job-keys.ts';
import { putSecret } from './jobs/read-webhook.ts';
import { removeExpiredJob, removeOldHosts, removeOldRobotsPaces } from './jobs/remove-jobs.ts';
import { appendToJob, startJob } from './jobs/start-job.ts';
import { addWorker, findHeld, removeWorker, renewWorker } from './jobs/workers.ts';
import { countKeylessRequest } from './keyless.ts';
import { addKey, revokeKey } from './keys.ts';
import { putPage } from './pages.ts';
import { ping, touch } from './ping.ts';
import { putPlan, removePlan } from './plans.ts';
import { putPrice, removePrice } from './prices.ts';
import { measureCaches, measureResults, removeOldestPages, removeOldestResults } from './remove-by-size.ts';
import {
  removeEndedWindows,
  removeExpiredScrapes,
  removeKeylessDays,
  removeOldActivity,
  removeOldCharges,
  removeOldPages,
  removeOldReservations,
  removeOldSlots,
} from './remove-by-time.ts';
import { release, reserve, settle } from './reservations.ts';
import { putSchedule, takeTurn } from './schedules.ts';
import { recordScrape } from './scrapes.ts';
import { shareSecret } from './secrets.ts';
import { changeTeam, makeTeam } from './teams.ts';

/** Every operation that writes or takes long, by the name under which it is sent to the writer thread. */
export const WRITES = {
  addChunk,
  addFound,
  addKey,
  addWorker,
  appendToJob,
  beginArtifact,
  cancelJob,
  countKeylessRequest,
  changeTeam,
  claimEvents,
  claimTasks,
  completeTasks,
  deleteSomeOfTeam,
  eraseJobKeys,
  findHeld,
  foldRevokedKeys,
  foldUsageDays,
  giveDiskBack,
  keepArtifact,
  lockProfile,
  makeTeam,
  markTeamDeleted,
  measureArtifacts,
  measureCaches,
  measureResults,
  ping,
  putPage,
  putPlan,
  putPrice,
  putSchedule,
  putSecret,
  recordCall,
  recordScrape,
  removeArtifacts,
  releaseProfile,
  removeChunks,
  removeEndedWindows,
  release,
  removeExpiredJob,
  removeExpiredScrapes,
  removeOldHosts,
  removeOldRobotsPaces,
  removeKeylessDays,
  removeOldActivity,
  removeOldCharges,
  removeOldestPages,
  removeOldestResults,
  removeOldPages,
  removeOldSlots,
  removeOldReservations,
  removePlan,
  removePrice,
  removeUnusedProfiles,
  removeWorker,
  renewWorker,
  reserve,
  revokeKey,
  saveProfile,
  settle,
  recordDelivery,
  shareSecret,
  startJob,
  sumCache,
  takeTurn,
  touch,
  touchProfile,
};

/** The operations that erase secrets. SQLite must leave no trace of those in its file. */
export const ERASING: ReadonlySet<string> = new Set(['eraseJobKeys' satisfies keyof typeof WRITES]);
