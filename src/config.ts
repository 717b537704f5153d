import { z } from 'zod';

/**
 * Every setting, parsed once at the start and documented once: `SETTINGS` makes the parser, the text of `trawl serve
 * --help` and (checked by a test) the table in README.md.
 */

const address = z.url({ protocol: /^https?$/, error: 'must be an http or https address' });
const whole = (min: number, max: number) =>
  z.coerce
    .number({ error: `must be a whole number from ${min} to ${max}` })
    .int(`must be a whole number from ${min} to ${max}`)
    .min(min, `must be at least ${min}`)
    .max(max, `must be at most ${max}`);
const list = z.string().transform((text) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== ''),
);

const SETTINGS = {
  PORT: whole(0, 65535).default(3002).describe('Port to listen on; 0 takes a free one'),
  HOST: z.string().default('127.0.0.1').describe('Address to listen on; 0.0.0.0 or :: opens it to the network'),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'must start with postgres:// or postgresql://')
    .optional()
    .describe('PostgreSQL database; without it, everything is in one SQLite file in the data directory'),
  TRAWL_DATA_DIR: z.string().default('./data').describe('Directory of the SQLite file'),
  TRAWL_BASE_URL: address
    .transform((url) => url.replace(/\/+$/, ''))
    .optional()
    .describe('Public base address; without it, addresses in responses follow the Host header of each request'),
  TRAWL_SECRET: z
    .string()
    .regex(
      /^[\x21-\x7e]{32,200}$/,
      'must be 32 to 200 visible ASCII characters without spaces, for example from "openssl rand -hex 32"',
    )
    .optional()
    .describe(
      'Secret that encrypts sensitive values in the store, the same for all processes; without it, one is generated and stored with the data',
    ),
  TRAWL_API_KEY: z
    .string()
    .regex(/^[\x21-\x7e]{1,200}$/, 'must be 1 to 200 visible ASCII characters without spaces')
    .optional()
    .describe('API key to create at the start; without it, the first start makes one and prints it once'),
  TRAWL_ALLOW_NETWORKS: list.default([]).describe('Private networks (CIDR, separated by commas) that may be scraped'),
  TRAWL_TRUSTED_PROXIES: list
    .default([])
    .describe(
      'Proxies (CIDR, separated by commas) whose X-Forwarded-For, -Host, -Proto and -Prefix headers are believed',
    ),
  TRAWL_KEYLESS_PER_DAY: whole(0, 1_000_000)
    .default(0)
    .describe('Requests a day that each client address may make without a key; 0 allows none'),
  TRAWL_PROXY: address.optional().describe('Proxy for all outbound requests except those to the language model'),
  TRAWL_PROXY_ENHANCED: address
    .optional()
    .describe('Proxy for "proxy": "enhanced", and for "auto" when a page is blocked'),
  TRAWL_BROWSER_PATH: z
    .string()
    .max(4096)
    .optional()
    .describe('Chromium to render pages with; without it, one of the system, else the one that comes with Trawl'),
  TRAWL_BROWSER_CONTEXTS: whole(1, 64)
    .optional()
    .describe(
      'Pages that are open in the browser at the same time; without it, as many as memory and processors allow',
    ),
  TRAWL_LLM_BASE_URL: address
    .transform((url) => url.replace(/\/+$/, ''))
    .optional()
    .describe(
      'Base address of a language model with the chat completions API of OpenAI, for example http://127.0.0.1:11434/v1',
    ),
  TRAWL_LLM_API_KEY: z
    .string()
    .regex(/^[\x21-\x7e]{1,1000}$/, 'must be visible ASCII characters without spaces')
    .optional()
    .describe('API key of the language model, if it needs one'),
  TRAWL_LLM_MODEL: z.string().max(200).optional().describe('Name of the language model'),
  TRAWL_S3_ENDPOINT: address
    .transform((url) => url.replace(/\/+$/, ''))
    .optional()
    .describe(
      'Base address of an S3-compatible store for files such as screenshots and for large results; without it they are in the data directory, or in PostgreSQL',
    ),
  TRAWL_S3_BUCKET: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'must be the name of a bucket')
    .optional()
    .describe('Bucket for these files; it must exist'),
  TRAWL_S3_REGION: z
    .string()
    .regex(/^[\w-]{1,50}$/, 'must be the name of a region')
    .default('us-east-1')
    .describe('Region of the bucket'),
  TRAWL_S3_ACCESS_KEY: z
    .string()
    .regex(/^[\x21-\x7e]{1,1000}$/, 'must be visible ASCII characters without spaces')
    .optional()
    .describe('Id of a key that may read, write and delete in the bucket'),
  TRAWL_S3_SECRET_KEY: z
    .string()
    .regex(/^[\x21-\x7e]{1,1000}$/, 'must be visible ASCII characters without spaces')
    .optional()
    .describe('Secret of that key'),
  TRAWL_MAX_PAGE_MB: whole(1, 512)
    .default(50)
    .describe(
      'Largest page, after decompression, in MB; in a browser, all that a page loads and sends may be four times as much',
    ),
  TRAWL_CACHE_MB: whole(0, 1_000_000)
    .default(2048)
    .describe('Limit on cached pages, in MB; the oldest pages of the largest teams are removed first'),
  TRAWL_RESULT_HOURS: whole(1, 8760).default(24).describe('How long results can be fetched by id, in hours'),
  TRAWL_RESULTS_MB: whole(1, 10_000_000)
    .default(10_240)
    .describe('Limit on results, in MB; the oldest results of the largest teams are removed first'),
  TRAWL_LEDGER_DAYS: whole(1, 36_500)
    .default(90)
    .describe('How long individual charges are kept, in days; daily totals are kept forever'),
  TRAWL_ACTIVITY_DAYS: whole(1, 36_500)
    .default(400)
    .describe('How long entries of the activity log and unused browser profiles are kept, in days'),
  TRAWL_WORKER_CONCURRENCY: whole(1, 1000)
    .default(96)
    .describe('Pages of jobs that one process scrapes at the same time'),
  TRAWL_WORKER_PORT: whole(0, 65535)
    .optional()
    .describe('Port on which "trawl worker" serves /health, /ready and /metrics; unset, it does not listen'),
  TRAWL_METRICS_KEY: z
    .string()
    .regex(/^[\x21-\x7e]{1,200}$/, 'must be 1 to 200 visible ASCII characters without spaces')
    .optional()
    .describe('Bearer key for /metrics; unset, anyone who reaches the port can read them'),
  TRAWL_LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent']).default('info').describe('Log level'),
} as const;

