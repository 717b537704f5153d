import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { temporaryFolder } from '../support/folder.ts';

const SCRIPTS = join(import.meta.dirname, '..', '..', 'scripts');

describe('setting up', () => {
  test('installs what the lockfile says when it is missing or outdated, and else leaves everything alone', async () => {
    await using folder = await temporaryFolder();
    const installed = join(folder.path, 'node_modules', '.package-lock.json');
    await writeProject(folder.path, '1.0.0');

    assert.match(setUp(folder.path), /installing .* installed in \d+ s/s);
    const made = await stat(installed);
    assert.equal(setUp(folder.path), '');
    assert.equal((await stat(installed)).mtimeMs, made.mtimeMs);

    await writeProject(folder.path, '1.0.1');
    assert.match(setUp(folder.path), /installing/);
    assert.match(await readFile(installed, 'utf8'), /"version": "1\.0\.1"/);
  });

  test('does not take packages for other platforms for missing ones', async () => {
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

describe('becoming Node 24', () => {
  const ways = [
    { way: 'in place', before: '' },
    // Node 20 cannot replace itself.
    { way: 'as a child', before: 'process.execve = undefined;' },
  ];
  for (const { way, before } of ways) {
    test(`passes arguments and exit code on (${way})`, () => {
      const { status, stdout } = spawnSync(...become(before, 'console.log(process.argv[1]); process.exit(7)', 'a b'), {
        encoding: 'utf8',
      });
      assert.deepEqual({ status, stdout }, { status: 7, stdout: 'a b\n' });
    });

    test(`passes a signal on, and waits for the end (${way})`, async () => {
      const program =
        "process.on('SIGTERM', () => { console.log('ending'); process.exit(3); }); setInterval(() => {}, 1000); console.log('ready')";
      const child = spawn(...become(before, program), { stdio: ['ignore', 'pipe', 'inherit'] });
      const closed = once(child, 'close');
      let output = '';
      for await (const text of child.stdout.setEncoding('utf8')) {
        if (output === '') child.kill('SIGTERM');
        output += text;
      }
      assert.deepEqual(await closed, [3, null]);
      assert.equal(output, 'ready\nending\n');
    });

    test(`ends by the signal that ended it (${way})`, () => {
      const { signal } = spawnSync(
        ...become(before, "process.kill(process.pid, 'SIGKILL'); setInterval(() => {}, 1000)"),
      );
      assert.equal(signal, 'SIGKILL');
    });
  }
});

/** A command that becomes `node -e PROGRAM ARGS`. */
function become(before: string, program: string, ...args: string[]): [string, string[]] {
  const launcher = pathToFileURL(join(SCRIPTS, 'node24.mjs'));
  const code = `${before} import('${launcher}').then(({ becomeNode24 }) => becomeNode24('.', process.argv.slice(1)));`;
  return [process.execPath, ['-e', code, '--', '-e', program, ...args]];
}

/** @returns what a person sees */
function setUp(root: string): string {
  const setup = pathToFileURL(join(SCRIPTS, 'setup.mjs'));
  const code = `import('${setup}').then(({ setUp }) => setUp(process.argv[1])).catch((error) => console.error(error.message));`;
  return spawnSync(process.execPath, ['-e', code, root], { encoding: 'utf8' }).stderr;
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
