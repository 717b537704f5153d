import type { CDPSession, Page } from 'playwright-core';

const NAME = 'trawl';
/** A page that replaces its document again and again is given up. */
const MAX_DOCUMENTS = 20;
/** Messages of Chromium when the document of a world is gone. */
const GONE = /context (?:was destroyed|with specified id)|navigated|uniqueContextId not found/i;

const worlds = new WeakMap<Page, Promise<IsolatedWorld>>();

/** The isolated world of a page. */
export function isolatedWorldOf(page: Page): Promise<IsolatedWorld> {
  let world = worlds.get(page);
  if (world === undefined) {
    world = IsolatedWorld.open(page);
    worlds.set(page, world);
  }
  return world;
}

/**
 * Runs functions in the main frame of a page, in a world of their own: they share the page's DOM but none of its objects. What a
 * page overrides can neither break nor fake them, and the page does not see them. Playwright's `evaluate` runs among the page's
 * own scripts.
 */
export class IsolatedWorld {
  readonly #session: CDPSession;
  readonly #frameId: string;
  #contextId: Promise<number> | undefined;

  private constructor(session: CDPSession, frameId: string) {
    this.#session = session;
    this.#frameId = frameId;
  }

  static async open(page: Page): Promise<IsolatedWorld> {
    const session = await page.context().newCDPSession(page);
    const { frameTree } = await session.send('Page.getFrameTree');
    return new IsolatedWorld(session, frameTree.frame.id);
  }

  /**
   * Runs a function that uses nothing but its arguments and the DOM. When the page gets another document meanwhile, it runs there
   * again.
   * @param args JSON values
   */
  run<Options, Result>(fn: (options: Options) => Result, options: Options): Promise<Awaited<Result>> {
    return this.evaluate<Awaited<Result>>(`(${fn})(${JSON.stringify(options)})`);
  }

  /** The same for an expression, such as one that consists of several functions. */
  async evaluate<Result>(expression: string): Promise<Result> {
    for (let documents = 1; ; documents++) {
      try {
        return await this.#evaluate(expression);
      } catch (error) {
        if (documents === MAX_DOCUMENTS || !(error instanceof Error && GONE.test(error.message))) throw error;
        this.#contextId = undefined;
      }
    }
  }

  async #evaluate<Result>(expression: string): Promise<Result> {
    const { result, exceptionDetails } = await this.#session.send('Runtime.evaluate', {
      contextId: await this.#context(),
      expression,
      awaitPromise: true,
      returnByValue: true,
    });
    if (exceptionDetails !== undefined)
      throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  }

  /**
   * The same for a function that also takes objects of this world.
   * @param objectIds names of Chromium for the objects
   */
  async call<Options, Objects, Result>(
    fn: (options: Options, ...objects: Objects[]) => Result,
    options: Options,
    objectIds: readonly string[],
  ): Promise<Awaited<Result>> {
    const { result } = await this.#session.send('Runtime.callFunctionOn', {
      executionContextId: await this.#context(),
      functionDeclaration: `${fn}`,
      arguments: [{ value: options }, ...objectIds.map((objectId) => ({ objectId }))],
      awaitPromise: true,
      returnByValue: true,
    });
    return result.value;
  }

  /** The closed shadow roots of elements, as names for `call`. @param elements a function that gives them */
  async closedShadowRoots(elements: () => unknown[]): Promise<string[]> {
    const contextId = await this.#context();
    const { result } = await this.#session.send('Runtime.evaluate', { contextId, expression: `(${elements})()` });
    if (result.objectId === undefined) return [];
    const { result: properties } = await this.#session.send('Runtime.getProperties', {
      objectId: result.objectId,
      ownProperties: true,
    });
    const hosts = properties.flatMap(({ value }) => (value?.subtype === 'node' ? [value.objectId] : []));
    const roots = await Promise.all(hosts.map((objectId) => this.#closedRootOf(objectId, contextId)));
    return roots.filter((root) => root !== undefined);
  }

  async #closedRootOf(objectId: string | undefined, executionContextId: number): Promise<string | undefined> {
    if (objectId === undefined) return undefined;
    const { node } = await this.#session.send('DOM.describeNode', { objectId, depth: 1, pierce: true });
    const root = node.shadowRoots?.find(({ shadowRootType }) => shadowRootType === 'closed');
    if (root === undefined) return undefined;
    const { backendNodeId } = root;
    const { object } = await this.#session.send('DOM.resolveNode', { backendNodeId, executionContextId });
    return object.objectId;
  }

  #context(): Promise<number> {
    this.#contextId ??= this.#session
      .send('Page.createIsolatedWorld', { frameId: this.#frameId, worldName: NAME })
      .then(({ executionContextId }) => executionContextId);
    return this.#contextId;
  }
}
