interface Player {
  readonly localName: string;
  /** What it plays; empty before it has chosen one of its sources. */
  readonly currentSrc: string;
}

declare const document: { querySelectorAll(selector: 'audio, video'): Iterable<Player> };

/** Runs in the page: what its players play. */
export function collectPlayers(): { kind: 'audio' | 'video'; address: string }[] {
  const MAX_PLAYERS = 50;
  return [...document.querySelectorAll('audio, video')]
    .slice(0, MAX_PLAYERS)
    .filter(({ currentSrc }) => /^https?:/.test(currentSrc) && currentSrc.length < 8_192)
    .map(({ localName, currentSrc }) => ({ kind: localName === 'audio' ? 'audio' : 'video', address: currentSrc }));
}
