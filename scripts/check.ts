/** `npm run check [-- --fix]`: types, then lint, format and import layers. Runs both even when the first fails. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const fix = process.argv.includes('--fix');

const checks = [
  { name: 'types', command: ['typescript/bin/tsc', '-p', root] },
  {
    name: 'lint, format and import layers',
    command: ['@biomejs/biome/bin/biome', 'check', '--error-on-warnings', ...(fix ? ['--write'] : []), root],
  },
];

for (const { name, command } of checks) {
  const start = performance.now();
  const [tool = '', ...args] = command;
  const { status } = spawnSync(process.execPath, [join(root, 'node_modules', tool), ...args], {
    stdio: 'inherit',
    cwd: root,
  });
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  console.log(`${status === 0 ? 'ok    ' : 'FAILED'} ${name} (${seconds} s)`);
  if (status !== 0) process.exitCode = 1;
}
