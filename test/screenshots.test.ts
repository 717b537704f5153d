import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { shared } from './support/shared.ts';
import { html, startSite } from './support/site.ts';
import { startTrawl } from './support/trawl.ts';

const site = await shared(startSite());
const trawl = await shared(startTrawl());

const tall = site.page(
  '/tall',
  html(`<style>body{margin:0}header{position:sticky;top:0;height:100px;background:#f00}</style>
    <header></header><div style="height:3000px;background:#00f"></div><p id="note" style="width:120px;height:40px;margin:0">note</p>`),
);

/** The file behind an address, as anybody gets it who has the address. */
async function download(address: string | undefined) {
  const response = await fetch(address ?? '');
  assert.equal(response.status, 200);
  return { headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) };
}

/** Width and height of a PNG. */
function sizeOf(png: Buffer): [number, number] {
  assert.equal(png.toString('latin1', 1, 4), 'PNG');
  return [png.readUInt32BE(16), png.readUInt32BE(20)];
}

async function screenshot(format: object | string, options: object = {}) {
  const { screenshot: address, ...document } = await trawl.scrape(tall, { formats: [format], ...options });
  return { document, ...(await download(address)) };
}

describe('the format screenshot', () => {
  test('shows the window, at an address that needs no key and lasts as long as the result', async () => {
    const { headers, bytes, document } = await screenshot('screenshot');
    const [width, height] = sizeOf(bytes);
    assert.ok(width >= 1_000 && height < 2_000, `${width} × ${height}`);
    assert.equal(headers.get('content-type'), 'image/png');
    assert.match(headers.get('content-disposition') ?? '', /^inline/);
    assert.match(headers.get('content-security-policy') ?? '', /sandbox/);
    assert.match(headers.get('cache-control') ?? '', /^private, max-age=86\d{3}/);
    assert.equal(document.metadata.creditsUsed, 1);
  });

  test('shows the whole page, with a header that sticks only once', async () => {
    for (const format of ['screenshot@fullPage', { type: 'screenshot', fullPage: true }]) {
      assert.equal(sizeOf((await screenshot(format)).bytes)[1], 3_140);
    }
  });

  test('has the size of the viewport', async () => {
    const { bytes } = await screenshot({ type: 'screenshot', viewport: { width: 500, height: 300 } });
    assert.deepEqual(sizeOf(bytes), [500, 300]);
  });

  test('is a JPEG with "quality"', async () => {
    const { headers, bytes } = await screenshot({ type: 'screenshot', quality: 50 });
    assert.equal(headers.get('content-type'), 'image/jpeg');
    assert.equal(bytes.toString('hex', 0, 2), 'ffd8');
  });

  test('shows one element', async () => {
    const { bytes } = await screenshot({ type: 'screenshot', selector: '#note' });
    assert.deepEqual(sizeOf(bytes), [120, 40]);
  });

  test('says which element is missing', async () => {
    const formats = [{ type: 'screenshot', selector: '#none' }];
    const { status, code, error } = await trawl.refusal({ url: tall, formats });
    assert.deepEqual([status, code], [400, 'SCRAPE_ACTION_ERROR']);
    assert.match(error, /^The screenshot failed: no element matches "#none" within/);
  });

  test('is cut at 16,384 pixels, with a warning', async () => {
    const url = site.page('/endless', html('<div style="height:40000px">endless</div>'));
    const { screenshot: address, warning } = await trawl.scrape(url, { formats: ['screenshot@fullPage'] });
    assert.equal(sizeOf((await download(address)).bytes)[1], 16_384);
    assert.match(warning ?? '', /upper 16384 of 400\d\d pixels/);
  });

  test('is made anew each time, because an older one would expire first', async () => {
    const [first, second] = [
      await trawl.scrape(tall, { formats: ['screenshot'] }),
      await trawl.scrape(tall, { formats: ['screenshot'] }),
    ];
    assert.notEqual(first.screenshot, second.screenshot);
    assert.equal(second.metadata.cacheState, 'miss');
  });
});