interface Together {
  names: readonly (keyof typeof SETTINGS)[];
  /** What has no use without them. */
  alsoBy?: readonly (keyof typeof SETTINGS)[];
}

const TOGETHER: readonly Together[] = [
  { names: ['TRAWL_LLM_BASE_URL', 'TRAWL_LLM_MODEL'], alsoBy: ['TRAWL_LLM_API_KEY'] },
  { names: ['TRAWL_S3_ENDPOINT', 'TRAWL_S3_BUCKET', 'TRAWL_S3_ACCESS_KEY', 'TRAWL_S3_SECRET_KEY'] },
];

const schema = z.object(SETTINGS).superRefine((settings, context) => {
  // One without the others is an incomplete configuration, which would only fail later.
  for (const { names, alsoBy = [] } of TOGETHER) {
    const missing = names.filter((name) => settings[name] === undefined);
    if (missing.length === names.length && alsoBy.every((name) => settings[name] === undefined)) continue;
    for (const name of missing) {
      context.addIssue({ code: 'custom', path: [name], message: `is missing: ${listed(names)} are needed together` });
    }
  }
});

export interface Config {
  port: number;
  host: string;
  databaseUrl: string | undefined;
  dataDir: string;
  baseUrl: string | undefined;
  secret: string | undefined;
  apiKey: string | undefined;
  allowNetworks: string[];
  trustedProxies: string[];
  keylessPerDay: number;
  proxy: string | undefined;
  enhancedProxy: string | undefined;
  /** Undefined: a Chromium of the system, else the one that comes with Trawl. */
  browserPath: string | undefined;
  /** Undefined: as many as the machine has room for. */
  browserContexts: number | undefined;
  /** Undefined: there is no language model. */
  llm: { baseUrl: string; apiKey: string | undefined; model: string } | undefined;
  /** Undefined: files are kept in the data directory, or in PostgreSQL. */
  s3: { endpoint: string; bucket: string; region: string; accessKey: string; secretKey: string } | undefined;
  maxPageBytes: number;
  cacheBytes: number;
  resultMs: number;
  resultBytes: number;
  ledgerMs: number;
  activityMs: number;
  workerConcurrency: number;
  /** Undefined: a worker does not listen. */
  workerPort: number | undefined;
  metricsKey: string | undefined;
  logLevel: z.infer<typeof SETTINGS.TRAWL_LOG_LEVEL>;
}

