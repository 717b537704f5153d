import type { RouteOptions } from 'fastify';

/** The methods of each path with routes, for requests with another method. */
export class KnownRoutes {
  /** Keyed by the path pattern of the route. */
  readonly #methods = new Map<string, { pattern: RegExp; methods: Set<string> }>();

  /** For Fastify's hook `onRoute`. */
  readonly add = ({ url, method }: Pick<RouteOptions, 'url' | 'method'>): void => {
    const known = this.#methods.get(url) ?? { pattern: patternOf(url), methods: new Set() };
    for (const one of [method].flat()) known.methods.add(one);
    this.#methods.set(url, known);
  };

  /** The methods of a requested path; none when the path does not exist. */
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
