import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join, resolve } from 'node:path';
import { describe, test } from 'node:test';
import { shared } from './support/shared.ts';
import { startSite } from './support/site.ts';
import { startTrawl } from './support/trawl.ts';

/**
 * Pages of MiniWoB++, solved through the actions of scrapes and judged by their own checks. A first scrape reads the task and
 * gives the actions that solve it; a second one takes them, on the same task. The pages are not part of this repository.
 */

const folder = resolve(import.meta.dirname, '../../shared/data/miniwob/html');
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.png': 'image/png',
};

/** For the scripts below: the words of the task in quotes, an element by its text, and a selector of an element. */
const TOOLS = `
  const query = core.getUtterance();
  const quoted = [...query.matchAll(/"([^"]*)"/g)].map(([, text]) => text);
  const all = (selector) => [...document.querySelectorAll(selector)];
  const named = (selector, text) => all(selector).find((one) => one.textContent.trim() === text);
  const at = (element) => {
    if (element.id) return '#' + CSS.escape(element.id);
    if (element === document.body) return 'body';
    const place = [...element.parentElement.children].indexOf(element) + 1;
    return at(element.parentElement) + ' > :nth-child(' + place + ')';
  };
  const click = (element) => ({ type: 'click', selector: typeof element === 'string' ? element : at(element) });
  const write = (text) => ({ type: 'write', text: String(text) });
  const press = (key) => ({ type: 'press', key });
  const wait = (milliseconds) => ({ type: 'wait', milliseconds });
  const field = (selector, text) => [click(selector), write(text)];
  const submit = click('#subbtn');
  const checkLabels = (texts) => texts.map((text) => click(named('label', text).querySelector('input')));
  const listed = query.replace(/^Select (.*) and click Submit\\.$/, '$1').split(', ').filter((one) => one !== 'nothing');
`;

/** Scripts that give the actions which solve the task. */
const SOLUTIONS: Readonly<Record<string, string>> = {
  'click-test': `[submit]`,
  'click-test-2': `[submit]`,
  'click-test-transfer': `[click(named('button', quoted[0] ?? 'ONE') ?? '#subbtn')]`,
  'click-button': `[click(named('#area button', quoted[0]))]`,
  'click-button-sequence': `[click(named('button', 'ONE')), click(named('button', 'TWO'))]`,
  'click-link': `[click(named('.alink', quoted[0]))]`,
  'click-checkboxes': `[...checkLabels(listed), submit]`,
  'click-checkboxes-large': `[...checkLabels(listed), submit]`,
  'click-checkboxes-transfer': `[...checkLabels(listed), submit]`,
  'click-option': `[...checkLabels(listed), submit]`,
  'click-collapsible': `[click('#area h3'), wait(500), submit]`,
  'click-tab': `[click(named('#area a', query.match(/Tab #\\d/)[0]))]`,
  'click-dialog': `[click('button.ui-dialog-titlebar-close')]`,
  'click-dialog-2': `[click(quoted[0] === 'x' ? '.ui-dialog-titlebar-close' : named('.ui-dialog-buttonset button', quoted[0]))]`,
  'click-color': `[click('[data-color="' + query.match(/the (\\w+) /)[1] + '"]')]`,
  'enter-text': `[...field('#tt', quoted[0]), submit]`,
  'enter-text-dynamic': `[...field('#tt', quoted[0]), submit]`,
  'enter-password': `[...field('#password', quoted[0]), press('Tab'), write(quoted[0]), submit]`,
  'enter-date': `[...field('#tt', query.replace(/.*?(\\d+)\\/(\\d+)\\/(\\d+).*/, '$3-$1-$2')), submit]`,
  'focus-text': `[click('#tt')]`,
  'focus-text-2': `[click('#tt' + query.match(/\\d/)[0])]`,
  'login-user': `[...field('#username', quoted[0]), ...field('#password', quoted[1]), submit]`,
  'choose-list': `[click('#options'), write(query.match(/Select (.*) from/)[1]), click(named('button', 'Submit'))]`,
  'read-table': `(() => {
    const key = query.match(/value of (.*) into/)[1];
    const row = all('#tab tr').find((one) => one.cells[0].textContent === key);
    return [...field('#tt', row.cells[1].textContent), submit];
  })()`,
  'simple-arithmetic': `(() => {
    const [, a, sign, b] = document.querySelector('#math-problem').textContent.match(/(\\d+) (.) (\\d+)/);
    return [...field('#math-answer', { '+': +a + +b, '-': a - b, x: a * b }[sign]), submit];
  })()`,
  'text-transform': `[...field('#tt', document.querySelector('#captcha').textContent.replace(/\\s/g, '')), submit]`,
  'use-autocomplete': `(() => {
    const [first, last = ''] = quoted;
    const item = ui_utils.COUNTRIES.find((one) => one.startsWith(first) && one.endsWith(last));
    return [...field('#tags', item), press('Escape'), submit];
  })()`,
  'grid-coordinate': `[click('circle[id="' + query.match(/\\(.*\\)/)[0] + '"]')]`,
  'find-word': `(() => {
    const place = Number(query.match(/(\\d+)/)[1]);
    return [...field('#answer-input', document.querySelector('#area p').textContent.split(/\\s+/)[place - 1].replace(/[.,]/g, '')), submit];
  })()`,
};

describe('MiniWoB++', {
  concurrency: 4,
  skip: existsSync(folder) ? false : 'its pages are not on this machine',
}, async () => {
  if (!existsSync(folder)) return;
  const site = await shared(
    startSite(async (request, response) => {
      const path = join(folder, new URL(request.url ?? '/', 'http://site').pathname);
      const body = await readFile(path).catch(() => undefined);
      response
        .writeHead(body === undefined ? 404 : 200, { 'content-type': TYPES[extname(path)] ?? 'text/plain' })
        .end(body);
    }),
  );
  const trawl = await shared(startTrawl());
  const begin = [
    { type: 'executeJavascript', script: "Math.seedrandom('trawl'); core.EPISODE_MAX_TIME = 60000;" },
    { type: 'click', selector: '#sync-task-cover' },
  ];

  async function solve(page: string, script: string): Promise<unknown> {
    const url = site.url(`/miniwob/${page}.html`);
    const plan = [...begin, { type: 'executeJavascript', script: `${TOOLS}; return ${script}` }];
    const { actions: planned } = await trawl.scrape(url, { actions: plan });
    const steps = planned?.javascriptReturns.at(-1)?.value;
    assert.ok(Array.isArray(steps), JSON.stringify(planned));
    const check = { type: 'executeJavascript', script: 'WOB_RAW_REWARD_GLOBAL' };
    const { actions } = await trawl.scrape(url, { actions: [...begin, ...steps, check] });
    return actions?.javascriptReturns.at(-1)?.value;
  }

  for (const [page, script] of Object.entries(SOLUTIONS)) {
    test(page, async () => {
      assert.equal(await solve(page, script), 1);
    });
  }
});
