import { isIPv4 } from 'node:net';
import { networkInterfaces } from 'node:os';
import { specialAddressKind } from './address-kind.ts';

/**
 * Where this service itself listens, and the proxies of the operator. No page may get there, even if their network is
 * allowed: a proxy would take a request of the page for one of ours, with the operator's credentials behind it.
 *
 * Only the ports of this process are known. Another worker on the same machine is treated like any other program.
 */
class OwnEndpoints {
  readonly #ports = new Map<number, number>();
  readonly #proxies = new Set<string>();

  /** A port that this process listens on, on any address of this machine, until it is disposed of. */
  listening(port: number): Disposable {
    this.#ports.set(port, (this.#ports.get(port) ?? 0) + 1);
    return {
      [Symbol.dispose]: () => {
        const left = (this.#ports.get(port) ?? 0) - 1;
        if (left > 0) this.#ports.set(port, left);
        else this.#ports.delete(port);
      },
    };
  }

  /** @param host name or address of a proxy of the operator */
  addProxy(host: string, port: number): void {
    this.#proxies.add(endpoint(host, port));
  }

  /** @param host name or address */
  include(host: string, port: number): boolean {
    return this.#proxies.has(endpoint(host, port)) || (this.#ports.has(port) && isThisMachine(host));
  }
}

/** One for this process. */
export const ownEndpoints = new OwnEndpoints();

function endpoint(host: string, port: number): string {
  return `${plain(host)} ${port}`;
}

function isThisMachine(host: string): boolean {
  const kind = specialAddressKind(host);
  if (kind?.startsWith('a loopback') || kind?.startsWith('an unspecified')) return true;
  const address = plain(host);
  return Object.values(networkInterfaces()).some((all) => all?.some((each) => each.address === address));
}

/** An IPv4 address in one form, also when a socket calls it IPv4-mapped. */
function plain(host: string): string {
  const mapped = host.replace(/^::ffff:/i, '');
  return isIPv4(mapped) ? mapped : host.toLowerCase();
}
