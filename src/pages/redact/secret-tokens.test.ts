import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testFindings } from '../../../test/support/marked-text.ts';
import { findSecretTokens } from './secret-tokens.ts';

/** Made up when the test runs, so that the repository holds nothing that a scanner would report. */
const hex = (length: number) => '0a1b2c3d4e5f6789'.repeat(10).slice(0, length);
const alphanumeric = (length: number) => 'aZ3kQ9xB7mW1tY5c'.repeat(40).slice(0, length);
const letters = (length: number) => 'aZkQxBmWtYcPrDsL'.repeat(10).slice(0, length);
const upper = (length: number) => 'A2Z3KQ4XB7MW5TYC'.repeat(10).slice(0, length);
const segment = (json: unknown) => Buffer.from(JSON.stringify(json)).toString('base64url');

const tokens: [issuer: string, token: string][] = [
  ['Amazon access key id', `AKIA${upper(16)}`],
  ['Amazon temporary access key id', `ASIA${upper(16)}`],
  ['GitHub', `ghp_${alphanumeric(36)}`],
  ['GitHub OAuth', `gho_${alphanumeric(36)}`],
  ['GitHub fine-grained', `github_pat_${alphanumeric(22)}_${alphanumeric(59)}`],
  ['GitLab', `glpat-${alphanumeric(20)}`],
  ['Slack bot', `xoxb-123456789012-1234567890123-${alphanumeric(24)}`],
  ['Slack app', `xapp-1-${upper(11)}-1234567890123-${hex(64)}`],
  ['Slack webhook', `hooks.slack.com/services/${upper(9)}/${upper(11)}/${alphanumeric(24)}`],
  ['Discord webhook', `discord.com/api/webhooks/123456789012345678/${alphanumeric(68)}`],
  ['Telegram bot', `1234567890:AA${alphanumeric(33)}`],
  ['Stripe live', `sk_live_${alphanumeric(24)}`],
  ['Stripe restricted', `rk_test_${alphanumeric(24)}`],
  ['Stripe webhook', `whsec_${alphanumeric(32)}`],
  ['Google API key', `AIza${alphanumeric(35)}`],
  ['Google OAuth client', `GOCSPX-${alphanumeric(28)}`],
  ['Anthropic', `sk-ant-api03-${alphanumeric(93)}AA`],
  ['OpenAI project', `sk-proj-${alphanumeric(120)}`],
  ['OpenAI', `sk-${alphanumeric(48)}`],
  ['OpenRouter', `sk-or-v1-${hex(64)}`],
  ['npm', `npm_${alphanumeric(36)}`],
  ['PyPI', `pypi-AgEIcHlwaS5vcmc${alphanumeric(80)}`],
  ['Hugging Face', `hf_${letters(34)}`],
  ['SendGrid', `SG.${alphanumeric(22)}.${alphanumeric(43)}`],
  ['Twilio', `SK${hex(32)}`],
  ['Mailgun', `key-${hex(32)}`],
  ['Mailchimp', `${hex(32)}-us12`],
  ['Shopify', `shpat_${hex(32)}`],
  ['DigitalOcean', `dop_v1_${hex(64)}`],
  ['Docker', `dckr_pat_${alphanumeric(27)}`],
  ['HashiCorp Vault', `hvs.${alphanumeric(90)}`],
  ['Groq', `gsk_${alphanumeric(52)}`],
  ['Grafana', `glsa_${alphanumeric(32)}_${hex(8)}`],
  ['Airtable', `pat${alphanumeric(14)}.${hex(64)}`],
  ['this service', `fc-${hex(32)}`],
  ['JSON Web Token', `${segment({ alg: 'HS256', typ: 'JWT' })}.${segment({ sub: '1234567890' })}.${alphanumeric(43)}`],
  ['unsigned JSON Web Token', `${segment({ alg: 'none', typ: 'JWT' })}.${segment({ sub: '1234567890' })}.`],
];

for (const [issuer, token] of tokens) {
  test(`finds a token of ${issuer}, in text, code and queries`, () => {
    const text = `x ${token} "${token}", \`${token}\` (${token}) ?key=${token}&b`;
    const found = Array.from(findSecretTokens(text), ({ start, end }) => text.slice(start, end));
    assert.deepEqual(found, Array(5).fill(token));
  });

  test(`leaves a token of ${issuer} that is a part of a longer word`, () => {
    const text = `x${token}`;
    assert.deepEqual(Array.from(findSecretTokens(text)), []);
  });
}

testFindings(findSecretTokens, [
  `«ghp\\_${alphanumeric(36)}» and «sk\\_live\\_${alphanumeric(24)}», as Markdown may escape them`,

  `pk_live_${alphanumeric(24)}`, // publishable
  `AC${hex(32)}`, // an account id
  `ghp_${alphanumeric(20)}`, // too short
  `AKIA${upper(15)}`,
  `sk-${alphanumeric(12)}, sk-learn, task-${alphanumeric(40)}`,
  `commit ${hex(40)}, sha256 ${hex(64)}, ${hex(32)}`,
  `eyJ.eyJ.eyJ, eyJhbGciOiJIUzI1NiJ9`,
  'https://hooks.slack.com/services/',
]);
