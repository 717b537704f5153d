import { ADDRCONFIG, type LookupAddress } from 'node:dns';
import { lookup, Resolver } from 'node:dns/promises';
import type { ResolveName } from './egress-guard.ts';

/**
 * Time limit for the first answer of a name server; the second try has twice as long. Together they are shorter than
 * the time for a connection.
 */
const ANSWER_MS = 2_000;
const TRIES = 2;
/** The machine may have new name servers by then. */
const RENEW_MS = 60_000;

export interface SystemResolverOptions {
  /** Addresses of name servers, with their port; those of the machine by default. */
  servers?: readonly string[];
  answerMs?: number;
}

/**
 * The system's resolver, which knows /etc/hosts and the like, but only for names whose name servers answer. It blocks a
 * thread for each name, and Node runs two at a time: with 100 names whose servers were silent, no page of any other
 * host could be fetched for a minute. So each name is first queried without a thread, and a silent server is not waited
 * for twice.
 *
 * Simultaneous requests for a name share one lookup.
 */
export function createSystemResolver({ servers, answerMs = ANSWER_MS }: SystemResolverOptions = {}): ResolveName {
  const running = new Map<string, Promise<readonly LookupAddress[]>>();
  let resolver: Resolver | undefined;
  let renewAt = 0;

  function currentResolver(): Resolver {
    if (resolver === undefined || performance.now() >= renewAt) {
      resolver = new Resolver({ timeout: answerMs, tries: TRIES });
      if (servers !== undefined) resolver.setServers(servers);
      renewAt = performance.now() + RENEW_MS;
    }
    return resolver;
  }

  async function resolve(name: string): Promise<readonly LookupAddress[]> {
    if (isAskedFor(name)) {
      const asking = currentResolver();
      const [v4, v6] = await Promise.all([
        unlessSilent(asking.resolve4(name), 4),
        unlessSilent(asking.resolve6(name), 6),
      ]);
      // Some servers are silent only about IPv6.
      if (v4 === 'silent' || v6 === 'silent') return answered(v4, v6);
    }
    return lookup(name, { all: true, hints: ADDRCONFIG });
  }

  return (name) => {
    const known = running.get(name);
    if (known !== undefined) return known;
    const started = resolve(name).finally(() => running.delete(name));
    running.set(name, started);
    return started;
  };
}

/** Names of this machine and its network need no name server. */
function isAskedFor(name: string): boolean {
  const bare = name.replace(/\.$/, '');
  return bare.includes('.') && !/\.(?:localhost|local)$/.test(bare);
}

type Answer = LookupAddress[] | 'silent';

/** Every other failure is an answer: its meaning is left to the system's resolver. */
async function unlessSilent(asking: Promise<string[]>, family: 4 | 6): Promise<Answer> {
  try {
    return (await asking).map((address) => ({ address, family }));
  } catch (error) {
    const isSilent = error instanceof Error && 'code' in error && error.code === 'ETIMEOUT';
    return isSilent ? 'silent' : [];
  }
}

function answered(...answers: readonly Answer[]): LookupAddress[] {
  const addresses = answers.flatMap((answer) => (answer === 'silent' ? [] : answer));
  if (addresses.length > 0) return addresses;
  throw Object.assign(new Error('The name server is silent.'), { code: 'ETIMEOUT' });
}
