import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import Firecrawl, {
  type AgentWebhookConfig,
  type CreateMonitorRequest,
  type DeveloperSearchOptions,
  type EndpointFeedbackRequest,
  type FindToolsOptions,
  type FirecrawlAppV1,
  type GetMonitorCheckOptions,
  type GetPaperOptions,
  type MonitorTarget,
  type ParseOptions,
  type ResearchClient,
  type ScrapeExecuteRequest,
  type ScrapeOptions,
  type SearchPapersOptions,
  type SearchRequest,
  type SimilarPapersOptions,
  type UpdateMonitorRequest,
} from 'firecrawl';
import { startCheckingRelay } from './support/checking-relay.ts';
import * as sdk from './support/sdk-fields.ts';
import { shared } from './support/shared.ts';
import { KEY, startTrawl } from './support/trawl.ts';

/**
 * Each call of the public SDK that is not implemented yet, with every field in its SDK types. Today each is refused by
 * the name of the operation. When its route is built, the call and its fields move to a test of its answer. A call or
 * field that a new release of the SDK adds is missing here, and `npm run check` names it.
 */

const trawl = await shared(startTrawl());
const relay = await shared(startCheckingRelay(trawl.address));
const client = new Firecrawl({ apiUrl: relay.address, apiKey: KEY });

const ID = '01890000-0000-7000-8000-000000000000';
const url = 'https://example.com/';
const schema = { type: 'object', properties: { title: { type: 'string' } } };

type Call = readonly [operation: string, call: () => Promise<unknown>];

/** The calls of the v2 client that are implemented. */
type Standing =
  | 'scrape'
  | 'map'
  | 'crawl'
  | 'startCrawl'
  | 'getCrawlStatus'
  | 'getCrawlErrors'
  | 'cancelCrawl'
  | 'getActiveCrawls'
  | 'crawlParamsPreview'
  | 'batchScrape'
  | 'startBatchScrape'
  | 'getBatchScrapeStatus'
  | 'getBatchScrapeErrors'
  | 'cancelBatchScrape'
  | 'watcher'
  | 'getConcurrency'
  | 'getCreditUsage'
  | 'getCreditUsageHistorical'
  | 'getTokenUsage'
  | 'getTokenUsageHistorical'
  | 'getQueueStatus'
  // Older names of the same calls.
  | 'scrapeUrl'
  | 'mapUrl'
  | 'crawlUrl'
  | 'asyncCrawlUrl'
  | 'checkCrawlStatus'
  | 'checkCrawlErrors'
  | 'batchScrapeUrls'
  | 'asyncBatchScrapeUrls'
  | 'checkBatchScrapeStatus'
  | 'checkBatchScrapeErrors'
  // Separate clients.
  | 'v1'
  | 'research';

const { formats: _formats, ...pageFields } = sdk.PAGE_FIELDS;
const scrapeOptions: ScrapeOptions = { ...sdk.acceptedValues(pageFields), formats: ['markdown'] };
const [, threatProtection] = sdk.PAGE_FIELDS.threatProtection;
const [, auditMetadata] = sdk.PAGE_FIELDS.auditMetadata;
const [, profile] = sdk.PAGE_FIELDS.profile;
const caller = { integration: 'contract-test', origin: 'js-sdk' };

const search: Required<Omit<SearchRequest, 'query'>> = {
  ...caller,
  domainTools: true,
  toolDetail: 'full',
  sources: ['web', 'news', 'images', 'alexandria', { type: 'web' }, { type: 'news' }],
  categories: ['github', 'pdf', { type: 'research' }, { type: 'developer' }],
  includeDomains: ['example.com'],
  // The SDK refuses the two together.
  excludeDomains: [],
  limit: 5,
  tbs: 'qdr:w',
  location: 'Germany',
  country: 'DE',
  ignoreInvalidURLs: true,
  timeout: 30_000,
  highlights: true,
  scrapeOptions,
  enterprise: ['default', 'anon', 'zdr'],
  threatProtection,
};

const developerSearch: Required<DeveloperSearchOptions> = {
  k: 5,
  passages: 2,
  types: ['doc', 'issue', 'pull_request', 'readme'],
  repos: ['nodejs/node'],
  sources: ['nodejs'],
  language: 'TypeScript',
  topic: ['crawler'],
  license: 'MIT',
  minStars: 10,
  maxStars: 1_000,
  archived: false,
  fork: false,
  skills: 'only',
};

