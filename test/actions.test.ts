import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { DocumentActions } from '../src/pages/document.ts';
import { shared } from './support/shared.ts';
import { html, type Reply, startSite } from './support/site.ts';
import { startTrawl } from './support/trawl.ts';

/** What actions do on pages of every kind, through the API. */

const site = await shared(startSite());
const other = await shared(startSite());
const trawl = await shared(startTrawl());

/** The document of a scrape with these actions, and the values of its scripts. */
async function run(page: string | Reply, actions: object[], options: object = {}) {
  const url = site.page(`/page-${pages++}`, page);
  const document = await trawl.scrape(url, { formats: ['markdown'], actions, ...options });
  const results: DocumentActions | undefined = document.actions;
  assert.ok(results);
  return { ...document, actions: results, values: results.javascriptReturns.map(({ value }) => value) };
}

/** The refusal of a scrape with these actions. */
async function failure(page: string, actions: object[], options: object = {}) {
  const url = site.page(`/page-${pages++}`, page);
  const { body, status } = await trawl.call<{ code: string; error: string; details: unknown }>('POST', '/v2/scrape', {
    url,
    actions,
    ...options,
  });
  return { status, ...body };
}

let pages = 0;
const js = (script: string) => ({ type: 'executeJavascript', script });
const click = (selector: string, more: object = {}) => ({ type: 'click', selector, ...more });
const write = (text: string) => ({ type: 'write', text });
const press = (key: string) => ({ type: 'press', key });

describe('click', () => {
  test('clicks the first visible element that matches', async () => {
    const page = html(
      `<button hidden>No</button><h1>Waiting</h1><button onclick="document.querySelector('h1').textContent = 'Done'">Yes</button>`,
    );
    const { markdown } = await run(page, [click('button')]);
    assert.match(markdown ?? '', /Done/);
  });

  test('clicks each element that matches, and skips those that vanish meanwhile', async () => {
    const page = html(
      `<p id="log">Log:</p>${[1, 2, 3, 4]
        .map(
          (n) =>
            `<button onclick="log.append(' ${n}'); document.querySelector('#b3')?.remove()" id="b${n}">${n}</button>`,
        )
        .join('')}`,
    );
    const { values } = await run(page, [click('button', { all: true }), js('log.textContent')]);
    assert.deepEqual(values, ['Log: 1 2 4']);
  });

  test('reaches what an overlay covers', async () => {
    const page = html(`<button onclick="this.textContent = 'Done'">Go</button>
      <div style="position:fixed;inset:0;background:#0008">Subscribe!</div>`);
    const { values } = await run(page, [click('button'), js(`document.querySelector('button').textContent`)]);
    assert.deepEqual(values, ['Done']);
  });

  test('reaches into shadow roots', async () => {
    const page = html(`<x-box></x-box><script>
      customElements.define('x-box', class extends HTMLElement {
        connectedCallback() {
          this.attachShadow({ mode: 'open' }).innerHTML = '<button>Go</button>';
          this.shadowRoot.firstChild.onclick = () => { document.title = 'Done'; };
        }
      })</script>`);
    const { values } = await run(page, [click('x-box button'), js('document.title')]);
    assert.deepEqual(values, ['Done']);
  });

  test('reaches into frames of the same and of another origin', async () => {
    const button = html(`<button onclick="parent.postMessage('clicked', '*')">Go</button>`);
    const own = site.page('/frame', button);
    const foreign = other.page('/frame', button).replace('127.0.0.1', 'localhost');
    for (const frame of [own, foreign]) {
      const page = html(`<h1>Frame</h1><iframe src="${frame}"></iframe>
        <script>addEventListener('message', ({ data }) => { document.title = data; })</script>`);
      const { values } = await run(page, [click('button'), { type: 'wait', milliseconds: 50 }, js('document.title')]);
      assert.deepEqual(values, ['clicked'], frame);
    }
  });

  test('waits for the navigation that it causes', async () => {
    const target = site.page('/target', (_request, response) => {
      setTimeout(() => response.writeHead(200, { 'content-type': 'text/html' }).end(html('<h1>Arrived</h1>')), 300);
    });
    const { markdown, metadata } = await run(html(`<a href="/target">On</a>`), [click('a')]);
    assert.match(markdown ?? '', /Arrived/);
    assert.equal(metadata.url, target);
  });

  test('follows a new tab, and comes back when it closes', async () => {
    site.page('/tab', html(`<h1>New tab</h1><button onclick="window.close()">Close</button>`));
    const opening = html(`<h1>First tab</h1><a href="#" onclick="window.open('/tab'); return false">Open</a>`);
    assert.match((await run(opening, [click('a')])).markdown ?? '', /New tab/);
    assert.match((await run(opening, [click('a'), click('button')])).markdown ?? '', /First tab/);
  });

  test('keeps its page when the click starts a download', async () => {
    site.page('/file', {
      headers: { 'content-type': 'application/zip', 'content-disposition': 'attachment; filename="a.zip"' },
      body: 'PK',
    });
    const { markdown } = await run(html(`<h1>Files</h1><a href="/file">Get</a>`), [click('a')]);
    assert.match(markdown ?? '', /Files/);
  });

  test('waits for an element that appears later', async () => {
    const page = html(
      `<script>setTimeout(() => { document.body.innerHTML = '<button onclick="document.title = 1">B</button>' }, 900)</script>`,
    );
    const { values } = await run(page, [click('button'), js('document.title')]);
    assert.deepEqual(values, ['1']);
  });
});

