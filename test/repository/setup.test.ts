import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { constants, copyFile, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { temporaryFolder } from '../support/folder.ts';
import { portOf } from '../support/site.ts';
import { unusedPort } from '../support/unused-port.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const SCRIPTS = join(ROOT, 'scripts');

describe('setting up', () => {
  test('installs what the lockfile says when packages are missing or outdated, and otherwise changes nothing', async () => {
    await using folder = await temporaryFolder();
    const installed = join(folder.path, 'node_modules', '.package-lock.json');
    await writeProject(folder.path, '1.0.0');

    assert.match(setUp(folder.path), /installed in \d+ s/);
    const made = await stat(installed);
    assert.equal(setUp(folder.path), '');
    assert.equal((await stat(installed)).mtimeMs, made.mtimeMs);

    await writeProject(folder.path, '1.0.1');
    assert.match(setUp(folder.path), /installed/);
    assert.match(await readFile(installed, 'utf8'), /"version": "1\.0\.1"/);
  });

  test('does not treat packages for other platforms as missing', async () => {
    await using folder = await temporaryFolder();
    const locked = {
      packages: { 'node_modules/a': { version: '1.0.0' }, 'node_modules/b': { version: '1.0.0', optional: true } },
    };
    await writeJson(join(folder.path, 'package-lock.json'), locked);
    await writeJson(join(folder.path, 'node_modules', '.package-lock.json'), {
      packages: { 'node_modules/a': { version: '1.0.0' } },
    });
    assert.equal(setUp(folder.path), '');
  });

  test('says what to do when the lockfile is gone', async () => {
    await using folder = await temporaryFolder();
    assert.match(setUp(folder.path), /package-lock\.json is missing or damaged\. Check the repository out anew/);
  });
});

describe('an unreachable registry', () => {
  test('fails the first start with one sentence instead of minutes of retries', async () => {
    const sockets = new Set<Socket>();
    const silent = createServer((socket) => sockets.add(socket)).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    try {
      for (const [registry, says] of [
        [`http://127.0.0.1:${await unusedPort()}`, 'cannot be reached (ECONNREFUSED)'],
        [`http://127.0.0.1:${portOf(silent)}`, 'does not answer'],
      ] as const) {
        await using folder = await temporaryFolder();
        await writeJson(join(folder.path, 'package-lock.json'), {
          packages: { 'node_modules/a': { version: '1.0.0' }, 'node_modules/b': { version: '1.0.0', os: ['plan9'] } },
        });
        const startedAt = performance.now();
        const { status, stderr } = await setUpAside(folder.path, { npm_config_registry: registry });
        assert.equal(status, 1);
        const [size, failure, ...rest] = stderr.trim().split('\n');
        assert.match(
          size ?? '',
          /^trawl: installing the 1 packages .* about \d+ MB to download, \d+ MB on the disk\.$/,
        );
        assert.equal(
          failure,
          `the npm registry ${registry} ${says}. Check the network and "npm config get registry", then run the same command again.`,
        );
        assert.deepEqual(rest, []);
        // npm is stopped after 8 s. The rest allows for a busy machine; npm alone would take more than a minute.
        assert.ok(performance.now() - startedAt < 30_000);
      }
    } finally {
      silent.close();
      for (const socket of sockets) socket.destroy();
    }
  });
});

test('the first start says roughly how much disk space it needs', async () => {
  const bytes = await sizeOf(join(ROOT, 'node_modules'));
  const { DISK_MB }: { DISK_MB: number } = await import(pathToFileURL(join(ROOT, 'scripts', 'setup.mjs')).href);
  assert.ok(Math.abs(bytes / 1e6 - DISK_MB) < DISK_MB / 5, `${Math.round(bytes / 1e6)} MB`);
});

describe('becoming Node 24', () => {
  test('passes arguments and the exit code on', () => {
    const { status, stdout } = run('console.log(process.argv.slice(1).join()); process.exit(7)', 'a b', '*', '$HOME');
    assert.deepEqual({ status, stdout }, { status: 7, stdout: 'a b,*,$HOME\n' });
  });

  test('leaves one process, so that every signal reaches Trawl, kill -9 too', async () => {
    const program = 'console.log(process.pid, process.versions.node); setInterval(() => {}, 1000)';
    const child = spawn('sh', [join(ROOT, 'scripts', 'run.sh'), '-e', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = once(child, 'exit');
    const [line] = await once(child.stdout.setEncoding('utf8'), 'data');
    assert.match(line, new RegExp(`^${child.pid} 24\\.`));
    child.kill('SIGKILL');
    assert.deepEqual(await ended, [null, 'SIGKILL']);
  });

  test('uses the Node of the machine when it is new enough, also in an npm script', async () => {
    await using folder = await temporaryFolder();
    const node = join(folder.path, 'node');
    await copyFile(process.execPath, node, constants.COPYFILE_FICLONE);
    const hook = join(folder.path, 'hook.mjs');
    await writeFile(hook, `if (process.argv[1]?.endsWith('main.ts')) console.error(process.execPath);`);
    const npm = spawnSync('npm', ['run', '--silent', 'start', '--', '--help'], {
      cwd: ROOT,
      encoding: 'utf8',
      env: {
        ...withoutNpm(),
        PATH: `${folder.path}:${process.env.PATH}`,
        NODE_OPTIONS: `--import=${pathToFileURL(hook)}`,
      },
    });
    assert.match(npm.stdout, /^Usage: trawl serve/);
    assert.deepEqual(
      npm.stderr.split('\n').filter((line) => line !== ''),
      [node],
    );
  });
});

/** Becomes `node -e PROGRAM ARGS`. */
function run(program: string, ...args: string[]) {
  return spawnSync('sh', [join(ROOT, 'scripts', 'run.sh'), '-e', program, '--', ...args], { encoding: 'utf8' });
}

/** The environment of a shell, because this process may itself be an npm script. */
function withoutNpm() {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('npm_')));
}

/** @returns the output that a person sees */
function setUp(root: string): string {
  const setup = pathToFileURL(join(SCRIPTS, 'setup.mjs'));
  const code = `import('${setup}').then(({ setUp }) => setUp(process.argv[1])).catch((error) => console.error(error.message));`;
  return spawnSync(process.execPath, ['-e', code, root], { encoding: 'utf8' }).stderr;
}

/** The same without blocking, because the registry may run in this process. */
async function setUpAside(root: string, env: Record<string, string>) {
  const setup = pathToFileURL(join(ROOT, 'scripts', 'setup.mjs'));
  const code = `import('${setup}').then(({ setUp }) => setUp(process.argv[1])).catch((error) => { console.error(error.message); process.exitCode = 1; });`;
  const child = spawn(process.execPath, ['-e', code, root], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'inherit', 'pipe'],
  });
  const [stderr, [status]] = await Promise.all([text(child.stderr), once(child, 'close')]);
  return { status, stderr };
}

async function sizeOf(folder: string): Promise<number> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  // The compile cache of the first start is not part of the installation.
  const installed = files.filter((file) => file.isFile() && !file.parentPath.includes(join('node_modules', '.cache')));
  const sizes = await Promise.all(installed.map(async (file) => (await stat(join(file.parentPath, file.name))).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** A project with one dependency that needs no network. */
async function writeProject(root: string, version: string): Promise<void> {
  const project = { name: 'project', version: '1.0.0', dependencies: { dependency: 'file:dependency' } };
  const dependency = { name: 'dependency', version };
  const packages = { '': project, dependency, 'node_modules/dependency': { resolved: 'dependency', link: true } };
  await writeJson(join(root, 'package.json'), project);
  await writeJson(join(root, 'package-lock.json'), { ...project, lockfileVersion: 3, requires: true, packages });
  await writeJson(join(root, 'dependency', 'package.json'), dependency);
}

async function writeJson(file: string, value: unknown): Promise<void> {
  await mkdir(join(file, '..'), { recursive: true });
  await writeFile(file, JSON.stringify(value));
}
