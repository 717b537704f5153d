import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cp, mkdir, readdir, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { describe, test } from 'node:test';
import { temporaryFolder } from '../support/folder.ts';

const ROOT = join(import.meta.dirname, '..', '..');

/** From the bottom up. A room may import from its own row, the rows below, and the base, which is src/ itself. */
const LAYERS = [
  ['store'],
  ['browser', 'content', 'documents', 'fetch', 'llm', 'jobs'],
  ['agent', 'batch', 'crawl', 'extract', 'interact', 'map', 'monitor', 'parse', 'scrape', 'search', 'team', 'webhook'],
  ['server'],
  ['cli'],
];
const ROOMS = LAYERS.flat();

function mayImport(from: string, to: string): boolean {
  const layerOf = (room: string) => LAYERS.findIndex((layer) => layer.includes(room));
  // Of the engines, jobs/ alone stands on the store, and none of the others knows of jobs.
  const isPlainEngine = layerOf(from) === 1 && from !== 'jobs';
  if (isPlainEngine && (to === 'store' || to === 'jobs')) return false;
  return layerOf(to) <= layerOf(from);
}

describe('the import layers', () => {
  const importEveryRoom = (prefix: string) => ROOMS.map((room) => `import '${prefix}${room}/x.ts';\n`).join('');

  test('let a room import downwards and refuse every import that goes up', async () => {
    const sources: Record<string, string> = { 'src/config.ts': importEveryRoom('./') };
    const expected = new Set(ROOMS.map((_, index) => `src/config.ts:${index + 1}`));
    for (const from of ROOMS) {
      sources[`src/${from}/x.ts`] = importEveryRoom('../');
      sources[`src/${from}/deeper/x.ts`] = importEveryRoom('../../');
      for (const [index, to] of ROOMS.entries()) {
        if (mayImport(from, to)) continue;
        expected.add(`src/${from}/x.ts:${index + 1}`).add(`src/${from}/deeper/x.ts:${index + 1}`);
      }
    }
    const refused = new Set(await lint(sources, 'lint/style/noRestrictedImports'));
    assert.deepEqual([...expected.difference(refused)], [], 'allowed, and should be refused');
    assert.deepEqual([...refused.difference(expected)], [], 'refused, and should be allowed');
  });

  test('cover every room there is', async () => {
    const entries = await readdir(join(ROOT, 'src'), { withFileTypes: true });
    const rooms = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
    const strangers = rooms.filter((room) => !ROOMS.includes(room));
    assert.deepEqual(strangers, [], 'Name the new room in biome.json and in this test.');
  });

  test('refuse two files that import each other', async () => {
    const sources = { 'src/fetch/a.ts': "import './b.ts';\n", 'src/fetch/b.ts': "import './a.ts';\n" };
    assert.deepEqual(await lint(sources, 'lint/suspicious/noImportCycles'), ['src/fetch/a.ts:1', 'src/fetch/b.ts:1']);
  });
});

describe('the way out', () => {
  const everywhere = (source: string) => ({
    'src/crawl/a.ts': source,
    'src/crawl/a.test.ts': source,
    'src/fetch/a.ts': source,
    'test/a.ts': source,
  });

  test('is imported by fetch/ and by tests alone', async () => {
    const source = [
      "import { request } from 'undici';",
      "import * as net from 'node:net';",
      "export { connect } from 'node:tls';",
      "await import('node:https');",
      "import type { IncomingMessage } from 'node:http';",
      "import { STATUS_CODES } from 'node:http';",
    ].join('\n');
    const refused = [1, 2, 3, 4].map((line) => `src/crawl/a.ts:${line}`);
    assert.deepEqual(await lint(everywhere(source), 'plugin'), refused);
  });

  test('is not taken through a global', async () => {
    const source = "await fetch('http://127.0.0.1');\nnew WebSocket('ws://127.0.0.1');\n";
    const refused = ['src/crawl/a.ts:1', 'src/crawl/a.ts:2'];
    assert.deepEqual(await lint(everywhere(source), 'lint/style/noRestrictedGlobals'), refused);
  });
});

/** Lints the given sources with the repository's own settings. @returns one `file:line` for each breach of the rule */
async function lint(sources: Record<string, string>, rule: string): Promise<string[]> {
  await using folder = await temporaryFolder();
  await cp(join(ROOT, 'biome.json'), join(folder.path, 'biome.json'));
  await cp(join(ROOT, 'scripts', 'lint'), join(folder.path, 'scripts', 'lint'), { recursive: true });
  for (const [file, source] of Object.entries(sources)) {
    await mkdir(join(folder.path, dirname(file)), { recursive: true });
    await writeFile(join(folder.path, file), source);
  }
  const biome = join(ROOT, 'node_modules', '@biomejs', 'biome', 'bin', 'biome');
  const args = [biome, 'lint', '--reporter=github', '--max-diagnostics=none', '--diagnostic-level=error'];
  const { stdout } = spawnSync(process.execPath, args, { cwd: folder.path, encoding: 'utf8' });
  return [...stdout.matchAll(/^::error title=([^,]+),file=([^,]+),line=(\d+)/gm)]
    .filter(([, found]) => found === rule)
    .map(([, , file = '', line]) => `${relative(folder.path, file)}:${line}`)
    .sort();
}