describe('write and press', () => {
  const form = html(`<form action="/welcome" method="get">
    <input name="user"><input name="password" type="password"><textarea></textarea>
    <input type="date"><select><option>Red</option><option>Blue</option></select><button>Sign in</button></form>`);

  test('sign in with a form', async () => {
    site.page('/welcome', html('<h1>Welcome</h1>'));
    const { markdown, metadata } = await run(form, [
      ...[click('[name=user]'), write('mara'), press('Tab'), write('böse 😀'), press('Enter')],
    ]);
    assert.match(markdown ?? '', /Welcome/);
    assert.deepEqual(Object.fromEntries(new URL(metadata.url).searchParams), { user: 'mara', password: 'böse 😀' });
  });

  test('write dates, choices of lists and long texts', async () => {
    const long = 'word '.repeat(2_000);
    const { values } = await run(form, [
      ...[click('[type=date]'), write('2026-12-31')],
      ...[js(`document.querySelector('select').focus()`), write('Blue')],
      ...[click('textarea'), write(long)],
      js(`['[type=date]', 'select', 'textarea'].map((one) => document.querySelector(one).value)`),
    ]);
    assert.deepEqual(values[1], ['2026-12-31', 'Blue', long]);
  });

  test('write into shadow roots and frames', async () => {
    const inner = `<p id="out"></p><input oninput="parent.document.title = this.value">`;
    const page = html(`<iframe srcdoc='${inner}'></iframe>`);
    const { values } = await run(page, [click('input'), write('inside'), js('document.title')]);
    assert.deepEqual(values, ['inside']);
  });

  test('press keys together', async () => {
    const page = html(`<input value="old">`);
    const { values } = await run(page, [
      ...[click('input'), press('ctrl+a'), press('x'), press('é'), press('Backspace'), press('+')],
      js(`document.querySelector('input').value`),
    ]);
    assert.deepEqual(values, ['x+']);
  });

  for (const [name, body, actions, says] of [
    ['nothing has the focus', '<input>', [write('x')], /Action 0 \("write"\) failed: nothing has the focus.*"click"/],
    ['the focus is on a button', '<button>B</button>', [click('button'), write('x')], /<button>, which takes no text/],
    [
      'a list lacks the option',
      '<select autofocus><option>Red</option></select>',
      [js(`document.querySelector('select').focus()`), write('Green')],
      /no option "Green". It has "Red"/,
    ],
    ['a date is malformed', '<input type="date">', [click('input'), write('tomorrow')], /2026-12-31/],
  ] as const) {
    test(`fail if ${name}`, async () => {
      const { status, code, error } = await failure(html(body), [...actions]);
      assert.deepEqual([status, code], [400, 'SCRAPE_ACTION_ERROR']);
      assert.match(error, says);
    });
  }
});

