import type { Database } from '../../database.ts';
import { integer, nullable, type Row, text } from '../../row.ts';
import { sql } from '../../sql.ts';
import { addCharge, type Charge } from '../charges.ts';
import { putCacheRows } from '../pages.ts';
import { release } from '../reservations.ts';
import { claimBytes, type NewDocument, storedSize } from '../stored-document.ts';
import { type Added, addAliases, addConclusion, addQueueFull, addRefused, addTasks } from './add-tasks.ts';
import { roomInQueue } from './add-work.ts';
import { endJob, type JobEnd, keepConclusion } from './end-job.ts';
import { backAt, type EndedTask, endTask, type TaskAddress, type TaskEnd } from './end-task.ts';
import { type HostPace, setPaces } from './paces.ts';
import { lockTeam, nextJobAt, nextLaneAt } from './ready.ts';
import { byIndexAlone, type JobRef, ofJob } from './rows.ts';
import { reduceReservation } from './start-job.ts';
import { addEndEvent, addTaskEvents } from './webhook-events.ts';

export interface TaskCompletion {
  worker: number;
  at: number;
  ended: readonly EndedTask[];
  hosts: readonly HostPace[];
}

/**
 * Ends tasks and stores everything that follows: state, result, charge, found tasks, freed room. All or nothing. A task
 * that the worker no longer holds, because its lease expired, changes nothing and costs nothing.
 */
export async function completeTasks(db: Database, { worker, at, ended, hosts }: TaskCompletion): Promise<void> {
  await byIndexAlone(db);
  // Before the team is locked: copies are large, and the worker that holds the page now may store the same ones.
  await putCacheRows(
    db,
    ended.flatMap(({ end }) => (end.type === 'done' && end.copy !== undefined ? [end.copy] : [])),
  );
  const byTeam = Map.groupBy(ended, ({ teamId }) => teamId);
  const teams = [...byTeam].sort(([one], [other]) => (one < other ? -1 : 1));
  for (const [teamId] of teams) await lockTeam(db, teamId);
  await setPaces(db, hosts);

  for (const [, tasks] of teams) {
    for (const ofJob of Map.groupBy(tasks, ({ job }) => job).values()) await completeOfJob(db, worker, at, ofJob);
    const [first] = tasks;
    if (first === undefined) continue;
    await db.run(sql`update job_teams set ready_at = ${nextJobAt(first.team)} where number = ${first.team}`);
  }
}

async function completeOfJob(db: Database, worker: number, at: number, tasks: readonly EndedTask[]): Promise<void> {
  const wasHeld = await Promise.all(tasks.map((task) => endTask(db, worker, at, task)));
  const held = tasks.filter((_, index) => wasHeld[index]);
  if (held.length > 0) await completeJobTasks(db, held, at);
}

/** A job as it was before these tasks ended. */
interface JobBefore extends JobRef {
  id: string;
  teamId: string;
  taskCredits: number;
  reservesCredits: boolean;
  /** A conclusion follows the last task. */
  concludes: boolean;
  keepMs: number;
  queuedTasks: number | null;
  isOpen: boolean;
  total: number;
  taskRoom: number | null;
  spareRoom: number;
  helperRoom: number;
  waiting: number;
  running: number;
  completed: number;
  maxConcurrency: number | null;
  teamWaiting: number;
}

/** What ended tasks mean for their job. */
interface Outcome {
  delivered: readonly EndedTask[];
  failed: readonly EndedTask[];
  /** Main tasks whose address has given a result before. */
  duplicates: number;
  /** The number of tasks that go back to the queue. */
  back: number;
  /** Room that is freed by tasks without a result, for tasks that are found later. */
  freed: number;
  /** The stored size of the results. */
  bytes: number;
  charges: readonly Charge[];
}

/** Counts the ended tasks, stores results and charges, adds found tasks, and ends the job with its last task. */
async function completeJobTasks(db: Database, ended: readonly EndedTask[], at: number): Promise<void> {
  const job = await readJob(db, ended);
  const outcome = await keepResults(db, job, ended, at);
  await addTaskEvents(db, job, {
    at,
    delivered: outcome.delivered.map(({ key }) => key),
    firstResult: job.completed,
    failed: outcome.failed.map(({ key }) => key),
    others: ended.flatMap(({ end }) => ('events' in end && end.events) || []),
  });
  const added = await addFound(db, job, ended, outcome, at);
  await updateLanes(db, job, ended, at);

  const conclusion = ended.find(({ role, end }) => role === 'conclusion' && backAt(end, at) === null);
  const running = job.running - ended.length;
  const left = job.waiting + outcome.back + added.main + added.helpers + running;
  const isLast = job.isOpen && left === 0;
  const concludes = isLast && job.concludes && conclusion === undefined;
  if (concludes) await addConclusion(db, job, { at, position: job.total + added.main });
  const more = outcome.back + added.main + added.helpers + Number(concludes);
  await countProgress(db, job, { outcome, added, more, running });

  const isEnd = isLast && !concludes;
  if (isEnd) await endJob(db, job, { end: endOf(conclusion), at, keepMs: job.keepMs });
  // These were the last running tasks of a cancelled job.
  if (!job.isOpen && running === 0) await addEndEvent(db, job, { at, type: 'failed' });
  await updateReservation(db, job, outcome, { isEnd, at });
  // Last, because the sums of the ledger stay locked until the commit.
  await Promise.all(outcome.charges.map((charge) => addCharge(db, charge)));
}

