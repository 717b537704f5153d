import assert from 'node:assert/strict';
import { readConfig } from '../../src/config.ts';
import type { ScrapedDocument } from '../../src/pages/document.ts';
import { startService } from '../../src/server/service.ts';
import { assertContract } from './contract.ts';
import { type Folder, temporaryFolder } from './folder.ts';

export const KEY = 'fc-0123456789abcdef0123456789abcdef';

/** Default settings of every test service. Settings of a test override them. */
export const TEST_SETTINGS = {
  PORT: '0',
  TRAWL_API_KEY: KEY,
  TRAWL_ALLOW_NETWORKS: '127.0.0.0/8,::1/128',
  TRAWL_LOG_LEVEL: 'silent',
};

export type Settings = Record<string, string>;

export interface Answer<Body = AnswerBody> {
  status: number;
  headers: Headers;
  body: Body;
}

/** The fields of a scrape answer, which `assertContract` has checked. */
export interface AnswerBody {
  success: boolean;
  data: ScrapedDocument;
  error: string;
  code: string;
  details?: { path: string[]; message: string }[];
}

export interface CallOptions {
  /** `null` sends no Authorization header. */
  key?: string | null;
  headers?: Record<string, string>;
}

/** Calls a service and checks each answer against the contract. */
export class TrawlClient {
  readonly address: string;

  constructor(address: string) {
    this.address = address;
  }

  /** @param body sent as JSON, or unchanged when it is a string */
  async call<Body = AnswerBody>(
    method: string,
    path: string,
    body?: unknown,
    { key = KEY, headers = {} }: CallOptions = {},
  ): Promise<Answer<Body>> {
    const response = await fetch(this.address + path, {
      method,
      headers: {
        ...(key === null ? {} : { authorization: `Bearer ${key}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const answer: Answer<Body> = {
      status: response.status,
      headers: response.headers,
      body: await readJson<Body>(response),
    };
    assertContract(method, path, answer.status, answer.body);
    return answer;
  }

  post(path: string, body: unknown, options?: CallOptions): Promise<Answer> {
    return this.call('POST', path, body, options);
  }

  get<Body = AnswerBody>(path: string, options?: CallOptions): Promise<Answer<Body>> {
    return this.call<Body>('GET', path, undefined, options);
  }

  /** The document of a successful scrape. */
  async scrape(
    url: string,
    options: object = {},
    { version = 'v2', ...call }: CallOptions & { version?: string } = {},
  ) {
    const { status, body } = await this.post(`/${version}/scrape`, { url, ...options }, call);
    assert.equal(status, 200, JSON.stringify(body));
    return body.data;
  }

  /** The refusal of a scrape: status, code and message. */
  async refusal(body: unknown, { version = 'v2', ...call }: CallOptions & { version?: string } = {}) {
    const { status, body: answer } = await this.post(`/${version}/scrape`, body, call);
    assert.ok(status >= 400, `expected a refusal, got ${status}`);
    return { status, code: answer.code, error: answer.error, details: answer.details };
  }
}

async function readJson<Body>(response: Response): Promise<Body> {
  const text = await response.text();
  assert.match(response.headers.get('content-type') ?? '', /^application\/json\b/, text.slice(0, 500));
  return JSON.parse(text);
}

export class Trawl extends TrawlClient implements AsyncDisposable {
  readonly dataDir: string;
  readonly #service: Awaited<ReturnType<typeof startService>>;
  readonly #folder: Folder | undefined;

  constructor(service: Awaited<ReturnType<typeof startService>>, dataDir: string, folder: Folder | undefined) {
    super(service.address);
    this.#service = service;
    this.dataDir = dataDir;
    this.#folder = folder;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#service.close();
    await this.#folder?.[Symbol.asyncDispose]();
  }
}

/**
 * The whole service in this process, on a free port, with an empty data directory unless `TRAWL_DATA_DIR` is given.
 *
 * @param options `works: false` accepts jobs but never works on them
 */
export async function startTrawl(
  settings: Settings = {},
  options: Parameters<typeof startService>[1] = {},
): Promise<Trawl> {
  const folder = settings.TRAWL_DATA_DIR === undefined ? await temporaryFolder() : undefined;
  const dataDir = settings.TRAWL_DATA_DIR ?? folder?.path ?? '';
  const service = await startService(readConfig({ ...TEST_SETTINGS, ...settings, TRAWL_DATA_DIR: dataDir }), options);
  return new Trawl(service, dataDir, folder);
}
