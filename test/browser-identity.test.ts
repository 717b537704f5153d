import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { shared } from './support/shared.ts';
import { html, startSite } from './support/site.ts';
import { startTrawl } from './support/trawl.ts';

/** What a page, a frame, a pop-up or a worker sees of the browser. Chromium says all of it only on secure addresses and loopback. */
interface Seen {
  userAgent: string;
  appVersion: string;
  platform: string;
  languages: string[];
  brands: string[];
  versions: string[];
  hintPlatform: string;
  mobile: boolean;
  timeZone: string;
  locale: string;
  cores: number;
  webdriver?: boolean;
}

/** Runs in the page. Each tell is a sentence. */
const DETECTOR = `
  async function seen() {
    const { userAgent, appVersion, platform, languages, webdriver, hardwareConcurrency: cores, userAgentData: data } = navigator;
    const hints = await data.getHighEntropyValues(['fullVersionList']);
    const { timeZone, locale } = Intl.DateTimeFormat().resolvedOptions();
    return {
      userAgent, appVersion, platform, languages: [...languages], webdriver, cores, timeZone, locale,
      brands: data.brands.map(({ brand, version }) => brand + ' ' + version),
      versions: hints.fullVersionList.map(({ brand, version }) => brand + ' ' + version),
      hintPlatform: data.platform, mobile: data.mobile,
    };
  }`;
const WINDOW_TELLS = `
  async function windowTells() {
    const tells = [];
    const tell = (is, what) => { if (is) tells.push(what); };
    tell(navigator.webdriver !== false, 'navigator.webdriver');
    tell(typeof window.chrome !== 'object' || !('loadTimes' in window.chrome), 'no window.chrome');
    tell(!/native code/.test(String(window.chrome?.loadTimes)), 'a made-up window.chrome');
    tell(outerWidth < innerWidth || outerHeight < innerHeight || outerHeight === 0, 'a window smaller than its page');
    tell(screen.width < innerWidth || screen.height < innerHeight, 'a screen smaller than the page');
    tell(screen.colorDepth < 24, 'few colours');
    const { state } = await navigator.permissions.query({ name: 'notifications' });
    tell((state === 'prompt' ? 'default' : state) !== Notification.permission, 'notifications: ' + state + ' and ' + Notification.permission);
    tell(Object.getOwnPropertyNames(window).some((name) => /playwright|puppeteer|selenium|webdriver|cdc_|__pw|phantom|nightmare/i.test(name)), 'a global of a driver');
    tell(Object.getOwnPropertyNames(navigator).length > 0, 'own properties of navigator');
    tell(!/native code/.test(String(navigator.permissions.query)), 'a replaced function');
    let read = false;
    const error = new Error();
    Object.defineProperty(error, 'stack', { get() { read = true; return ''; } });
    console.debug(error);
    tell(read, 'somebody reads the console');
    tell(!document.createElement('canvas').getContext('webgl'), 'no WebGL');
    return tells;
  }`;

const site = await shared(startSite());
const trawl = await shared(startTrawl());
const VIEWPORT = '<meta name="viewport" content="width=device-width">';
const child = html('', `${VIEWPORT}<script>${DETECTOR}${WINDOW_TELLS}</script>`);
site.page('/frame', child);
site.page('/popup', child);
site.page('/worker.js', {
  headers: { 'content-type': 'text/javascript' },
  body: `${DETECTOR}
    if ('onconnect' in self) onconnect = ({ ports: [port] }) => seen().then((all) => port.postMessage(all));
    else if ('clients' in self) onmessage = ({ source }) => seen().then((all) => source.postMessage(all));
    else seen().then((all) => postMessage(all));`,
});
const url = site.page(
  '/',
  html(
    '<p>Detecting</p>',
    `${VIEWPORT}<script>${DETECTOR}${WINDOW_TELLS}
    async function detect() {
      const frame = document.createElement('iframe');
      frame.src = '/frame';
      await new Promise((resolve) => { frame.onload = resolve; document.body.append(frame); });
      const popup = open('/popup');
      await new Promise((resolve) => { popup.addEventListener('load', resolve); });
      const worker = await new Promise((resolve) => { new Worker('/worker.js').onmessage = ({ data }) => resolve(data); });
      const result = {
        seen: { page: await seen(), frame: await frame.contentWindow.seen(), popup: await popup.seen(), worker },
        tells: [...await windowTells(), ...await frame.contentWindow.windowTells(), ...await popup.windowTells()],
        touch: navigator.maxTouchPoints, ratio: devicePixelRatio, width: innerWidth,
        position: (await navigator.permissions.query({ name: 'geolocation' })).state === 'granted'
          ? await new Promise((resolve) => navigator.geolocation.getCurrentPosition(({ coords }) => resolve([coords.latitude, coords.longitude])))
          : null,
      };
      popup.close();
      return JSON.stringify(result);
    }</script>`,
  ),
);

