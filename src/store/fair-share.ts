import type { TeamSize } from './operations/remove-by-size.ts';

/**
 * How much each team has to remove so that all fit into the room (max-min fairness). Teams over their share are cut to
 * the same size; a team within its share keeps everything, whatever the others have stored.
 */
export function excessOfTeams(sizes: readonly TeamSize[], room: number): TeamSize[] {
  const ascending = [...sizes].sort((one, other) => one.bytes - other.bytes);
  let left = room;
  for (const [index, { bytes }] of ascending.entries()) {
    const share = Math.floor(left / (ascending.length - index));
    // This team and all after it, which are no smaller, exceed their part of the rest.
    if (bytes > share) return ascending.slice(index).map((team) => ({ ...team, bytes: team.bytes - share }));
    left -= bytes;
  }
  return [];
}
