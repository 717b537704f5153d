import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { newId, now } from '../../clock.ts';
import { TrawlError } from '../../errors.ts';
import type { Runner } from '../database.ts';
import {
  type ArtifactName,
  type ArtifactRow,
  beginArtifact,
  findArtifact,
  findArtifactsOfDeleted,
  findExpiredArtifacts,
  keepArtifact,
  removeArtifacts,
} from '../operations/artifacts.ts';
import type { DeletionState } from '../operations/delete-team.ts';
import { KEY_BYTES } from '../sealing/cipher.ts';
import type { ServiceSecret } from '../sealing/service-secret.ts';
import { untilKnown } from '../store-away.ts';
import type { ByteKeeper } from './byte-keeper.ts';
import { openArtifact, sealArtifact } from './sealed-bytes.ts';

/** Longer than any bytes take to be kept. What is still without them then will never have them. */
const COMING_MS = 5 * 60_000;
/** What zero data retention allows, as for the documents of a job. */
const MAX_SEALED_MS = 3_600_000;
/** Removed at the same time: each waits for a disk or for an answer. */
const AT_ONCE = 8;

export interface NewArtifact extends Pick<ArtifactRow, 'type'> {
  teamId: string;
  bytes: Uint8Array;
  keepMs: number;
  /** Zero data retention: the key to the bytes is in the ticket and nowhere else. */
  isSealed: boolean;
}

/** Who shows it gets the artifact. */
export interface Ticket extends ArtifactName {
  /** Milliseconds since the epoch. */
  expiresAt: number;
  /** Opens the bytes; null when they are not sealed. */
  key: string | null;
  /** Of all of this. */
  signature: string;
}

export interface OpenedArtifact extends ArtifactRow {
  bytes: Readable;
}

/**
 * Artifacts: a row for each, and bytes with a keeper. The row is there before the bytes and goes after them, so that whatever
 * is killed in between, nothing is left that no row knows of.
 */
export class Artifacts {
  readonly #runner: Runner;
  readonly #keeper: ByteKeeper;
  readonly #secret: ServiceSecret;

  constructor(runner: Runner, keeper: ByteKeeper, secret: ServiceSecret) {
    this.#runner = runner;
    this.#keeper = keeper;
    this.#secret = secret;
  }

  /** Resolves when the artifact is durable. */
  async put({ teamId, type, bytes, keepMs, isSealed }: NewArtifact): Promise<Ticket> {
    const at = now();
    const name = { teamId, id: newId() };
    await this.#runner.writeOnce(beginArtifact, { ...name, type, size: bytes.byteLength, at, until: at + COMING_MS });
    const key = isSealed ? randomBytes(KEY_BYTES) : null;
    await this.#keeper.put(name, key === null ? bytes : sealArtifact(key, bytes));
    const expiresAt = at + (isSealed ? Math.min(keepMs, MAX_SEALED_MS) : keepMs);
    const isKept = await untilKnown(() => this.#runner.writeOnce(keepArtifact, { ...name, at: now(), expiresAt }));
    if (!isKept) {
      // Its row may be gone already, and with it the last word of these bytes.
      await this.#keeper.remove(name);
      throw new TrawlError('STORE_UNAVAILABLE', 'A file of this page took too long to be kept. Try again later.');
    }
    const ticket = { ...name, expiresAt, key: key?.toString('base64url') ?? null };
    return { ...ticket, signature: this.#secret.sign(textOf(ticket)) };
  }

  /** Throws FORBIDDEN for a ticket that is not from here, and NOT_FOUND for one whose time is over. */
  async open(ticket: Ticket): Promise<OpenedArtifact> {
    if (!this.#secret.isSigned(textOf(ticket), ticket.signature)) throw forged();
    const at = now();
    const row = ticket.expiresAt > at ? await this.#runner.read(findArtifact, { ...ticket, at }) : null;
    const bytes = row && (await this.#keeper.get(ticket));
    if (row === null || bytes === null) throw gone();
    if (ticket.key === null) return { ...row, bytes };
    const key = Buffer.from(ticket.key, 'base64url');
    return { ...row, bytes: Readable.from(openArtifact(key, bytes), { highWaterMark: 1 }) };
  }

  /** Removes some that have expired. Tells whether there were any. */
  async removeExpired(at: number, limit: number): Promise<boolean> {
    const names = await this.#runner.read(findExpiredArtifacts, { at, limit });
    await this.#remove(names);
    return names.length > 0;
  }

  /** Removes some of a team that is marked as deleted. It waits for bytes that are on their way. */
  async removeSomeOf(teamId: string, at: number, limit: number): Promise<DeletionState> {
    const found = await this.#runner.read(findArtifactsOfDeleted, { teamId, at, limit });
    const there = found.filter(({ isComing }) => !isComing);
    await this.#remove(there);
    return found.length > 0 && there.length === 0 ? 'waiting' : 'more';
  }

  close(): Promise<void> {
    return this.#keeper.close();
  }

  async #remove(names: readonly ArtifactName[]): Promise<void> {
    for (let first = 0; first < names.length; first += AT_ONCE) {
      const some = names.slice(first, first + AT_ONCE).map(({ teamId, id }) => ({ teamId, id }));
      await Promise.all(some.map((name) => this.#keeper.remove(name)));
      await this.#runner.write(removeArtifacts, { names: some });
    }
  }
}

/** What is signed. None of it has a line break. */
function textOf({ teamId, id, expiresAt, key }: Omit<Ticket, 'signature'>): string {
  return ['artifact', teamId, id, expiresAt, key ?? ''].join('\n');
}

function forged(): TrawlError {
  return new TrawlError(
    'FORBIDDEN',
    'The signature of this address does not fit. Use the address exactly as it stands in the document.',
  );
}

function gone(): TrawlError {
  return new TrawlError('NOT_FOUND', 'There is no file at this address any more: its time is over, or it was deleted.');
}