describe('wait', () => {
  test('for an element that appears', async () => {
    const page = html(
      `<script>setTimeout(() => document.body.append(Object.assign(document.createElement('h1'), { textContent: 'Late' })), 1500)</script>`,
    );
    const { markdown } = await run(page, [{ type: 'wait', selector: 'h1' }]);
    assert.match(markdown ?? '', /Late/);
  });

  test('fails within the time of the request, and says for what it waited', async () => {
    const { status, code, error, details } = await failure(
      html('<p>x</p>'),
      [{ type: 'scrape' }, { type: 'wait', selector: '#no' }],
      {
        timeout: 5_000,
      },
    );
    assert.deepEqual([status, code], [400, 'SCRAPE_ACTION_ERROR']);
    assert.match(error, /^Action 1 \("wait"\) failed: no element matches "#no" within [\d.]+ s/);
    assert.partialDeepStrictEqual(details, { index: 1, type: 'wait' });
  });
});

describe('scroll', () => {
  const tall = '<div style="height:5000px">tall</div>';

  test('scrolls the page up and down', async () => {
    const { values } = await run(html(tall), [
      ...[{ type: 'scroll' }, js('scrollY === innerHeight')],
      ...[{ type: 'scroll', direction: 'up' }, js('scrollY')],
    ]);
    assert.deepEqual(values, [true, 0]);
  });

  test('scrolls a box, and shows an element that does not scroll', async () => {
    const page = html(`<div id="box" style="height:200px;overflow:auto">${tall}<p id="end">end</p></div>`);
    const { values } = await run(page, [
      ...[{ type: 'scroll', selector: '#box' }, js('box.scrollTop')],
      ...[{ type: 'scroll', selector: '#end' }, js('box.scrollTop > 4000')],
    ]);
    assert.deepEqual(values, [200, true]);
  });

  test('scrolls the box that holds the content of an application', async () => {
    const page = html(
      `<div style="height:100vh;overflow:auto" id="app">${tall}</div>`,
      '<style>body{margin:0}</style>',
    );
    const { values } = await run(page, [{ type: 'scroll' }, js('app.scrollTop > 0')]);
    assert.deepEqual(values, [true]);
  });

  test('loads more of an endless list', async () => {
    const page = html(`<ul></ul><p id="end" style="margin:0">…</p><script>
      let n = 0;
      function more() { for (let i = 0; i < 50; i++) document.querySelector('ul').insertAdjacentHTML('beforeend', '<li>Item ' + ++n + '</li>'); }
      more();
      new IntersectionObserver(([{ isIntersecting }]) => { if (isIntersecting && n < 1000) more(); }).observe(end);
    </script>`);
    const scrolls = Array.from({ length: 8 }, () => [{ type: 'scroll' }, js('n')]).flat();
    const { values } = await run(page, scrolls);
    assert.ok(Number(values.at(-1)) > Number(values[0]) || values.at(-1) === 1000, String(values));
  });
});

