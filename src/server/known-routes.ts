import type { RouteOptions } from 'fastify';

/** The methods of each path that routes have, for those who ask with another one. */
export class KnownRoutes {
  /** By the path as the route has it. */
  readonly #methods = new Map<string, { pattern: RegExp; methods: Set<string> }>();

  /** For Fastify's hook `onRoute`. */
  readonly add = ({ url, method }: Pick<RouteOptions, 'url' | 'method'>): void => {
    const known = this.#methods.get(url) ?? { pattern: patternOf(url), methods: new Set() };
    for (const one of [method].flat()) known.methods.add(one);
    this.#methods.set(url, known);
  };

  /** The methods of a path as it was asked for; none where there is no such path. */
  methodsOf(path: string): string[] {
    const found = [...this.#methods.values()].filter(({ pattern }) => pattern.test(path));
    return [...new Set(found.flatMap(({ methods }) => [...methods]))];
  }
}

function patternOf(url: string): RegExp {
  const source = url
    .split('/')
    .map((part) => (part === '*' ? '.*' : part.startsWith(':') ? '[^/]+' : RegExp.escape(part)))
    .join('/');
  return new RegExp(`^${source}$`);
}