/** An invalid configuration. The message has one line for each setting that is wrong. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** Reads the settings of an environment such as `process.env`; empty values count as unset. Throws ConfigError. */
export function readConfig(environment: Record<string, string | undefined>): Config {
  const given = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''),
  );
  const parsed = schema.safeParse(given);
  if (!parsed.success) {
    const lines = parsed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`);
    throw new ConfigError(lines.join('\n'));
  }
  const settings = parsed.data;
  return {
    port: settings.PORT,
    host: settings.HOST,
    databaseUrl: settings.DATABASE_URL,
    dataDir: settings.TRAWL_DATA_DIR,
    baseUrl: settings.TRAWL_BASE_URL,
    secret: settings.TRAWL_SECRET,
    apiKey: settings.TRAWL_API_KEY,
    allowNetworks: settings.TRAWL_ALLOW_NETWORKS,
    trustedProxies: settings.TRAWL_TRUSTED_PROXIES,
    keylessPerDay: settings.TRAWL_KEYLESS_PER_DAY,
    proxy: settings.TRAWL_PROXY,
    enhancedProxy: settings.TRAWL_PROXY_ENHANCED,
    browserPath: settings.TRAWL_BROWSER_PATH,
    browserContexts: settings.TRAWL_BROWSER_CONTEXTS,
    llm: readModel(settings),
    s3: readS3(settings),
    maxPageBytes: settings.TRAWL_MAX_PAGE_MB * 1024 * 1024,
    cacheBytes: settings.TRAWL_CACHE_MB * 1024 * 1024,
    resultMs: settings.TRAWL_RESULT_HOURS * 3_600_000,
    resultBytes: settings.TRAWL_RESULTS_MB * 1024 * 1024,
    ledgerMs: settings.TRAWL_LEDGER_DAYS * 86_400_000,
    activityMs: settings.TRAWL_ACTIVITY_DAYS * 86_400_000,
    workerConcurrency: settings.TRAWL_WORKER_CONCURRENCY,
    workerPort: settings.TRAWL_WORKER_PORT,
    metricsKey: settings.TRAWL_METRICS_KEY,
    logLevel: settings.TRAWL_LOG_LEVEL,
  };
}

function readModel(settings: z.infer<typeof schema>): Config['llm'] {
  const { TRAWL_LLM_BASE_URL: baseUrl, TRAWL_LLM_API_KEY: apiKey, TRAWL_LLM_MODEL: model } = settings;
  return baseUrl === undefined || model === undefined ? undefined : { baseUrl, apiKey, model };
}

function readS3(settings: z.infer<typeof schema>): Config['s3'] {
  const {
    TRAWL_S3_ENDPOINT: endpoint,
    TRAWL_S3_BUCKET: bucket,
    TRAWL_S3_REGION: region,
    TRAWL_S3_ACCESS_KEY: accessKey,
    TRAWL_S3_SECRET_KEY: secretKey,
  } = settings;
  if (endpoint === undefined || bucket === undefined || accessKey === undefined || secretKey === undefined) return;
  return { endpoint, bucket, region, accessKey, secretKey };
}

function listed(names: readonly string[]): string {
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

/** Name, default and meaning of each setting, for help texts. */
export function describeSettings(): { name: string; fallback: string; meaning: string }[] {
  const defaults: Record<string, unknown> = schema.parse({});
  return Object.entries(SETTINGS).map(([name, setting]) => ({
    name,
    fallback: String(defaults[name] ?? ''),
    meaning: setting.description ?? '',
  }));
}
