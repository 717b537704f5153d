/** How long it is remembered that a part of a site is made by scripts. */
const REMEMBERED_MS = 60 * 60_000;
const MAX_HOSTS = 5_000;
const MAX_PARTS = 50;
/** A host with so many parts made by scripts, and none that is not, is one application. */
const WHOLE_HOST = 3;

interface Host {
  /** When it was last seen that a part is made by scripts, by the first segment of the path. */
  shells: Map<string, number>;
  /** A part of it comes with its content. */
  isMixed: boolean;
}

/**
 * Remembers which sites are made by scripts, so that their pages go to the browser at once. A site can have both kinds: its
 * documentation is static, its application is not. So parts of a site are told apart by the first segment of the path.
 */
export class ShellMemory {
  readonly #hosts = new Map<string, Host>();
  readonly #clock: () => number;

  constructor(clock: () => number = () => performance.now()) {
    this.#clock = clock;
  }

  /** Whether the page at the address is most likely an empty shell. */
  expects(address: URL): boolean {
    const host = this.#hosts.get(address.host);
    if (host === undefined) return false;
    const oldest = this.#clock() - REMEMBERED_MS;
    for (const [part, at] of host.shells) if (at < oldest) host.shells.delete(part);
    if (host.shells.size === 0) this.#hosts.delete(address.host);
    return host.shells.has(partOf(address)) || (!host.isMixed && host.shells.size >= WHOLE_HOST);
  }

  /** A page there was a shell, and the browser found more in it. */
  learn(address: URL): void {
    const host = this.#hosts.get(address.host) ?? { shells: new Map<string, number>(), isMixed: false };
    const part = partOf(address);
    // The maps keep their entries in the order in which they were learned.
    this.#hosts.delete(address.host);
    this.#hosts.set(address.host, host);
    host.shells.delete(part);
    host.shells.set(part, this.#clock());
    dropOldest(host.shells, MAX_PARTS);
    dropOldest(this.#hosts, MAX_HOSTS);
  }

  /** A page there came with its content, or the browser found no more in it. */
  forget(address: URL): void {
    const host = this.#hosts.get(address.host);
    if (host === undefined) return;
    host.shells.delete(partOf(address));
    host.isMixed = true;
    if (host.shells.size === 0) this.#hosts.delete(address.host);
  }
}

/** `docs` of `/docs/start`; empty for the files at the top. */
function partOf({ pathname }: URL): string {
  const end = pathname.indexOf('/', 1);
  return end === -1 ? '' : pathname.slice(1, end);
}

function dropOldest(map: Map<string, unknown>, limit: number): void {
  const [oldest] = map.keys();
  if (map.size > limit && oldest !== undefined) map.delete(oldest);
}
