import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Branding } from '../src/browser/branding/types.ts';
import { DESIGNS } from './support/designs.ts';
import { shared } from './support/shared.ts';
import { html, startSite } from './support/site.ts';
import { startTrawl } from './support/trawl.ts';

const site = await shared(startSite());
const trawl = await shared(startTrawl());

async function brandingOf(url: string): Promise<Branding> {
  const { branding } = await trawl.scrape(url, { formats: ['branding'] });
  assert.ok(branding !== undefined);
  return branding;
}

describe('branding is read from what the page shows', () => {
  for (const [index, { name, head, body, expected }] of DESIGNS.entries()) {
    test(name, async () => {
      const { logo, ...found } = await brandingOf(site.page(`/design/${index}`, html(body, head)));
      const { logo: expectedLogo, fonts, images, ...more } = expected;
      assert.partialDeepStrictEqual(found, more, JSON.stringify(found, null, 2));
      if (expectedLogo === null) assert.equal(logo, null);
      else assert.match(decodeURIComponent(logo ?? ''), expectedLogo);
      const families = found.fonts.map(({ family }) => family);
      for (const font of fonts ?? []) assert.ok(families.includes(font), families.join());
      for (const [kind, path] of Object.entries(images ?? {})) {
        assert.partialDeepStrictEqual(found.images, { [kind]: site.url(path) });
      }
    });
  }
});

test('a page that shows nothing still has branding, with its background', async () => {
  const { colors, logo, colorScheme } = await brandingOf(site.page('/empty', html('')));
  assert.deepEqual(
    { colors, logo, colorScheme },
    { colors: { background: '#FFFFFF' }, logo: null, colorScheme: 'light' },
  );
});

test('the same page gives the same branding', async () => {
  const url = site.url('/design/0');
  assert.deepEqual(await brandingOf(url), await brandingOf(url));
});

test('a page that overrides what it is read by changes nothing', async () => {
  const { head, body } = DESIGNS[0] ?? { head: '', body: '' };
  const hostile = `<script>
    Array.prototype.map = JSON.stringify = window.getComputedStyle = () => { throw new Error('mine') };
    document.querySelectorAll = () => [];
  </script>`;
  const { colors } = await brandingOf(site.page('/hostile', html(body + hostile, head)));
  assert.equal(colors.primary, '#B45309');
});

test('a page of very many elements takes no longer than its first ones', async () => {
  const rows = '<div style="background:#eee;padding:3px">A row with <b>some</b> text</div>'.repeat(30_000);
  const { colors } = await brandingOf(site.page('/many', html(`<h1>Many</h1>${rows}`)));
  assert.equal(colors.background, '#EEEEEE');
});

test('version 1 has no such format', async () => {
  const { status } = await trawl.refusal({ url: site.url('/'), formats: ['branding'] }, { version: 'v1' });
  assert.equal(status, 400);
});