async function readJob(db: Database, [first]: readonly EndedTask[]): Promise<JobBefore> {
  const ref = { team: first?.team ?? 0, job: first?.job ?? 0 };
  const [row] = await db.all(sql`
    select
      jobs.id, jobs.team_id, jobs.task_credits, jobs.sets_aside, jobs.concludes, jobs.keep_ms, jobs.queued_tasks,
      job_progress.status, job_progress.total, job_progress.task_room, job_progress.spare_room, job_progress.helper_room,
      job_progress.waiting, job_progress.running, job_progress.completed, job_progress.max_concurrency,
      job_teams.waiting as team_waiting
    from jobs
    join job_progress on job_progress.team = jobs.team and job_progress.job = jobs.number
    join job_teams on job_teams.number = jobs.team
    where jobs.team = ${ref.team} and jobs.number = ${ref.job}`);
  if (row === undefined) throw new Error(`A task of the job ${ref.job} ended, but there is no such job.`);
  return { ...ref, ...toJob(row) };
}

function toJob(row: Row): Omit<JobBefore, keyof JobRef> {
  return {
    id: text(row.id),
    teamId: text(row.team_id),
    taskCredits: integer(row.task_credits),
    reservesCredits: integer(row.sets_aside) === 1,
    concludes: integer(row.concludes) === 1,
    keepMs: integer(row.keep_ms),
    queuedTasks: nullable(integer)(row.queued_tasks),
    isOpen: row.status === 'scraping',
    total: integer(row.total),
    taskRoom: nullable(integer)(row.task_room),
    spareRoom: integer(row.spare_room),
    helperRoom: integer(row.helper_room),
    waiting: integer(row.waiting),
    running: integer(row.running),
    completed: integer(row.completed),
    maxConcurrency: nullable(integer)(row.max_concurrency),
    teamWaiting: integer(row.team_waiting),
  };
}

/**
 * Stores the results of main tasks, except duplicates: those whose address already has a result. They are not charged
 * either. Addresses that redirect to a delivered one are marked as done.
 */
async function keepResults(db: Database, job: JobBefore, ended: readonly EndedTask[], at: number): Promise<Outcome> {
  const delivered: EndedTask[] = [];
  const aliases: TaskAddress[] = [];
  let duplicates = 0;
  let bytes = 0;
  for (const task of ended) {
    if (task.end.type !== 'done') continue;
    const { document, address } = task.end;
    if (task.role === 'conclusion') {
      await keepConclusion(db, job, document);
      bytes += storedSize(document);
    } else if (await addResult(db, job, job.completed + delivered.length, document, address?.key ?? null)) {
      delivered.push(task);
      bytes += storedSize(document);
      if (address !== undefined && address.key !== task.key) aliases.push(address);
    } else duplicates += 1;
  }
  await addAliases(db, { team: job.team, job: job.job, at, tasks: aliases });

  const failed = ended.filter(({ role, end }) => role === 'main' && (end.type === 'failed' || end.type === 'blocked'));
  // After a job was cancelled, no task goes back to the queue and none is added.
  const back = job.isOpen ? ended.filter(({ end }) => backAt(end, at) !== null).length : 0;
  // A task without a result makes room for one that is found later, as long as there is spare room.
  const freed = job.taskRoom === null ? 0 : Math.min(failed.length + duplicates, job.spareRoom);
  const others = ended.filter(({ role, end }) => role !== 'main' || end.type === 'waits');
  const charges = [...delivered, ...failed, ...others].flatMap(({ end }) => chargeOf(end));
  return { delivered, failed, duplicates, back, freed, bytes, charges };
}

function chargeOf(end: TaskEnd): Charge[] {
  return 'charge' in end && end.charge !== null ? [end.charge] : [];
}

/** Returns whether the result was stored: each address gives one result in a job. */
async function addResult(
  db: Database,
  { team, job }: JobRef,
  seq: number,
  document: NewDocument,
  key: string | null,
): Promise<boolean> {
  const { bytes, size, artifact } = document;
  const kept = await db.run(sql`
    insert into job_results (team, job, seq, size, task_key, document, artifact)
    values (${team}, ${job}, ${seq}, ${size}, ${key}, ${bytes}, ${artifact?.id ?? null})
    on conflict (team, job, task_key) where task_key is not null do nothing`);
  if (kept > 0) await claimBytes(db, document);
  return kept > 0;
}

