import type { TeamSize } from './operations/remove-by-size.ts';

/**
 * What each team has to give up so that all together have room: the largest give up the most, until those that gave up
 * anything have the same. A team within its share gives up nothing, whatever the others have stored.
 */
export function excessOfTeams(sizes: readonly TeamSize[], room: number): TeamSize[] {
  const ascending = [...sizes].sort((one, other) => one.bytes - other.bytes);
  let left = room;
  for (const [index, { bytes }] of ascending.entries()) {
    const share = Math.floor(left / (ascending.length - index));
    // The team and all after it, which are no smaller, have more than is left for each.
    if (bytes > share) return ascending.slice(index).map((team) => ({ ...team, bytes: team.bytes - share }));
    left -= bytes;
  }
  return [];
}
