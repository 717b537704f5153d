import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { describeSettings } from '../src/config.ts';
import { runTrawl } from './support/process.ts';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

describe('README.md', () => {
  test('lists every setting with its default and meaning, and no others', () => {
    const [, section = ''] = readme.split(/^## Settings$/m);
    const rows = section.matchAll(/^\| `(\w+)` \| (?:`([^`]*)`)? ?\| (.+) \|$/gm);
    const listed = [...rows].map(([, name, fallback = '', meaning]) => ({ name, fallback, meaning }));
    assert.deepEqual(listed, describeSettings());
  });

  test('names the commands that exist', async () => {
    const { scripts }: { scripts: Record<string, string> } = JSON.parse(
      readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
    );
    for (const [, script] of readme.matchAll(/^ {4}npm (start|test|run \w+)$/gm)) {
      assert.ok((script ?? '').replace('run ', '') in scripts, script);
    }
    const { stdout } = await runTrawl(['--help']);
    for (const [, command] of readme.matchAll(/\btrawl (\w+)\b/g)) {
      if (readme.includes(`npx trawl ${command}`)) assert.match(stdout, new RegExp(`^  ${command}\\b`, 'm'));
    }
  });

  test('links only to files that exist', () => {
    for (const [, target = ''] of readme.matchAll(/\]\((?!https?:)([^)#]+)/g)) {
      readFileSync(new URL(`../${target}`, import.meta.url));
    }
  });
});

test('trawl serve --help prints every setting', async () => {
  const { stdout } = await runTrawl(['serve', '--help']);
  for (const { name, fallback, meaning } of describeSettings()) {
    assert.ok(stdout.includes(name) && stdout.includes(meaning) && stdout.includes(fallback), name);
  }
});
