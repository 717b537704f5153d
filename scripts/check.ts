/** `npm run check [-- --fix]`: types, lint and format, import layers. Runs all of them even when one fails. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const fix = process.argv.includes('--fix');

const checks = [
  { name: 'types', command: ['node_modules/typescript/bin/tsc', '-p', root] },
  {
    name: 'lint and format',
    command: [
      'node_modules/@biomejs/biome/bin/biome',
      'check',
      '--error-on-warnings',
      ...(fix ? ['--write'] : []),
      root,
    ],
  },
  { name: 'import layers', command: ['scripts/lint/layers.ts'] },
];

for (const { name, command } of checks) {
  const start = performance.now();
  const [tool = '', ...args] = command;
  const { status } = spawnSync(process.execPath, [join(root, tool), ...args], {
    stdio: 'inherit',
    cwd: root,
  });
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  console.log(`${status === 0 ? 'ok    ' : 'FAILED'} ${name} (${seconds} s)`);
  if (status !== 0) process.exitCode = 1;
}
