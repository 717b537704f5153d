import type { Span } from './span.ts';

/**
 * Keys and tokens by the forms their issuers publish. A Markdown escape may stand before an underscore
 * (`ghp\_…`), so `_` in a prefix is written U and classes hold the backslash. Every repetition has an upper
 * bound and one class, which keeps matching linear. Public ids (Stripe `pk_`, Twilio `AC…`) are no secrets.
 */
const U = String.raw`\\?_`;
const WORD = String.raw`[\w\\-]`;
const FORMS: readonly string[] = [
  'A(?:KIA|SIA|BIA|CCA)[A-Z2-7]{16}', // Amazon Web Services
  `gh[pousr]${U}[A-Za-z0-9]{36,255}`, // GitHub
  `github${U}pat${U}[A-Za-z0-9]{22}${U}[A-Za-z0-9]{59}`, // GitHub, fine-grained
  `gl(?:pat|dt|rt|rtr|cbt|ptt|ft|imt|agent|oas|soat)-${WORD}{20,300}`, // GitLab
  String.raw`xox[abcdeoprs]-[0-9A-Za-z\-]{10,250}`, // Slack
  String.raw`xapp-\d-[A-Z0-9]{9,13}-\d{10,15}-[a-z0-9]{32,80}`, // Slack, app level
  String.raw`hooks\.slack\.com/(?:services|workflows)/[A-Za-z0-9/]{40,80}`, // Slack, incoming webhook
  `discord(?:app)?\\.com/api/webhooks/\\d{17,20}/${WORD}{60,90}`, // Discord, webhook
  String.raw`[MNO][A-Za-z\d]{23,27}\.[\w-]{6}\.[\w-]{27,40}`, // Discord, bot
  String.raw`\d{8,10}:AA[\w-]{33}`, // Telegram, bot
  `[rs]k${U}(?:live|test)${U}[A-Za-z0-9]{16,247}`, // Stripe
  `whsec${U}[A-Za-z0-9+/]{32,64}={0,2}`, // Stripe and Standard Webhooks
  `AIza${WORD}{35,37}`, // Google, API key
  `GOCSPX-${WORD}{28,30}`, // Google, OAuth client
  String.raw`ya29\.[\w-]{30,512}`, // Google, OAuth access
  `sk-ant-[a-z]{3,10}\\d{2}-${WORD}{40,200}`, // Anthropic
  `sk-(?:proj|svcacct|admin|or-v1|None)-${WORD}{40,250}`, // OpenAI, OpenRouter
  'sk-[A-Za-z0-9]{32,64}', // OpenAI, older; DeepSeek and others alike
  `npm${U}[A-Za-z0-9]{36}`, // npm
  `pypi-AgE${WORD}{50,250}`, // PyPI
  `rubygems${U}[a-f0-9]{48}`, // RubyGems
  `dckr${U}(?:pat|oat)${U}${WORD}{27,40}`, // Docker
  `hf${U}[A-Za-z]{34}`, // Hugging Face
  String.raw`SG\.[\w-]{16,32}\.[\w-]{32,64}`, // SendGrid
  'SK[0-9a-f]{32}', // Twilio
  'key-[0-9a-f]{32}', // Mailgun
  String.raw`[0-9a-f]{32}-us\d{1,2}`, // Mailchimp
  `shp(?:at|ca|pa|ss)${U}[0-9a-fA-F]{32}`, // Shopify
  `sq0(?:atp|csp)-${WORD}{22,48}`, // Square
  `do[opr]${U}v1${U}[a-f0-9]{64}`, // DigitalOcean
  `lin${U}(?:api|oauth)${U}[A-Za-z0-9]{32,64}`, // Linear
  `ntn${U}[A-Za-z0-9]{40,50}`, // Notion
  `figd${U}${WORD}{38,48}`, // Figma
  'dapi[0-9a-f]{32}', // Databricks
  String.raw`hv[sbr]\.[\w-]{24,300}`, // HashiCorp Vault
  String.raw`dp\.(?:pt|st|ct|sa|scim|audit)\.[A-Za-z0-9]{40,44}`, // Doppler
  `glsa${U}[A-Za-z0-9]{32}${U}[a-f0-9]{8}`, // Grafana
  'NRAK-[A-Z0-9]{27}', // New Relic
  `sntry[su]${U}[A-Za-z0-9+/=\\\\_]{40,250}`, // Sentry
  `sbp${U}[a-f0-9]{40}`, // Supabase
  'pplx-[A-Za-z0-9]{48}', // Perplexity
  `gsk${U}[A-Za-z0-9]{52}`, // Groq
  'xai-[A-Za-z0-9]{80}', // xAI
  `r8${U}[A-Za-z0-9]{37}`, // Replicate
  'fc-[0-9a-f]{32}', // this service and others of its contract
  'PMAK-[0-9a-f]{24}-[0-9a-f]{34}', // Postman
  `ATATT3${WORD}{100,250}={0,2}[A-F0-9]{0,8}`, // Atlassian
  String.raw`pat[A-Za-z0-9]{14}\.[a-f0-9]{64}`, // Airtable
  'AGE-SECRET-KEY-1[0-9A-Z]{58}', // age
  // JSON Web Token (RFC 7519): two segments that begin with {" in base64url, and the signature.
  String.raw`eyJ[\w-]{10,4000}\.eyJ[\w-]{10,16000}\.[\w-]{0,1400}`,
];

const TOKEN = new RegExp(`(?<![A-Za-z0-9_-])(?:${FORMS.join('|')})(?![A-Za-z0-9])`, 'g');

/** Tokens that are recognisable by their prefix. */
export function* findSecretTokens(text: string): Generator<Span> {
  for (const { 0: token, index } of text.matchAll(TOKEN)) yield { start: index, end: index + token.length };
}
