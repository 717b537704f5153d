import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Compressed } from './compression.ts';
import type { NewTask, RefusedTask } from './operations/jobs/add-tasks.ts';
import type { ClaimedTask } from './operations/jobs/claim-tasks.ts';
import type { EndedTask, TaskAddress, TaskEnd } from './operations/jobs/end-task.ts';
import type { FailedTask } from './operations/jobs/read-job.ts';
import type { KindEvent } from './operations/jobs/webhook-events.ts';
import { isSecretMismatch } from './sealing/cipher.ts';
import type { JobSeal } from './sealing/job-seal.ts';
import type { Sealing } from './sealing.ts';

// Seals and opens the tasks of jobs. A job whose tasks are not hidden has no seal here: only the names of hosts are
// sealed.

/** Tasks sealed per turn of the event loop: 10 ms. */
const TURN = 500;

export async function sealTasks(sealing: Sealing, seal: JobSeal | null, tasks: readonly NewTask[]): Promise<NewTask[]> {
  const named = tasks.map((task) => ({ ...task, host: task.host && sealing.host(task.host) }));
  if (seal === null) return named;
  const sealed: NewTask[] = [];
  for (const [index, task] of named.entries()) {
    if (index % TURN === TURN - 1) await nextTurn();
    sealed.push(sealTask(seal, task));
  }
  return sealed;
}

function sealTask(seal: JobSeal, task: NewTask): NewTask {
  const { key, payload, shape = null } = task;
  return {
    ...task,
    key: key && seal.lookup(key),
    payload: seal.seal('address', payload),
    shape: shape && { key: seal.lookup(shape.key), family: shape.family && seal.lookup(shape.family) },
  };
}

export function sealRefused(seal: JobSeal | null, refused: readonly RefusedTask[]): readonly RefusedTask[] {
  if (seal === null) return refused;
  return refused.map(({ key, payload, tryId, error }) => ({
    key: seal.lookup(key),
    payload: seal.seal('address', payload),
    tryId,
    error: error && { code: error.code, message: seal.seal('error', error.message) },
  }));
}

export async function sealEnded(sealing: Sealing, task: EndedTask): Promise<EndedTask> {
  const { end } = task;
  switch (end.type) {
    case 'failed': {
      // The task fails because the key of its job cannot be read. Its message contains nothing confidential.
      const seal = await sealing.ifReadable(task);
      if (!seal?.hidesTasks) return task;
      return { ...task, end: { ...end, message: seal.seal('error', end.message), ...sealedEvents(seal, end) } };
    }
    case 'waits': {
      const seal = await sealing.ofTasks(task);
      if (seal === null) return task;
      const payload = end.payload === undefined ? {} : { payload: seal.seal('address', end.payload) };
      return { ...task, end: { ...end, ...payload, ...sealedEvents(seal, end) } };
    }
    case 'done': {
      const seal = await sealing.ofTasks(task);
      return { ...task, end: await sealDone(sealing, seal, end) };
    }
    default:
      return task;
  }
}

type Done = Extract<TaskEnd, { type: 'done' }>;

async function sealDone(sealing: Sealing, seal: JobSeal | null, end: Done): Promise<Done> {
  const found = await sealTasks(sealing, seal, end.found);
  if (seal === null) return { ...end, found };
  const { document, address, refused = [] } = end;
  return {
    ...end,
    found,
    refused: sealRefused(seal, refused),
    document: { bytes: seal.sealBytes('document', document.bytes), size: document.size },
    address: address && sealAddress(seal, address),
    ...sealedEvents(seal, end),
  };
}

function sealAddress(seal: JobSeal, { key, payload }: TaskAddress): TaskAddress {
  return { key: seal.lookup(key), payload: seal.seal('address', payload) };
}

function sealedEvents(seal: JobSeal, { events }: { events?: readonly KindEvent[] }): { events?: KindEvent[] } {
  if (events === undefined) return {};
  return { events: events.map(({ type, data }) => ({ type, data: seal.seal('event', data) })) };
}

/** A task whose key cannot be read stays sealed: the worker finds the reason when it reads the job. */
export async function openClaimed(sealing: Sealing, task: ClaimedTask): Promise<ClaimedTask> {
  try {
    const seal = await sealing.ofTasks(task);
    return seal === null ? task : { ...task, payload: openPayload(seal, task.payload) };
  } catch (error) {
    if (isSecretMismatch(error)) return task;
    throw error;
  }
}

/** The conclusion of a job has no payload. */
function openPayload(seal: JobSeal, payload: string): string {
  return payload === '' ? payload : seal.open('address', payload);
}

export function openFailed(seal: JobSeal | null, task: FailedTask): FailedTask {
  if (seal === null) return task;
  const { payload, message } = task;
  return { ...task, payload: seal.open('address', payload), message: message && seal.open('error', message) };
}

export function openDocument(seal: JobSeal | null, document: Compressed): Compressed {
  if (seal === null) return document;
  return { bytes: seal.openBytes('document', document.bytes), size: document.size };
}
