import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { ERROR_STATUS } from '../../src/errors.ts';
import { assertWebhook } from './contract.ts';
import { temporaryFolder } from './folder.ts';
import { html, type Site, startSite } from './site.ts';
import type { Snippet } from './snippets.ts';
import { KEY, startTrawl, TEST_SETTINGS, type Trawl } from './trawl.ts';

const ROOT = join(import.meta.dirname, '..', '..');

interface Operation {
  requestBody?: { content: Record<string, { examples: { short: { value: object } } }> };
  responses: Record<string, { content: Record<string, { schema: object }> }>;
}

interface OpenApi {
  paths: Record<string, Record<string, Operation>>;
}

/** Commands run with the `trawl` of this checkout, and with a curl that fails when the service refuses. */
const SHELL = `
npx() { [ "$1" = trawl ] && shift; "$NODE" "$MAIN" "$@"; }
curl() { command curl --fail-with-body "$@"; }
`;

/**
 * A reader who follows one page of the documentation from top to bottom, with their own service. The hosts example.com
 * and example.org are sites on loopback.
 */
export class DocsReader implements AsyncDisposable {
  readonly #trawl: Trawl;
  readonly #sites: readonly [com: Site, org: Site];
  readonly #folder: string;
  readonly #reference: OpenApi;
  readonly #made: AsyncDisposableStack;
  /** Ids by the path that created them. */
  readonly #ids = new Map<string, string>();
  /** The last and the first operation that the page called. */
  #last: Operation | undefined;
  #first: { path: string; body: object } | undefined;
  /** Whether the previous snippet was a call, so that a JSON snippet is its answer. */
  #isAnswerNext = false;

  private constructor(
    trawl: Trawl,
    sites: readonly [Site, Site],
    folder: string,
    reference: OpenApi,
    made: AsyncDisposableStack,
  ) {
    this.#trawl = trawl;
    this.#sites = sites;
    this.#folder = folder;
    this.#reference = reference;
    this.#made = made;
  }

  static async start(): Promise<DocsReader> {
    await using made = new AsyncDisposableStack();
    const folder = made.use(await temporaryFolder());
    const trawl = made.use(await startTrawl());
    const sites = [made.use(await startSite(everyPage)), made.use(await startSite(everyPage))] as const;
    await symlink(join(ROOT, 'node_modules'), join(folder.path, 'node_modules'));
    await writeFile(
      join(folder.path, 'addresses.txt'),
      `# two pages\n${sites.map((site) => site.url('/a')).join('\n')}\n`,
    );
    const reference: OpenApi = JSON.parse(await (await fetch(`${trawl.address}/openapi.json`)).text());
    return new DocsReader(trawl, sites, folder.path, reference, made.move());
  }

  /** @param node what runs JavaScript */
  async follow({ language, code, runFirst }: Snippet, node = process.execPath): Promise<void> {
    if (runFirst !== undefined) await this.#shell(runFirst);
    const isAnswer = this.#isAnswerNext;
    this.#isAnswerNext = false;
    switch (language) {
      case 'sh':
        return await this.#command(code);
      case 'js':
        return await this.#program(code, node);
      case 'requests':
        return await this.#requests(code);
      case 'json':
        return await this.#json(code, isAnswer);
      default:
        assert.fail(
          `Nothing here runs "${language}". Tag the block as sh, js or json, or mark it <!-- not run: REASON -->.`,
        );
    }
  }

