import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';

interface LockedPackage {
  version?: string;
  integrity?: string;
  resolved?: string;
  hasInstallScript?: boolean;
  optionalDependencies?: Record<string, string>;
}

const file = join(import.meta.dirname, '..', '..', 'package-lock.json');
const { packages }: { packages: Record<string, LockedPackage> } = JSON.parse(await readFile(file, 'utf8'));
const installed = Object.entries(packages).filter(([path]) => path !== '');

describe('the lockfile', () => {
  test('contains the optional packages of every platform, without which npm refuses to install', () => {
    // npm omits them silently when the registry it used does not have them.
    const missing = installed.flatMap(([path, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies).filter(
        (name) => !(`node_modules/${name}` in packages) && !(`${path}/node_modules/${name}` in packages),
      ),
    );
    assert.deepEqual(missing, []);
  });

  test('pins each package by version and content, and leaves the choice of registry to the user', () => {
    const loose = installed.filter(([, { version, integrity, resolved }]) => !version || !integrity || resolved);
    assert.deepEqual(
      loose.map(([path]) => path),
      [],
    );
  });

  test('contains no package with an install script', () => {
    const running = installed.filter(([, { hasInstallScript }]) => hasInstallScript);
    assert.deepEqual(
      running.map(([path]) => path),
      [],
    );
  });
});
