import { newId, now } from '../clock.ts';
import { TrawlError } from '../errors.ts';
import { compress, decompress } from './compression.ts';
import type { Runner } from './database.ts';
import {
  findProfile,
  lockProfile,
  type ProfileLock,
  type ProfileName,
  releaseProfile,
  saveProfile,
  touchProfile,
} from './operations/browser-profiles.ts';
import type { ServiceSecret } from './sealing/service-secret.ts';
import { untilKnown } from './store-away.ts';

/** The most of one profile, as JSON. */
const MAX_BYTES = 5_000_000;
/** The most profiles of a team. */
const MAX_PROFILES = 100;
/** Reading writes the time of the last use once in this time at most. */
const USE_MS = 3_600_000;

/** Browser profiles: what a browser keeps between the calls of a team, encrypted. */
export class BrowserProfiles {
  readonly #runner: Runner;
  readonly #secret: ServiceSecret;

  constructor(runner: Runner, secret: ServiceSecret) {
    this.#runner = runner;
    this.#secret = secret;
  }

  /** The state of a profile, as it was saved last; undefined if it never was. Throws SECRET_MISMATCH. */
  async read({ teamId, name }: ProfileName): Promise<string | undefined> {
    const found = await this.#runner.read(findProfile, { teamId, name });
    if (found === null) return undefined;
    const { state, usedAt } = found;
    const at = now();
    if (at - usedAt >= USE_MS) await this.#runner.writeOnce(touchProfile, { teamId, name, at });
    const compressed = this.#secret.openProfile(purposeOf({ teamId, name }), state.bytes);
    return Buffer.from(await decompress({ bytes: compressed, size: state.size })).toString();
  }

  /**
   * Becomes the only writer of a profile, until the lock is released, and for `ms` at most.
   * @throws TrawlError CONFLICT when there is a writer already, FORBIDDEN when the team has too many profiles
   */
  async lock({ teamId, name }: ProfileName, ms: number): Promise<ProfileLock> {
    const at = now();
    const lock: ProfileLock = { teamId, name, lock: newId() };
    const request = { ...lock, at, until: at + ms, limit: MAX_PROFILES };
    const result = await untilKnown(() => this.#runner.write(lockProfile, request));
    if (result === 'busy') throw busy(name);
    if (result === 'full') throw full();
    return lock;
  }

  /**
   * Replaces the state of a profile.
   * @throws TrawlError SCRAPE_PAGE_TOO_LARGE for too large a state, CONFLICT when the lock has expired and another writer came
   */
  async save(lock: ProfileLock, state: string): Promise<void> {
    const size = Buffer.byteLength(state);
    if (size > MAX_BYTES) throw tooLarge(lock, size);
    const { bytes } = await compress(state);
    const sealed = { bytes: this.#secret.sealProfile(purposeOf(lock), bytes), size };
    const isSaved = await untilKnown(() => this.#runner.writeOnce(saveProfile, { ...lock, at: now(), state: sealed }));
    if (!isSaved) throw busy(lock.name);
  }

  /** Lets others write the profile. */
  release(lock: ProfileLock): Promise<void> {
    return this.#runner.write(releaseProfile, lock);
  }
}

/** The state of one profile cannot be passed off as that of another. The id of a team has no line break. */
function purposeOf({ teamId, name }: ProfileName): string {
  return `profile\n${teamId}\n${name}`;
}

function busy(name: string): TrawlError {
  return new TrawlError(
    'CONFLICT',
    `Another request is changing the profile "${name}". Wait until it has ended, or set "saveChanges": false to only read the profile.`,
  );
}

function full(): TrawlError {
  return new TrawlError(
    'FORBIDDEN',
    `The team has ${MAX_PROFILES} browser profiles, which is the most. Use one of them, or set "saveChanges": false.`,
  );
}

function tooLarge({ name }: ProfileName, size: number): TrawlError {
  const megabytes = (size / 1_000_000).toFixed(1);
  return new TrawlError(
    'SCRAPE_PAGE_TOO_LARGE',
    `The profile "${name}" would take ${megabytes} MB, and a profile may take ${MAX_BYTES / 1_000_000} MB. It stays as it was. Set "saveChanges": false to scrape the page.`,
  );
}