  async #command(code: string): Promise<void> {
    const output = await this.#shell(code);
    const [, path] = /127\.0\.0\.1:3002(\/\S+)/.exec(code) ?? [];
    if (path !== undefined) this.#called('post', path, JSON.parse(output));
  }

  async #shell(code: string): Promise<string> {
    return await this.#run('bash', ['-euo', 'pipefail', '-c', SHELL + this.#here(code)]);
  }

  /** As a module next to node_modules. */
  async #program(code: string, node: string): Promise<void> {
    const file = join(this.#folder, 'snippet.mjs');
    await writeFile(file, this.#here(code));
    await this.#run(node, [file]);
  }

  /** One request a line; what follows the path after two spaces explains it. */
  async #requests(code: string): Promise<void> {
    const first = this.#last;
    for (const line of code.split('\n')) {
      const [, method = '', written = ''] = /^([A-Z]+) +(\S+)/.exec(line) ?? [];
      const base = written.split('/{id}')[0] ?? '';
      const path = written.includes('{id}') ? written.replace('{id}', await this.#idOf(base, written)) : written;
      const body = method === 'POST' ? this.#example(written) : undefined;
      const answer = await this.#trawl.call<object>(method, path, body);
      // A job that has ended by now can no longer be cancelled.
      const allowed = method === 'DELETE' ? [200, 409] : [200];
      assert.ok(allowed.includes(answer.status), `${line}: ${JSON.stringify(answer.body)}`);
      this.#called(method.toLowerCase(), written, answer.body);
    }
    // A JSON snippet below several requests is the answer to the first one.
    const [, method = '', path = ''] = /^([A-Z]+) +(\S+)/.exec(code) ?? [];
    this.#last = this.#operation(method.toLowerCase(), path) ?? first;
  }

  /** The id that an example on this page created, or a new one. */
  async #idOf(base: string, path: string): Promise<string> {
    const known = this.#ids.get(base);
    if (known !== undefined && !path.includes('/webhook')) return known;
    const webhook = path.includes('/webhook') ? { webhook: this.#sites[0].url('/hook') } : {};
    const { status, body } = await this.#trawl.call<object>('POST', base, { ...this.#example(base), ...webhook });
    assert.equal(status, 200, JSON.stringify(body));
    return idIn(body) ?? assert.fail(`POST ${base} gives no id.`);
  }

  async #json(code: string, isAnswer: boolean): Promise<void> {
    const value: object = JSON.parse(this.#here(code));
    if ('webhookId' in value && 'type' in value) return assertWebhook(String(value.type), value);
    if ('success' in value && value.success === false && 'code' in value) {
      assert.deepEqual(Object.keys(value).sort(), ['code', 'error', 'success']);
      assert.ok(String(value.code) in ERROR_STATUS, String(value.code));
      return;
    }
    if (isAnswer || 'success' in value) return assertAnswer(this.#last, value);
    // A JSON snippet of options is added to the first call of the page.
    assert.ok(this.#first, 'There is no call on this page that these options could belong to.');
    const { status, body } = await this.#trawl.post(this.#first.path, { ...this.#first.body, ...value });
    assert.equal(status, 200, JSON.stringify(body));
  }

  #called(method: string, path: string, answer: object): void {
    const [bare = ''] = path.split('?');
    this.#last = this.#operation(method, bare);
    assert.ok(this.#last, `There is no ${method} ${bare} in the API reference.`);
    if (method === 'post') this.#first ??= { path: bare, body: this.#example(bare) };
    this.#isAnswerNext = true;
    const id = idIn(answer);
    if (id !== undefined) this.#ids.set(bare, id);
  }

  #operation(method: string, path: string): Operation | undefined {
    const [bare = ''] = path.split('?');
    const { paths } = this.#reference;
    return (paths[bare] ?? paths[bare.replace('{id}', '{jobId}')])?.[method];
  }

  #example(path: string): object {
    const body = this.#operation('post', path)?.requestBody?.content['application/json'];
    assert.ok(body, `There is no body for POST ${path} in the API reference.`);
    return JSON.parse(this.#here(JSON.stringify(body.examples.short.value)));
  }

  /** Replaces the addresses, key and ids of the documentation with those of this test. */
  #here(code: string): string {
    const [com, org] = this.#sites;
    const id = [...this.#ids.values()].at(-1) ?? '01990c1e-0000-7000-8000-000000000000';
    return code
      .replaceAll('https://example.com', com.url(''))
      .replaceAll('https://example.org', org.url(''))
      .replaceAll('127.0.0.1:3002', new URL(this.#trawl.address).host)
      .replaceAll('fc-…', KEY)
      .replaceAll(/\b01[\da-f]{6}-…/g, id);
  }

  async #run(command: string, args: string[]): Promise<string> {
    const { PATH = '', HOME = '', NODE_COMPILE_CACHE = '' } = process.env;
    const env = {
      ...{ PATH, HOME, NODE_COMPILE_CACHE, ...TEST_SETTINGS },
      ...{ TRAWL_KEY: KEY, TRAWL_DATA_DIR: this.#trawl.dataDir },
      ...{ NODE: process.execPath, MAIN: join(ROOT, 'src', 'cli', 'main.ts') },
    };
    const child = spawn(command, args, { cwd: this.#folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const [output, complaints, [code]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'close'),
    ]);
    assert.equal(code, 0, `${args.at(-1)}\n${output}${complaints}`);
    return output;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#made.disposeAsync();
  }
}

/** Any page of the sites, with a few links. There is no robots.txt and no sitemap. */
const everyPage: Parameters<typeof startSite>[0] = ({ url = '/', method }, response) => {
  if (method === 'POST') return response.writeHead(200).end();
  if (/\.(txt|xml|gz)$/.test(url)) return response.writeHead(404).end();
  const links = ['/', '/docs', '/docs/start', '/prices', '/blog/', '/contact'].map(
    (path) => `<a href="${path}">${path}</a>`,
  );
  const body = `<h1>A page at ${encodeURI(url)}</h1><p>Much to read about it, at some length.</p>${links.join(' ')}`;
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(html(body));
};

const ajv = new Ajv2020({ strict: false });
addFormats.default(ajv);

/** An answer in the documentation can omit fields, but has no fields or types that are not in the schema. */
function assertAnswer(operation: Operation | undefined, answer: object): void {
  const schema = operation?.responses[200]?.content['application/json']?.schema;
  assert.ok(schema, 'The call before has no answer in the API reference.');
  const partial = JSON.parse(JSON.stringify(schema), (key, value) => (key === 'required' ? undefined : value));
  const accepts = ajv.compile(partial);
  assert.ok(accepts(answer), ajv.errorsText(accepts.errors));
}

/** The id of a job or scrape. */
function idIn(answer: object): string | undefined {
  if ('id' in answer && typeof answer.id === 'string') return answer.id;
  const data = 'data' in answer ? answer.data : undefined;
  if (typeof data !== 'object' || data === null || !('metadata' in data)) return undefined;
  const { metadata } = data;
  if (typeof metadata !== 'object' || metadata === null || !('scrapeId' in metadata)) return undefined;
  return String(metadata.scrapeId);
}
