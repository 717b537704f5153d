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

/** Longer than storing any bytes takes. An artifact that is still without bytes after this will never get them. */
export const COMING_MS = 5 * 60_000;
/** The maximum lifetime under zero data retention, as for the documents of a job. */
const MAX_SEALED_MS = 3_600_000;
/** Concurrent removals: each waits for a disk or a response. */
const AT_ONCE = 8;

export interface NewArtifact extends Pick<ArtifactRow, 'type'> {
  teamId: string;
  bytes: Uint8Array;
  keepMs: number;
  /** Zero data retention: the key to the bytes is only in the ticket. */
  isSealed: boolean;
}

/** Grants access to an artifact to anyone who presents it. */
export interface Ticket extends ArtifactName {
  /** Milliseconds since the epoch. */
  expiresAt: number;
  /** Decrypts the bytes; null if they are not sealed. */
  key: string | null;
  /** Covers all other fields. */
  signature: string;
}

export interface OpenedArtifact extends ArtifactRow {
  bytes: Readable;
}

/**
 * Artifacts: a row for each, and its bytes in a ByteKeeper. The row is written before the bytes and removed after them,
 * so that a crash in between never leaves bytes without a row.
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
      // Its row may already be gone, and then nothing else would remove these bytes.
      await this.#keeper.remove(name);
      throw new TrawlError('STORE_UNAVAILABLE', 'Storing a file of this page took too long. Try again later.');
    }
    const ticket = { ...name, expiresAt, key: key?.toString('base64url') ?? null };
    return { ...ticket, signature: this.#secret.sign(textOf(ticket)) };
  }

  /** Throws FORBIDDEN for a ticket with a wrong signature, and NOT_FOUND for one that has expired. */
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

  /** Removes some expired artifacts. Resolves with whether there were any. */
  async removeExpired(at: number, limit: number): Promise<boolean> {
    const names = await this.#runner.read(findExpiredArtifacts, { at, limit });
    await this.#remove(names);
    return names.length > 0;
  }

  /**
   * Removes some artifacts of a team that is marked as deleted. Those whose bytes may still be on their way have to
   * wait.
   */
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

/** The signed text. No part contains a line break. */
function textOf({ teamId, id, expiresAt, key }: Omit<Ticket, 'signature'>): string {
  return ['artifact', teamId, id, expiresAt, key ?? ''].join('\n');
}

function forged(): TrawlError {
  return new TrawlError(
    'FORBIDDEN',
    'The signature of this address is not valid. Use the address exactly as it is in the document.',
  );
}

function gone(): TrawlError {
  return new TrawlError('NOT_FOUND', 'There is no file at this address any more: it has expired or was deleted.');
}
