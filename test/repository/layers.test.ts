import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cp, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { describe, test } from 'node:test';
import { breaches } from '../../scripts/lint/layers.ts';
import { temporaryFolder } from '../support/folder.ts';

const ROOT = join(import.meta.dirname, '..', '..');

describe('the import layers', () => {
  const allowed = {
    'a lower room': { 'src/server/a.ts': "import '../crawl/b.ts';" },
    'a room of its own row': { 'src/crawl/a.ts': "import '../map/b.ts';" },
    'the base': { 'src/fetch/deep/a.ts': "import { now } from '../../clock.ts';" },
    itself: { 'src/store/a.ts': "import './b/c.ts';" },
    'test code': { 'src/fetch/a.test.ts': "import '../../test/support/random.ts';" },
    'the HTTP door for "trawl serve"': { 'src/cli/serve.ts': "await import('../server/service.ts');" },
  };
  for (const [what, sources] of Object.entries(allowed)) {
    test(`let a room import ${what}`, async () => assert.deepEqual(await breachesIn(sources), []));
  }

  const refused = {
    'a higher room': ['src/store/a.ts', "import type { T } from '../jobs/b.ts';"],
    'a higher room, from deep inside': ['src/fetch/deep/a.ts', "export * from '../../server/b.ts';"],
    'a higher room, later': ['src/team/a.ts', "await import('../scrape/b.ts');"],
    'the store from an engine': ['src/content/a.ts', "import '../store/b.ts';"],
    'another door': ['src/cli/a.ts', "import '../server/b.ts';"],
    'a room from the base': ['src/config.ts', "import './store/b.ts';"],
    'a room that is not in the table': ['src/crawl/a.ts', "import '../cellar/b.ts';"],
  } as const;
  for (const [what, [file, source]] of Object.entries(refused)) {
    test(`refuse ${what}`, async () => {
      const [first, ...others] = await breachesIn({ [file]: `// One line before it.\n${source}\n` });
      assert.match(first ?? '', new RegExp(`^${file}:2: `));
      assert.deepEqual(others, []);
    });
  }

  test('refuse rooms that import each other through a third', async () => {
    const sources = {
      'src/crawl/a.ts': "import '../map/a.ts';",
      'src/map/a.ts': "import '../search/a.ts';",
      'src/search/a.ts': "import '../crawl/a.ts';",
    };
    const found = await breachesIn(sources);
    assert.deepEqual(found, ['src/search/a.ts:1: a circle of rooms: crawl/ → map/ → search/ → crawl/']);
  });

  test('hold', () => assert.deepEqual(breaches(ROOT), []));

  test('refuse two files that import each other', async () => {
    const sources = { 'src/fetch/a.ts': "import './b.ts';\n", 'src/fetch/b.ts': "import './a.ts';\n" };
    assert.deepEqual(await lint(sources, 'lint/suspicious/noImportCycles'), ['src/fetch/a.ts:1', 'src/fetch/b.ts:1']);
  });
});

async function breachesIn(sources: Record<string, string>): Promise<string[]> {
  await using folder = await folderOf(sources);
  return breaches(folder.path);
}

describe('the way out', () => {
  const everywhere = (source: string) => ({
    'src/crawl/a.ts': source,
    'src/crawl/a.test.ts': source,
    'src/fetch/a.ts': source,
    'test/a.ts': source,
  });

  test('is imported only by fetch/ and tests', async () => {
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

  test('is not reached through a global', async () => {
    const source = "await fetch('http://127.0.0.1');\nnew WebSocket('ws://127.0.0.1');\n";
    const refused = ['src/crawl/a.ts:1', 'src/crawl/a.ts:2'];
    assert.deepEqual(await lint(everywhere(source), 'lint/style/noRestrictedGlobals'), refused);
  });
});

/** Lints the given sources with the repository's own settings. @returns one `file:line` for each breach of the rule */
async function lint(sources: Record<string, string>, rule: string): Promise<string[]> {
  await using folder = await folderOf(sources);
  await cp(join(ROOT, 'biome.json'), join(folder.path, 'biome.json'));
  await cp(join(ROOT, 'scripts', 'lint'), join(folder.path, 'scripts', 'lint'), { recursive: true });
  const biome = join(ROOT, 'node_modules', '@biomejs', 'biome', 'bin', 'biome');
  const args = [biome, 'lint', '--reporter=github', '--max-diagnostics=none', '--diagnostic-level=error'];
  const { stdout } = spawnSync(process.execPath, args, { cwd: folder.path, encoding: 'utf8' });
  return [...stdout.matchAll(/^::error title=([^,]+),file=([^,]+),line=(\d+)/gm)]
    .filter(([, found]) => found === rule)
    .map(([, , file = '', line]) => `${relative(folder.path, file)}:${line}`)
    .sort();
}

async function folderOf(sources: Record<string, string>) {
  const folder = await temporaryFolder();
  for (const [file, source] of Object.entries(sources)) {
    await mkdir(join(folder.path, dirname(file)), { recursive: true });
    await writeFile(join(folder.path, file), source);
  }
  return folder;
}
