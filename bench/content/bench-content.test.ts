import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { temporaryFolder } from '../../test/support/folder.ts';
import { benchContent } from './bench-content.ts';
import { summarize } from './summary.ts';

const TEXT =
  'The harbour was quiet this morning, and the boats lay still, one beside the other, as far as one could see.';

test('measures an engine over a folder of labelled pages', async () => {
  await using temporary = await temporaryFolder();
  const folder = temporary.path;
  await mkdir(join(folder, 'html'));
  await mkdir(join(folder, 'ground-truth'));
  const html = `<nav><a href="/">Home</a></nav><main><h1>Boats</h1><p>${TEXT}</p><p>${TEXT}</p></main>`;
  const label = {
    url: 'https://harbour.example/',
    ground_truth: { main_content: `Boats ${TEXT} ${TEXT}`, with: ['boats lay still'], without: ['Home'] },
    _internal: { page_type: { primary: 'article' } },
  };
  await writeFile(join(folder, 'html', '0001.html.gz'), gzipSync(html));
  await writeFile(join(folder, 'ground-truth', '0001.json'), JSON.stringify(label));

  const summary = (await benchContent({ pages: folder, only: ['trawl'], quick: false })).get('trawl');

  assert.ok(summary);
  const { f1, f1ByType, withKept, withoutLeftOut, failed, peakMemory } = summary;
  assert.deepEqual(
    { f1, f1ByType, withKept, withoutLeftOut, failed },
    {
      f1: 1,
      f1ByType: { article: 1 },
      withKept: 1,
      withoutLeftOut: 1,
      failed: 0,
    },
  );
  assert.ok(peakMemory > 1);
});

test('counts a page that crashed the process as empty', () => {
  const page = { url: '', content: 'one two', with: ['one'], without: ['three'] };
  const pages = [
    { ...page, id: 'good', type: 'article' },
    { ...page, id: 'bad', type: 'forum' },
  ];
  const done = new Map([['good', { id: 'good', markdown: 'one two', bytes: 1000, wall: 2, cpu: 1, memory: 100 }]]);
  const { f1, f1ByType, withKept, withoutLeftOut, mbPerCpuSecond, failed } = summarize(pages, {
    done,
    failed: new Map([['bad', 'took more than 10 s']]),
  });
  assert.deepEqual(
    { f1, f1ByType, withKept, withoutLeftOut, mbPerCpuSecond, failed },
    {
      f1: 0.5,
      f1ByType: { article: 1, forum: 0 },
      withKept: 0.5,
      withoutLeftOut: 1,
      mbPerCpuSecond: 1,
      failed: 1,
    },
  );
});