/** Adds found tasks as far as there is room, and reports those that were left out. */
async function addFound(
  db: Database,
  job: JobBefore,
  ended: readonly EndedTask[],
  { freed, back }: Outcome,
  at: number,
): Promise<Added> {
  const ref = { team: job.team, job: job.job };
  const done = job.isOpen ? ended.flatMap(({ end }) => (end.type === 'done' ? [end] : [])) : [];
  const room = {
    main: job.taskRoom === null ? null : job.taskRoom + freed,
    helpers: job.helperRoom,
    inQueue: roomInQueue(job.queuedTasks, job.teamWaiting + back),
  };
  const tasks = done.flatMap(({ found }) => found);
  const added = await addTasks(db, { ...ref, at, tasks, position: job.total, room });
  const { leftOut } = added;
  if (leftOut !== null && job.queuedTasks !== null) {
    await addQueueFull(db, { ...ref, at, leftOut, queuedTasks: job.queuedTasks });
  }
  await addRefused(db, { ...ref, at, refused: done.flatMap(({ refused = [] }) => refused) });
  return added;
}

async function updateLanes(db: Database, { team }: JobRef, ended: readonly EndedTask[], at: number): Promise<void> {
  const lanes = new Map<number, { ended: number; back: number; readyAt: number }>();
  for (const { lane, end } of ended) {
    const sum = lanes.get(lane) ?? { ended: 0, back: 0, readyAt: Number.MAX_SAFE_INTEGER };
    const readyAt = backAt(end, at);
    lanes.set(lane, {
      ended: sum.ended + 1,
      back: sum.back + Number(readyAt !== null),
      readyAt: Math.min(sum.readyAt, readyAt ?? Number.MAX_SAFE_INTEGER),
    });
  }
  await Promise.all(
    [...lanes].map(([lane, { ended: left, back, readyAt }]) =>
      // A lane that has waiting tasks and no time was full, and has room now.
      db.run(sql`
        update job_lanes set
          running = running - ${left},
          waiting = waiting + ${back},
          ready_at = case
            when waiting + ${back} = 0 then null
            when ready_at is null and waiting > 0 then ${at}
            when ready_at <= ${readyAt} then ready_at
            when next_at > ${readyAt} then next_at
            else ${readyAt}
          end
        where team = ${team} and number = ${lane}`),
    ),
  );
}

interface Progress {
  outcome: Outcome;
  added: Added;
  /** How many more tasks wait than before. */
  more: number;
  running: number;
}

/** Updates the counters of the job and its team. */
async function countProgress(db: Database, job: JobBefore, progress: Progress): Promise<void> {
  const { outcome, added, more, running } = progress;
  const { delivered, failed, duplicates, freed, bytes, charges } = outcome;
  const credits = charges.reduce((sum, charge) => sum + charge.credits, 0);
  const hasRoom = running < (job.maxConcurrency ?? Number.POSITIVE_INFINITY);
  await db.run(sql`
    update job_progress set
      total = total + ${added.main - duplicates}, waiting = ${job.waiting + more}, running = ${running},
      completed = ${job.completed + delivered.length}, failed = failed + ${failed.length}, credits = credits + ${credits},
      stored_size = stored_size + ${bytes},
      task_room = task_room + ${freed - added.main}, spare_room = spare_room - ${freed},
      helper_room = helper_room - ${added.helpers},
      ready_at = ${job.isOpen && hasRoom ? nextLaneAt(job) : null}
    where ${ofJob(job)}`);
  await db.run(sql`
    update job_teams set running = running - ${job.running - running}, waiting = waiting + ${more}
    where number = ${job.team}`);
}

function endOf(conclusion: EndedTask | undefined): JobEnd {
  if (conclusion?.end.type !== 'failed') return { status: 'completed' };
  const { code, message } = conclusion.end;
  return { status: 'failed', code, message };
}

/**
 * Credits for freed room stay reserved, because a later task will use them. When the job ends, the rest is released.
 */
async function updateReservation(
  db: Database,
  job: JobBefore,
  { delivered, failed, duplicates, freed }: Outcome,
  { isEnd, at }: { isEnd: boolean; at: number },
): Promise<void> {
  if (!job.reservesCredits || !job.isOpen) return;
  const { teamId, id } = job;
  const used = (delivered.length + failed.length + duplicates - freed) * job.taskCredits;
  await (isEnd ? release(db, { teamId, id }) : reduceReservation(db, { teamId, id, credits: used, at }));
}
