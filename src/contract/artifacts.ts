import { z } from 'zod';
import type { Ticket } from '../store/artifacts/artifacts.ts';

// The address of an artifact: its ticket, as a path and a query.

export const ARTIFACT_PATH = '/v2/artifacts/:id';

export const artifactParams = z.object({ id: z.string().max(100) });

/** A part that is missing or given twice becomes empty, so the request is refused like one with a wrong signature. */
const part = z.string().max(200).catch('');

export const artifactQuery = z.object({
  team: part,
  /** Milliseconds since the epoch. */
  expires: part,
  /** Opens the file of a scrape with zero data retention. */
  key: part,
  signature: part,
});

export function toArtifactPath({ id, teamId, expiresAt, key, signature }: Ticket): string {
  const query = { team: teamId, expires: String(expiresAt), ...(key === null ? {} : { key }), signature };
  return `${ARTIFACT_PATH.replace(':id', id)}?${new URLSearchParams(query)}`;
}

export function toTicket(
  { id }: z.infer<typeof artifactParams>,
  { team, expires, key, signature }: z.infer<typeof artifactQuery>,
): Ticket {
  return { id, teamId: team, expiresAt: Number(expires), key: key === '' ? null : key, signature };
}