const parse: Required<ParseOptions> = {
  ...caller,
  formats: ['markdown', { type: 'links' }],
  headers: { 'X-Visitor': 'mail man' },
  includeTags: ['main'],
  excludeTags: ['nav'],
  onlyMainContent: false,
  timeout: 30_000,
  parsers: sdk.PAGE_FIELDS.parsers[1],
  skipTlsVerification: true,
  removeBase64Images: false,
  fastMode: true,
  useMock: 'recorded-page',
  blockAds: false,
  proxy: 'basic',
  redactPII: true,
  auditMetadata,
  profile,
  domainTools: true,
};

const extract: Required<Parameters<Firecrawl['startExtract']>[0]> = {
  ...caller,
  urls: ['https://example.com/*'],
  prompt: 'the title',
  schema,
  systemPrompt: 'Be brief.',
  allowExternalLinks: true,
  enableWebSearch: true,
  showSources: true,
  scrapeOptions,
  ignoreInvalidURLs: true,
  agent: { model: 'FIRE-1' },
  webhook: 'https://example.com/hook',
  threatProtection,
};

const agentWebhook: Required<AgentWebhookConfig> = {
  url: 'https://example.com/hook',
  headers: { 'X-From': 'trawl' },
  metadata: { order: '17' },
  events: ['started', 'action', 'completed', 'failed', 'cancelled'],
};
const agent: Required<Parameters<Firecrawl['startAgent']>[0]> = {
  ...caller,
  urls: [url],
  prompt: 'Find the title.',
  schema,
  maxCredits: 100,
  strictConstrainToURLs: true,
  model: 'spark-2',
  effort: 'high',
  webhook: agentWebhook,
  threatProtection,
  auditMetadata,
  threadId: ID,
  mode: 'chat',
  exchange: {
    enabled: true,
    toolkits: ['one'],
    maxCalls: 3,
    requireApproval: true,
    approve: { approvalId: 'a', callIds: ['c'], always: false },
    decline: { approvalId: 'b' },
    onTermsRequired: 'ask',
  } satisfies Required<NonNullable<Parameters<Firecrawl['startAgent']>[0]['exchange']>>,
};

const browser: Required<NonNullable<Parameters<Firecrawl['browser']>[0]>> = {
  ...caller,
  ttl: 300,
  activityTtl: 60,
  streamWebView: true,
  profile,
};
const execute: Required<Parameters<Firecrawl['browserExecute']>[1]> = { code: '1 + 1', language: 'node', timeout: 30 };
const interact: Required<ScrapeExecuteRequest> = {
  code: '1 + 1',
  prompt: 'Click on.',
  language: 'node',
  timeout: 30,
  origin: 'js-sdk',
};

const targets: { [T in MonitorTarget as T['type']]: Required<T> } = {
  scrape: { id: ID, type: 'scrape', urls: [url], scrapeOptions },
  crawl: { id: ID, type: 'crawl', url, crawlOptions: sdk.acceptedValues(sdk.CRAWL_FIELDS), scrapeOptions },
  search: {
    id: ID,
    type: 'search',
    queries: ['lamps'],
    searchWindow: '24h',
    includeDomains: ['example.com'],
    excludeDomains: ['bad.example'],
    maxResults: 5,
  },
};
const monitor: Required<CreateMonitorRequest> = {
  name: 'Lamps',
  schedule: { cron: '0 9 * * *', text: 'daily at 9:00', timezone: 'Europe/Berlin' },
  webhook: { url, headers: { 'X-From': 'trawl' }, metadata: { order: '17' }, events: ['monitor.page'] },
  notification: { email: { enabled: true, recipients: ['mara@example.com'], includeDiffs: true } },
  targets: Object.values(targets),
  retentionDays: 30,
  goal: 'New lamps.',
  judgeEnabled: true,
};
const monitorUpdate: Required<UpdateMonitorRequest> = { ...monitor, status: 'paused' };
const checkQuery: Required<Pick<GetMonitorCheckOptions, 'limit' | 'skip' | 'status'>> = {
  limit: 5,
  skip: 1,
  status: 'changed',
};

const feedback: Required<EndpointFeedbackRequest> = {
  ...caller,
  endpoint: 'scrape',
  jobId: ID,
  rating: 'good',
  valuableSources: [{ url, reason: 'It has it all.' }],
  missingContent: [{ topic: 'prices', description: 'There are none.' }],
  querySuggestions: 'cheap lamps',
  issues: ['too-short'],
  tags: ['lamps'],
  note: 'Thank you.',
  url,
  pageNumbers: [1],
  metadata: { order: '17' },
};

