import { ownTurn, quickTurn } from './own-turn.ts';
import type { MadePage, Packing } from './page-way.ts';
import type { MakeDocument } from './page-workers/page-workers.ts';

/** A page that somebody waits for is read as soon as it can be, and answered as it is. */
export function answerPacking(read: MakeDocument): Packing<MadePage> {
  return {
    turn: quickTurn,
    async read(parts, share, signal) {
      await ownTurn(share);
      const page = await read(parts, share, signal);
      await ownTurn(share);
      return page;
    },
    pack: async (page) => page,
  };
}
