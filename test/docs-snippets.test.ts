import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { DocsReader } from './support/docs-reader.ts';
import { findNode20 } from './support/old-node.ts';
import { shared } from './support/shared.ts';
import { readSnippets } from './support/snippets.ts';

const ROOT = join(import.meta.dirname, '..');
const pages = ['README.md', ...readdirSync(join(ROOT, 'docs')).map((name) => `docs/${name}`)];
const skip = ['bash', 'curl'].every((name) => spawnSync(name, ['--version']).status === 0)
  ? false
  : 'no bash or no curl';
const node20 = findNode20();
const skipNode20 = node20 === undefined ? 'no Node 20 on this machine' : false;

for (const page of pages) {
  // One block runs up to six processes, and each of them loads the service.
  describe(`the snippets of ${page}`, { skip, timeout: 600_000 }, async () => {
    const snippets = readSnippets(page).filter(({ notRun }) => notRun === undefined);
    if (skip !== false || snippets.length === 0) return;
    const reader = await shared(DocsReader.start());
    for (const snippet of snippets) {
      test(`line ${snippet.line} works as written`, { timeout: 180_000 }, () => reader.follow(snippet));
      // Node 20 has no WebSocket.
      if (snippet.language !== 'js' || snippet.code.includes('WebSocket')) continue;
      test(`line ${snippet.line} works on Node 20`, { skip: skipNode20 }, () => reader.follow(snippet, node20));
    }
  });
}

const installed: { version: string } = JSON.parse(
  readFileSync(join(ROOT, 'node_modules', 'firecrawl', 'package.json'), 'utf8'),
);
for (const page of pages) {
  test(`${page} installs the SDK release that the tests use`, () => {
    const text = readFileSync(join(ROOT, page), 'utf8');
    for (const [, release] of text.matchAll(/npm install firecrawl(\S*)/g)) {
      assert.equal(release?.replace(/`.*/, ''), `@${installed.version}`);
    }
  });
}