const tools: Required<FindToolsOptions> = {
  urls: [url],
  providers: ['one'],
  categories: ['two'],
  groups: ['three'],
  capabilities: ['four'],
  level: 'tools',
  expand: ['options', 'response', 'examples'],
  limit: 5,
  offset: 1,
};

const TOOLS = 'Calling tools ("alexandria")';
const file = { data: 'words', filename: 'words.txt', contentType: 'text/plain' };

const V2_CALLS: Record<Exclude<keyof Firecrawl, Standing>, Call> = {
  search: ['Search', () => client.search('lamps', search)],
  searchFeedback: ['Feedback', () => client.searchFeedback(ID, feedback)],
  feedback: ['Feedback', () => client.feedback(feedback)],
  developerSearch: ['Developer search', () => client.developerSearch('lamps', developerSearch)],
  parse: ['Parse', () => client.parse(file, parse)],
  findTools: [TOOLS, () => client.findTools(tools)],
  startExtract: ['Extract', () => client.startExtract(extract)],
  extract: ['Extract', () => client.extract(extract)],
  getExtractStatus: ['Extract', () => client.getExtractStatus(ID)],
  startAgent: ['Agent', () => client.startAgent(agent)],
  agent: ['Agent', () => client.agent(agent)],
  getAgentStatus: ['Agent', () => client.getAgentStatus(ID)],
  listAgents: ['Agent', () => client.listAgents({ before: 1 })],
  cancelAgent: ['Agent', () => client.cancelAgent(ID)],
  getAgentTrace: ['Agent', () => client.getAgentTrace(ID, { liveView: true })],
  getAgentSnapshot: ['Agent', () => client.getAgentSnapshot(ID, ID)],
  getAgentThread: ['Agent', () => client.getAgentThread(ID, { includeData: true })],
  browser: ['Interact', () => client.browser(browser)],
  browserExecute: ['Interact', () => client.browserExecute(ID, execute)],
  deleteBrowser: ['Interact', () => client.deleteBrowser(ID)],
  listBrowsers: ['Interact', () => client.listBrowsers({ status: 'active' })],
  interact: ['Interact', () => client.interact(ID, interact)],
  scrapeExecute: ['Interact', () => client.scrapeExecute(ID, interact)],
  stopInteraction: ['Interact', () => client.stopInteraction(ID)],
  stopInteractiveBrowser: ['Interact', () => client.stopInteractiveBrowser(ID)],
  deleteScrapeBrowser: ['Interact', () => client.deleteScrapeBrowser(ID)],
  createMonitor: ['Monitor', () => client.createMonitor(monitor)],
  listMonitors: ['Monitor', () => client.listMonitors({ limit: 5, offset: 1 })],
  getMonitor: ['Monitor', () => client.getMonitor(ID)],
  updateMonitor: ['Monitor', () => client.updateMonitor(ID, monitorUpdate)],
  deleteMonitor: ['Monitor', () => client.deleteMonitor(ID)],
  runMonitor: ['Monitor', () => client.runMonitor(ID)],
  listMonitorChecks: ['Monitor', () => client.listMonitorChecks(ID, { limit: 5, offset: 1 })],
  getMonitorCheck: ['Monitor', () => client.getMonitorCheck(ID, ID, checkQuery)],
};

const papers: Required<SearchPapersOptions> = {
  k: 5,
  authors: ['Curie'],
  categories: ['cs.LG'],
  from: '2020-01-01',
  to: '2026-01-01',
};
const paper: Required<GetPaperOptions> = { query: 'lamps', k: 2 };
const similar: Required<SimilarPapersOptions> = { intent: 'lamps', mode: 'citers', k: 5, rerank: true, anchor: ['1'] };

const RESEARCH_CALLS: Record<keyof ResearchClient, Call> = {
  searchPapers: ['Paper search', () => client.research.searchPapers('lamps', papers)],
  getPaper: ['Paper search', () => client.research.getPaper('1', paper)],
  similarPapers: ['Paper search', () => client.research.similarPapers('1', similar)],
  searchGithub: ['Paper search', () => client.research.searchGithub('lamps', { k: 5 })],
};