describe('executeJavascript', () => {
  for (const [name, script, type, value] of [
    ['an expression', '1 + 1', 'number', 2],
    ['an expression with a semicolon', 'document.title;', 'string', 'A page'],
    ['an object', '{ a: [1, null] }', 'object', { a: [1, null] }],
    ['statements', 'const a = 2; a * 3', 'number', 6],
    ['statements with "return"', 'const a = 2; return a * 4', 'number', 8],
    ['statements with "await"', 'const a = await Promise.resolve(5); return a', 'number', 5],
    ['a promise', 'new Promise((resolve) => setTimeout(resolve, 5, "late"))', 'string', 'late'],
    ['a comment at the end', '7 // seven', 'number', 7],
    ['nothing', 'undefined', 'undefined', null],
    ['null', 'null', 'null', null],
    ['a function', '() => 1', 'function', null],
    ['a large number', '2n ** 70n', 'bigint', '1180591620717411303424'],
  ] as const) {
    test(`gives the value of ${name}`, async () => {
      const { actions } = await run(html(''), [js(script)]);
      assert.deepEqual(actions.javascriptReturns, [{ type, value }]);
    });
  }

  test('works under a strict policy of the page', async () => {
    const headers = { 'content-security-policy': "default-src 'none'; require-trusted-types-for 'script'" };
    const { values } = await run({ headers, body: html('') }, [js('1 + 1'), js('const a = 2; a'), js('return 3')]);
    assert.deepEqual(values, [2, 2, 3]);
  });

  test('waits for the navigation that it causes', async () => {
    site.page('/by-script', html('<h1>By script</h1>'));
    const { markdown } = await run(html('<h1>Before</h1>'), [js(`location.href = '/by-script'`)]);
    assert.match(markdown ?? '', /By script/);
  });

  for (const [name, script, says] of [
    ['throws', 'throw new TypeError("no lamp")', /Action 0 \("executeJavascript"\) failed: .*TypeError: no lamp/],
    ['rejects', 'Promise.reject(new Error("too late"))', /too late/],
    ['is not valid', 'let let = 1', /SyntaxError/],
    ['gives too much', '"x".repeat(2e6)', /2000002 characters; at most 1000000/],
    ['gives what is no JSON', 'const a = {}; a.a = a; a', /cannot be written as JSON/],
  ] as const) {
    test(`fails if the script ${name}`, async () => {
      const { status, code, error } = await failure(html(''), [js(script)]);
      assert.deepEqual([status, code], [400, 'SCRAPE_ACTION_ERROR']);
      assert.match(error, says);
    });
  }
});

describe('dialogs', () => {
  test('are answered', async () => {
    const page =
      html(`<button onclick="alert(1); out.textContent = confirm('?') + prompt('?', 'mine')">Ask</button><p id="out"></p>
      <script>alert('hello'); addEventListener('beforeunload', (event) => event.preventDefault())</script>`);
    const { values } = await run(page, [click('button'), js('out.textContent')]);
    assert.deepEqual(values, ['truemine']);
  });

  test('without end are an error, before the time is up', async () => {
    const page = html(`<button onclick="for (;;) alert('again')">Ask</button>`);
    const { status, code, error } = await failure(page, [click('button')]);
    assert.deepEqual([status, code], [500, 'SCRAPE_BAD_RESPONSE']);
    assert.match(error, /more than 50 dialogs/);
  });

  test('do not keep a page from being left', async () => {
    site.page('/left', html('<h1>Left</h1>'));
    const page = html(
      `<a href="/left">Go</a><script>addEventListener('beforeunload', (event) => event.preventDefault())</script>`,
    );
    assert.match((await run(page, [click('a')])).markdown ?? '', /Left/);
  });
});

test('the action scrape gives the page as it is at that moment', async () => {
  const { actions } = await run(html(`<button onclick="this.textContent = 'second'">first</button>`), [
    ...[{ type: 'scrape' }, click('button'), { type: 'scrape' }],
  ]);
  assert.match(actions.scrapes[0]?.html ?? '', />first</);
  assert.match(actions.scrapes[1]?.html ?? '', />second</);
});

test('an action that fails says which one, why and what to check', async () => {
  const { status, code, error, details } = await failure(html('<button hidden>x</button>'), [
    ...[{ type: 'scrape' }, click('button')],
  ]);
  assert.deepEqual([status, code], [400, 'SCRAPE_ACTION_ERROR']);
  assert.match(error, /^Action 1 \("click"\) failed: "button" matches, but nothing that is visible within/);
  assert.partialDeepStrictEqual(details, { index: 1, type: 'click' });
});

test('an action with a selector that is not valid says so', async () => {
  const { error } = await failure(html(''), [click('div[[')]);
  assert.match(error, /the selector is not valid CSS/);
});