test('the actions screenshot and pdf give their files in order', async () => {
  const actions = [
    { type: 'screenshot', viewport: { width: 400, height: 200 } },
    { type: 'pdf', format: 'A6', landscape: true, scale: 0.5 },
    { type: 'screenshot', fullPage: true },
  ];
  const { actions: made } = await trawl.scrape(tall, { actions });
  assert.equal(made?.screenshots.length, 2);
  assert.deepEqual(sizeOf((await download(made?.screenshots[0])).bytes), [400, 200]);
  assert.equal(sizeOf((await download(made?.screenshots[1])).bytes)[1], 3_140);
  const { headers, bytes } = await download(made?.pdfs[0]);
  assert.equal(headers.get('content-type'), 'application/pdf');
  assert.equal(bytes.toString('latin1', 0, 5), '%PDF-');
});

describe('what is refused before any work', () => {
  const pdf = { type: 'pdf' };
  const wait = { type: 'wait', milliseconds: 40_000 };
  for (const [body, path, says] of [
    [{ formats: ['screenshot'], zeroDataRetention: true }, 'formats.0', /"zeroDataRetention" keeps no files/],
    [{ actions: [{ type: 'scrape' }, pdf], zeroDataRetention: true }, 'actions.1', /a pdf could not be downloaded/],
    [{ waitFor: 70_000 }, 'waitFor', /add up to 70000 ms. At most [36]0000 ms/],
    [{ waitFor: 6_000, timeout: 5_000 }, 'waitFor', /At most 5000 ms are possible, the "timeout"/],
    [{ actions: [wait, wait] }, 'actions', /add up to 80000 ms/],
    [{ formats: ['screenshot'], actions: Array(50).fill(pdf) }, 'actions', /51 files together/],
    [{ actions: Array(51).fill({ type: 'scrape' }) }, 'actions', /at most 50/],
    [
      { actions: [{ type: 'hover' }] },
      'actions.0.type',
      /"hover" is not an action. Actions are: wait, screenshot, click/,
    ],
    [{ actions: ['click'] }, 'actions.0', /An action is an object with a "type"/],
    [{ actions: [{ type: 'click', selector: 'a', text: 'x' }] }, 'actions.0', /text/],
    [{ actions: [{ type: 'click' }] }, 'actions.0.selector', /./],
    [{ actions: [{ type: 'wait' }] }, 'actions.0', /either "milliseconds" or "selector"/],
    [{ actions: [{ type: 'press', key: 'Entr' }] }, 'actions.0.key', /"Entr" is not a key. .*Enter, Tab, Escape/],
    [{ actions: [{ type: 'pdf', format: 'B5' }] }, 'actions.0.format', /A4/],
    [{ actions: [{ type: 'scroll', direction: 'left' }] }, 'actions.0.direction', /up/],
    [{ actions: [{ type: 'screenshot', quality: 0 }] }, 'actions.0.quality', /1/],
    [{ actions: [{ type: 'executeJavascript' }] }, 'actions.0.script', /./],
  ] as const) {
    for (const version of ['v1', 'v2']) {
      test(`${JSON.stringify(body).slice(0, 80)} in ${version}`, async () => {
        const url = site.url('/never');
        for (const [path_, request, at] of [
          [`/${version}/scrape`, { url, ...body }, ''],
          [`/${version}/batch/scrape`, { urls: [url], ...body }, ''],
          [`/${version}/crawl`, crawlOf(url, body), 'scrapeOptions.'],
        ] as const) {
          const { status, body: answer } = await trawl.post(path_, request);
          assert.equal(status, 400, path_);
          const found = answer.details?.find((detail) => detail.path.join('.') === at + path);
          assert.match(found?.message ?? JSON.stringify(answer), says);
          assert.ok(found, JSON.stringify(answer));
        }
      });
    }
  }

  test('and nothing of it is fetched', () => {
    assert.ok(!site.requests.some(({ path }) => path === '/never'));
  });
});

interface Options {
  zeroDataRetention?: boolean;
  [name: string]: unknown;
}

function crawlOf(url: string, { zeroDataRetention, ...scrapeOptions }: Options) {
  return { url, ...(zeroDataRetention && { zeroDataRetention }), scrapeOptions };
}