/** The calls of the v1 client that are implemented, and the internals that it exposes. */
type V1Standing =
  | 'scrapeUrl'
  | 'mapUrl'
  | 'crawlUrl'
  | 'asyncCrawlUrl'
  | 'crawlUrlAndWatch'
  | 'checkCrawlStatus'
  | 'checkCrawlErrors'
  | 'cancelCrawl'
  | 'batchScrapeUrls'
  | 'asyncBatchScrapeUrls'
  | 'batchScrapeUrlsAndWatch'
  | 'checkBatchScrapeStatus'
  | 'checkBatchScrapeErrors'
  | 'getQueueStatus'
  | 'getCreditUsage'
  | 'getCreditUsageHistorical'
  | 'getTokenUsage'
  | 'getTokenUsageHistorical'
  | 'apiKey'
  | 'apiUrl'
  | 'version'
  | 'prepareHeaders'
  | 'getRequest'
  | 'postRequest'
  | 'deleteRequest'
  | 'monitorJobStatus'
  | 'handleError';

type V1Extract = NonNullable<Parameters<FirecrawlAppV1['extract']>[1]>;
type V1Search = WithNames<NonNullable<Parameters<FirecrawlAppV1['search']>[1]>>;
/** Of a union the part that says its fields. */
type WithNames<T> = T extends unknown ? (string extends keyof T ? never : T) : never;

const { v1 } = client;
const v1Page: object = sdk.acceptedValues(sdk.V1_PAGE_FIELDS);
const v1Extract: Required<V1Extract> = {
  prompt: 'the title',
  schema,
  systemPrompt: 'Be brief.',
  allowExternalLinks: true,
  enableWebSearch: true,
  includeSubdomains: true,
  origin: 'js-sdk',
  showSources: true,
  scrapeOptions: v1Page,
  agent: { model: 'FIRE-1', sessionId: 'one' },
};
const v1Search: Required<V1Search> = {
  limit: 5,
  tbs: 'qdr:w',
  filter: 'x',
  lang: 'de',
  country: 'de',
  location: 'Germany',
  origin: 'js-sdk',
  timeout: 30_000,
  scrapeOptions: v1Page,
};
const research: Required<Omit<Parameters<FirecrawlAppV1['asyncDeepResearch']>[1], 'jsonOptions'>> = {
  maxDepth: 2,
  timeLimit: 60,
  maxUrls: 5,
  analysisPrompt: 'Be brief.',
  systemPrompt: 'Be brief.',
  formats: ['markdown', 'json'],
};
const llmsText: Required<NonNullable<Parameters<FirecrawlAppV1['asyncGenerateLLMsText']>[1]>> = {
  maxUrls: 5,
  showFullText: true,
  cache: false,
  __experimental_stream: false,
};

const V1_CALLS: Record<Exclude<keyof FirecrawlAppV1, V1Standing>, Call> = {
  search: ['Search', () => v1.search('lamps', v1Search)],
  extract: ['Extract', () => v1.extract([url], v1Extract)],
  asyncExtract: ['Extract', () => v1.asyncExtract([url], v1Extract)],
  getExtractStatus: ['Extract', () => v1.getExtractStatus(ID)],
  deepResearch: ['Deep research', () => v1.deepResearch('lamps', research)],
  asyncDeepResearch: ['Deep research', () => v1.asyncDeepResearch('lamps', research)],
  checkDeepResearchStatus: ['Deep research', () => v1.checkDeepResearchStatus(ID)],
  __deepResearch: ['Deep research', () => v1.__deepResearch('lamps', research)],
  __asyncDeepResearch: ['Deep research', () => v1.__asyncDeepResearch('lamps', research)],
  __checkDeepResearchStatus: ['Deep research', () => v1.__checkDeepResearchStatus(ID)],
  generateLLMsText: ['LLMs.txt', () => v1.generateLLMsText(url, llmsText)],
  asyncGenerateLLMsText: ['LLMs.txt', () => v1.asyncGenerateLLMsText(url, llmsText)],
  checkGenerateLLMsTextStatus: ['LLMs.txt', () => v1.checkGenerateLLMsTextStatus(ID)],
};

for (const [name, calls] of Object.entries({ v2: V2_CALLS, research: RESEARCH_CALLS, v1: V1_CALLS })) {
  describe(`the ${name} client of the SDK gets an error that names each missing operation`, () => {
    for (const [method, [operation, call]] of Object.entries(calls)) {
      test(method, async () => {
        const before = relay.checked();
        await assert.rejects(call);
        assert.equal(relay.checked(), before + 1);
        const { code, error } = JSON.parse(relay.lastAnswer());
        assert.deepEqual([code, error], ['NOT_AVAILABLE', `${operation} is not available in this version.`]);
      });
    }
  });
}
