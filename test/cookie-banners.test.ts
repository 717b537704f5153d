import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { articlePage, BANNERS_WITHOUT_CHOICE, CONSENT_BANNERS, UNTOUCHED } from './support/consent-banners.ts';
import { shared } from './support/shared.ts';
import { html, startSite } from './support/site.ts';
import { startTrawl } from './support/trawl.ts';

const site = await shared(startSite());
const trawl = await shared(startTrawl());

const CHOICE = { type: 'attributes', selectors: [{ selector: 'html', attribute: 'data-choice' }] };
/** The document of a page as the browser leaves it, with everything on it. */
const WHOLE = { formats: ['markdown', CHOICE, 'screenshot'], onlyMainContent: false, maxAge: 0 };

async function look(url: string, options: object = {}) {
  const { markdown = '', attributes, screenshot = '' } = await trawl.scrape(url, { ...WHOLE, ...options });
  const picture = Buffer.from(await (await fetch(screenshot)).arrayBuffer());
  return { markdown, choice: attributes?.[0]?.values[0], picture };
}

const plain = await look(site.page('/plain', articlePage()));

describe('a cookie banner is declined before the page is taken', () => {
  for (const [index, { platform, banner, pages = {} }] of CONSENT_BANNERS.entries()) {
    test(platform, async () => {
      for (const [path, page] of Object.entries(pages)) site.page(path, page);
      const { markdown, choice, picture } = await look(site.page(`/banner/${index}`, articlePage(banner)));
      assert.equal(choice, 'rejected');
      assert.equal(markdown, plain.markdown);
      assert.ok(picture.equals(plain.picture), 'the picture differs from the one without a banner');
    });
  }
});

describe('a cookie banner that cannot be declined is hidden, and never accepted', () => {
  for (const [index, { platform, banner }] of BANNERS_WITHOUT_CHOICE.entries()) {
    test(platform, async () => {
      const { markdown, choice, picture } = await look(site.page(`/forced/${index}`, articlePage(banner)));
      assert.equal(choice, undefined);
      assert.equal(markdown, plain.markdown);
      assert.ok(picture.equals(plain.picture), 'the picture differs from the one without a banner');
    });
  }
});

describe('a page that only mentions cookies stays untouched', () => {
  const note = `<script>addEventListener('click', () => { document.documentElement.dataset.choice = 'clicked' })</script>`;
  for (const [index, [name, body]] of UNTOUCHED.entries()) {
    test(name, async () => {
      const url = site.page(`/untouched/${index}`, html(body + note));
      const found = await look(url);
      const left = await look(url, { blockAds: false });
      assert.equal(found.choice, undefined);
      assert.ok(found.picture.equals(left.picture), 'something was hidden');
    });
  }
});

test('"blockAds": false leaves the banner alone', async () => {
  const { markdown, choice, picture } = await look(site.url('/banner/0'), { blockAds: false });
  assert.equal(choice, undefined);
  assert.match(markdown, /BANNERTEXT/);
  assert.ok(!picture.equals(plain.picture));
});

test('a banner whose answer loads the page again is gone afterwards', async () => {
  const banner = `<div id="onetrust-banner-sdk" style="position:fixed;bottom:0">Cookies BANNERTEXT
    <button id="onetrust-reject-all-handler" onclick="document.cookie = 'choice=rejected'; location.reload()">Reject all</button></div>
    <script>if (document.cookie.includes('rejected')) { document.getElementById('onetrust-banner-sdk').remove(); document.documentElement.dataset.choice = 'rejected' }</script>`;
  const { markdown, choice } = await look(site.page('/reload', articlePage(banner)));
  assert.deepEqual({ markdown, choice }, { markdown: plain.markdown, choice: 'rejected' });
});
