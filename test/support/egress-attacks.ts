/** What a hostile page does to reach an address. Each is JavaScript of a page; `at` is the address of the attack. */
export const ATTACKS: Readonly<Record<string, string>> = {
  image: `new Image().src = at;`,
  script: `add('script', { src: at });`,
  'module-script': `add('script', { src: at, type: 'module' });`,
  stylesheet: `add('link', { rel: 'stylesheet', href: at });`,
  'css-url': `add('div', {}).style.background = 'url(' + at + ')';`,
  'css-import': `add('style', { textContent: '@import url(' + at + ');' });`,
  font: `add('style', { textContent: '@font-face { font-family: f; src: url(' + at + ') }' }); add('p', { textContent: 'x' }).style.fontFamily = 'f';`,
  frame: `add('iframe', { src: at });`,
  object: `add('object', { data: at });`,
  embed: `add('embed', { src: at });`,
  'framed-document': `add('iframe', { srcdoc: '<img src="' + at + '">' });`,
  video: `add('video', { src: at, preload: 'auto' });`,
  fetch: `fetch(at, { mode: 'no-cors' }).catch(() => {});`,
  'fetch-post': `fetch(at, { mode: 'no-cors', method: 'POST', body: 'x', keepalive: true }).catch(() => {});`,
  xhr: `{ const request = new XMLHttpRequest(); request.open('GET', at); request.send(); }`,
  preflight: `fetch(at, { headers: { 'x-own': '1' } }).catch(() => {});`,
  'event-source': `new EventSource(at);`,
  websocket: `new WebSocket(at.replace('http', 'ws'));`,
  beacon: `navigator.sendBeacon(at, 'x');`,
  ping: `add('a', { href: '#', ping: at }).click();`,
  prefetch: `add('link', { rel: 'prefetch', href: at });`,
  preload: `add('link', { rel: 'preload', as: 'fetch', href: at });`,
  'module-preload': `add('link', { rel: 'modulepreload', href: at });`,
  form: `{ const name = 'f' + Math.random(); add('iframe', { name }); const form = add('form', { action: at, method: 'post', target: name }); form.submit(); }`,
  popup: `window.open(at);`,
  download: `{ const inner = add('iframe', {}).contentDocument; const link = inner.createElement('a'); inner.body.append(link); link.href = at; link.download = 'file'; link.click(); }`,
  worker: `new Worker(workerOf("fetch('" + at + "', { mode: 'no-cors' })"));`,
  'import-scripts': `new Worker(workerOf("importScripts('" + at + "')"));`,
  'worker-socket': `new Worker(workerOf("new WebSocket('" + at.replace('http', 'ws') + "')"));`,
  'shared-worker': `new SharedWorker('/worker.js?at=' + encodeURIComponent(at));`,
  'service-worker': `navigator.serviceWorker.register('/worker.js?at=' + encodeURIComponent(at), { scope: '/' + Math.random() });`,
};

/** What gives no request even where it is allowed, so that nothing shows it but the address that must not be reached. */
export const SILENT_ATTACKS: Readonly<Record<string, string>> = {
  preconnect: `add('link', { rel: 'preconnect', href: at }); add('link', { rel: 'dns-prefetch', href: at });`,
  secure: `fetch(at.replace('http', 'https'), { mode: 'no-cors' }).catch(() => {}); new WebSocket(at.replace('http', 'wss'));`,
  'web-transport': `if (window.WebTransport) new WebTransport(at.replace('http', 'https')).closed.catch(() => {});`,
  speculation: `add('script', { type: 'speculationrules', textContent: JSON.stringify({ prefetch: [{ urls: [at], eagerness: 'immediate' }], prerender: [{ urls: [at], eagerness: 'immediate' }] }) });`,
  rtc: `{
    const host = new URL(at).host;
    const peer = new RTCPeerConnection({ iceServers: [{ urls: 'stun:' + host }, { urls: ['turn:' + host, 'turn:' + host + '?transport=tcp'], username: 'a', credential: 'b' }] });
    peer.createDataChannel('x');
    peer.createOffer().then((offer) => peer.setLocalDescription(offer));
    rtc = new Promise((resolve) => { peer.onicegatheringstatechange = () => { if (peer.iceGatheringState === 'complete') resolve(); }; setTimeout(resolve, 5000); });
  }`,
};

/** A worker that fetches what its own address names. */
export const WORKER = `fetch(new URL(location.href).searchParams.get('at'), { mode: 'no-cors' }).catch(() => {});`;

/**
 * The script of a page that does all of it to each of the addresses, then waits for `/all-seen`, and says so with an
 * element `#done`.
 */
export function attackScript(addresses: readonly string[], silent: readonly string[]): string {
  const run = (attacks: Readonly<Record<string, string>>, bases: readonly string[]) =>
    Object.entries(attacks)
      .map(
        ([name, code]) =>
          `for (const base of ${JSON.stringify(bases)}) { const at = base + '/${name}'; try { ${code} } catch {} }`,
      )
      .join('\n');
  return `
    let rtc;
    const add = (tag, properties) => document.body.appendChild(Object.assign(document.createElement(tag), properties));
    const workerOf = (code) => URL.createObjectURL(new Blob([code]));
    addEventListener('load', async () => {
      ${run(SILENT_ATTACKS, silent)}
      ${run(ATTACKS, addresses)}
      await rtc;
      await fetch('/all-seen');
      add('p', { id: 'done', textContent: 'everything was tried' });
    });`;
}
