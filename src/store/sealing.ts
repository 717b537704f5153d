import { randomBytes } from 'node:crypto';
import type { Runner } from './database.ts';
import { findJobKey } from './operations/jobs/job-keys.ts';
import type { JobRef } from './operations/jobs/rows.ts';
import { isSecretMismatch } from './sealing/cipher.ts';
import { JOB_KEY_BYTES, JobSeal } from './sealing/job-seal.ts';
import type { ServiceSecret } from './sealing/service-secret.ts';

/** Cached jobs and hosts: a few hundred bytes each. */
const MAX_JOBS = 10_000;
const MAX_HOSTS = 10_000;
/** The prefix of a sealed host name: no real name contains this character. */
const HOST_MARK = '#';

/** Seals the values of jobs, and the values that rows are found by. */
export class Sealing {
  /**
   * Whether copies of something erased may still be in the files. True at the start, because a killed process may have
   * left some.
   */
  hasErased = true;
  readonly #runner: Runner;
  readonly #secret: ServiceSecret;
  /** By the number of the job, which is unique across teams. */
  readonly #keys = new Map<number, Promise<KnownKey | null>>();
  readonly #hosts = new Map<string, string>();

  constructor(runner: Runner, secret: ServiceSecret) {
    this.#runner = runner;
    this.#secret = secret;
  }

  /** The seal of a new job, and its key in encrypted form. */
  newSeal(jobId: string, { hidesTasks }: { hidesTasks: boolean }): { seal: JobSeal; sealedKey: string } {
    const key = newJobKey();
    return { seal: new JobSeal(key, { hidesTasks }), sealedKey: this.#secret.wrap(jobId, key) };
  }

  /** The seal of a job; null for one without a key, from before sealing was introduced. Throws SECRET_MISMATCH. */
  async of(job: JobRef): Promise<JobSeal | null> {
    const key = await this.#keyOf(job);
    return key?.seal() ?? null;
  }

  /** The seal of a job whose tasks are sealed; null for any other. Throws SECRET_MISMATCH. */
  async ofTasks(job: JobRef): Promise<JobSeal | null> {
    const key = await this.#keyOf(job);
    return key?.hidesTasks ? key.seal() : null;
  }

  /** The seal of a job; null also when its key cannot be read, for callers that can do without. */
  async ifReadable(job: JobRef): Promise<JobSeal | null> {
    try {
      return await this.of(job);
    } catch (error) {
      if (isSecretMismatch(error)) return null;
      throw error;
    }
  }

  /**
   * The sealed name of a host. Jobs share the pace of a host, so the name is the same for all of them, whether their
   * addresses may be stored or not. A sealed name stays as it is.
   */
  host(name: string): string {
    if (name.startsWith(HOST_MARK)) return name;
    const known = this.#hosts.get(name);
    if (known !== undefined) return known;
    const host = HOST_MARK + this.#secret.lookup('host', name);
    if (this.#hosts.size >= MAX_HOSTS) this.#hosts.clear();
    this.#hosts.set(name, host);
    return host;
  }

  /** A keyed hash of a value from a team or a caller. */
  lookup(purpose: 'request' | 'client', value: string): string {
    return this.#secret.lookup(purpose, value);
  }

  #keyOf(ref: JobRef): Promise<KnownKey | null> {
    const { job } = ref;
    const known = this.#keys.get(job);
    if (known !== undefined) return known;
    const reading = this.#read(ref);
    if (this.#keys.size >= MAX_JOBS) this.#keys.clear();
    this.#keys.set(job, reading);
    reading.catch(() => this.#keys.delete(job));
    return reading;
  }

  async #read(ref: JobRef): Promise<KnownKey | null> {
    const found = await this.#runner.read(findJobKey, ref);
    if (found === null || (found.sealedKey === null && !found.hidesTasks)) return null;
    const { id, sealedKey, hidesTasks } = found;
    let seal: JobSeal | undefined;
    return {
      hidesTasks,
      seal: () => {
        // A job without a key has expired: nothing can read what is still stored of it, so a new key will do.
        seal ??= new JobSeal(sealedKey === null ? newJobKey() : this.#secret.unwrap(id, sealedKey), { hidesTasks });
        return seal;
      },
    };
  }
}

interface KnownKey {
  hidesTasks: boolean;
  /** Throws SECRET_MISMATCH. */
  seal(): JobSeal;
}

function newJobKey(): Buffer {
  return randomBytes(JOB_KEY_BYTES);
}