async function detect(options: object = {}) {
  const { actions } = await trawl.scrape(url, {
    ...options,
    maxAge: 0,
    actions: [{ type: 'executeJavascript', script: 'return detect()' }],
  });
  const [answer] = actions?.javascriptReturns ?? [];
  const result: {
    seen: Record<'page' | 'frame' | 'popup' | 'worker', Seen>;
    tells: string[];
    touch: number;
    ratio: number;
    width: number;
    position: number[] | null;
  } = JSON.parse(String(answer?.value));
  const request = site.requests.findLast(({ path }) => path === '/');
  return { ...result, headers: request?.headers ?? {} };
}

/** What contradicts itself, between scopes and within one. */
function contradictions({ seen, headers }: Awaited<ReturnType<typeof detect>>): string[] {
  const { webdriver: _inWindows, ...page } = seen.page;
  const found: string[] = [];
  for (const [scope, { webdriver: _windows, ...all }] of Object.entries(seen)) {
    for (const [name, value] of Object.entries(all)) {
      const same = Object.entries(page).find(([key]) => key === name)?.[1];
      if (JSON.stringify(value) !== JSON.stringify(same)) found.push(`${name} of the ${scope}: ${value}, not ${same}`);
    }
    if (/Headless/.test(JSON.stringify(all))) found.push(`Headless in the ${scope}`);
    if (all.userAgent !== `Mozilla/${all.appVersion}`) found.push(`appVersion of the ${scope}`);
  }
  const major = /Chrome\/(\d+)\.0\.0\.0/.exec(page.userAgent)?.[1];
  if (!page.brands.includes(`Chromium ${major}`)) found.push(`brands ${page.brands} of Chrome ${major}`);
  if (!page.versions.some((version) => version.startsWith(`Google Chrome ${major}.`))) found.push(`${page.versions}`);
  if (headers['user-agent'] !== page.userAgent) found.push('user-agent header');
  for (const brand of page.brands) {
    const [, name, version] = /^(.*) (\d+)$/.exec(brand) ?? [];
    if (!headers['sec-ch-ua']?.includes(`"${name}";v="${version}"`)) found.push(`sec-ch-ua ${headers['sec-ch-ua']}`);
  }
  if (headers['sec-ch-ua-mobile'] !== (page.mobile ? '?1' : '?0')) found.push('sec-ch-ua-mobile');
  if (headers['sec-ch-ua-platform'] !== `"${page.hintPlatform}"`) found.push('sec-ch-ua-platform');
  if (headers['accept-language']?.split(/[,;]/)[0] !== page.languages[0]) found.push('accept-language');
  if (page.locale !== page.languages[0]) found.push(`locale ${page.locale}`);
  return found;
}

describe('the browser', () => {
  test('shows no tell and contradicts itself nowhere: page, frame, pop-up and worker', async () => {
    const result = await detect();
    assert.deepEqual(result.tells, []);
    assert.deepEqual(contradictions(result), []);
    assert.deepEqual(result.seen.page.languages, ['en-US', 'en']);
  });

  test('has the languages, the time zone and the position of a country', async () => {
    const result = await detect({ location: { country: 'DE' } });
    assert.deepEqual(result.tells, []);
    assert.deepEqual(contradictions(result), []);
    const { languages, timeZone } = result.seen.worker;
    assert.deepEqual({ languages, timeZone }, { languages: ['de-DE', 'de'], timeZone: 'Europe/Berlin' });
    assert.equal(result.headers['accept-language'], 'de-DE,de;q=0.9');
    assert.deepEqual(result.position, [52.52, 13.405]);
  });

  test('is a phone when it is to be one', async () => {
    const result = await detect({ mobile: true });
    assert.deepEqual(result.tells, []);
    assert.deepEqual(contradictions(result), []);
    assert.match(result.seen.page.userAgent, /Android.* Mobile /);
    assert.equal(result.seen.page.mobile, true);
    assert.deepEqual([result.touch > 0, result.ratio, result.width], [true, 2.625, 412]);
  });

  test('and plain requests claim the same version', async () => {
    const { seen } = await detect();
    const plain = site.page('/plain', html('<p>Plain</p>'));
    await trawl.scrape(plain, { maxAge: 0 });
    const { headers } = site.requests.findLast(({ path }) => path === '/plain') ?? {};
    const major = /Chrome\/(\d+)/.exec(seen.page.userAgent)?.[1];
    assert.equal(/Chrome\/(\d+)/.exec(headers?.['user-agent'] ?? '')?.[1], major);
  });
});
