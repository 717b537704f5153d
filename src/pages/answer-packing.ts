import { ownTurn, quickTurn } from './own-turn.ts';
import type { MadePage, Packing } from './page-pipeline.ts';
import type { MakeDocument } from './page-workers/page-workers.ts';

/** For a page whose caller is waiting: it is read as soon as possible and returned without compression. */
export function answerPacking(read: MakeDocument): Packing<MadePage> {
  return {
    urgency: 'answer',
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
