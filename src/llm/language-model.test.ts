import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { describe, test } from 'node:test';
import { z } from 'zod';
import { answers, type ChatAnswer, startChatModel, withoutFormat } from '../../test/support/chat-model.ts';
import { portOf, startSite } from '../../test/support/site.ts';
import { createLanguageModel, type Question } from './language-model.ts';

const schema = z.object({ limit: z.int().min(1).exactOptional(), paths: z.array(z.string()).exactOptional() });
const GOOD = '{"limit": 5, "paths": ["/blog"]}';

function question(more: Partial<Question<z.infer<typeof schema>>> = {}) {
  const { signal } = new AbortController();
  return { schema, instructions: 'Read this.', text: 'five of the blog', timeout: 30_000, signal, ...more };
}

/** Asks a model that gives these answers. */
async function ask(said: ChatAnswer | ChatAnswer[], more = {}) {
  await using server = await startChatModel(...[said].flat());
  return await askAt(server.baseUrl, more);
}

async function askAt(baseUrl: string, more = {}) {
  const model = createLanguageModel({ baseUrl, apiKey: 'secret', model: 'small' });
  try {
    return await model.answer(question(more));
  } finally {
    await model.close();
  }
}

describe('a language model', () => {
  test('gets the instructions, the input and the schema', async () => {
    await using server = await startChatModel(GOOD);
    assert.deepEqual(await askAt(server.baseUrl), { limit: 5, paths: ['/blog'] });
    const [request] = server.asked;
    assert.equal(request?.model, 'small');
    assert.deepEqual(
      request?.messages.map(({ role }) => role),
      ['system', 'user'],
    );
    assert.match(request?.messages[0]?.content ?? '', /^Read this\..*"limit"/s);
    assert.equal(request?.messages[1]?.content, 'five of the blog');
    assert.equal(request?.response_format?.type, 'json_schema');
    assert.deepEqual(Object.keys(request?.response_format?.json_schema?.schema.properties ?? {}), ['limit', 'paths']);
    assert.equal(server.site.requests[0]?.headers.authorization, 'Bearer secret');
  });

  for (const [what, said] of [
    ['bare', GOOD],
    ['in a fence', `Here you are:\n\`\`\`json\n${GOOD}\n\`\`\`\nAnything else?`],
    ['amid other words', `The options are ${GOOD}, I think.`],
    ['after its thoughts', `<think>A set such as {a, b}?</think>\n${GOOD}`],
    ['with null for omitted fields, and with unknown fields', '{"limit": 5, "paths": ["/blog"], "x": 1, "y": null}'],
  ] as const) {
    test(`is understood when its answer comes ${what}`, async () => {
      assert.deepEqual(await ask(said), { limit: 5, paths: ['/blog'] });
    });
  }

  test('is asked again once, with the problem', async () => {
    await using server = await startChatModel('{"limit": "many"}', GOOD);
    assert.deepEqual(await askAt(server.baseUrl), { limit: 5, paths: ['/blog'] });
    const [, again] = server.asked;
    assert.deepEqual(
      again?.messages.slice(2).map(({ role }) => role),
      ['assistant', 'user'],
    );
    assert.equal(again?.messages[2]?.content, '{"limit": "many"}');
    assert.match(again?.messages[3]?.content ?? '', /expected number.*limit/s);
  });

  test('is asked without a response format after its server has refused one', async () => {
    await using server = await startChatModel();
    server.answers.push(withoutFormat(server, GOOD));
    const model = createLanguageModel({ baseUrl: server.baseUrl, apiKey: undefined, model: 'small' });
    try {
      assert.deepEqual(await model.answer(question()), { limit: 5, paths: ['/blog'] });
      assert.deepEqual(await model.answer(question()), { limit: 5, paths: ['/blog'] });
    } finally {
      await model.close();
    }
    assert.deepEqual(
      server.asked.map(({ response_format }) => response_format?.type),
      ['json_schema', undefined, undefined],
    );
    assert.equal(server.site.requests[0]?.headers.authorization, undefined);
  });
});

const breakOff: ChatAnswer = (_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': 100 });
  response.write('{"choices": [', () => response.destroy());
};

describe('a language model that fails', () => {
  const failures: readonly (readonly [what: string, said: ChatAnswer | ChatAnswer[], code: string, message: RegExp])[] =
    [
      ['talks nonsense twice', ['Sure!', 'As I said.'], 'LLM_BAD_ANSWER', /no JSON object/],
      ['never fits', ['{"limit": 0}', '{"limit": -1}'], 'LLM_BAD_ANSWER', /limit/],
      ['says nothing', '', 'LLM_BAD_ANSWER', /no JSON object/],
      ['breaks its JSON off', '{"limit": 5, "paths": [}', 'LLM_BAD_ANSWER', /not valid JSON/],
      ['says too much', `{"limit": 5, "paths": ["${'x'.repeat(300_000)}"]}`, 'LLM_BAD_ANSWER', /too large/],
      ['answers with something else', answers(200, { hello: 'world' }), 'LLM_BAD_ANSWER', /chat completion/],
      [
        'refuses the key',
        answers(401, { error: { message: 'Incorrect API key' } }),
        'LLM_REFUSED',
        /401.*Incorrect API key/,
      ],
      [
        'refuses every request',
        answers(400, { error: { message: 'No such model' } }),
        'LLM_REFUSED',
        /400.*No such model/,
      ],
      ['breaks off', breakOff, 'LLM_UNAVAILABLE', /broke off/],
      ['has too much to do', answers(429, { error: { message: 'Slow down' } }), 'LLM_UNAVAILABLE', /429/],
      ['breaks', answers(500, { error: { message: 'Out of memory' } }), 'LLM_UNAVAILABLE', /500.*Out of memory/],
    ];
  for (const [what, said, code, message] of failures) {
    test(`is ${code} when it ${what}`, async () => {
      await assert.rejects(ask(said), { code, message });
    });
  }

  test('is LLM_UNAVAILABLE if nothing listens at its address', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const baseUrl = `http://127.0.0.1:${portOf(server)}/v1`;
    server.close();
    await once(server, 'close');
    await assert.rejects(askAt(baseUrl), { code: 'LLM_UNAVAILABLE', message: /refuses connections/ });
  });

  test('is LLM_UNAVAILABLE if it redirects: nothing is sent to another address', async () => {
    await using elsewhere = await startSite();
    const headers = { location: elsewhere.url('/v1/chat/completions') };
    const redirect: ChatAnswer = (_request, response) => response.writeHead(307, headers).end();
    await assert.rejects(ask(redirect), { code: 'LLM_UNAVAILABLE', message: /redirects are not followed/ });
    assert.equal(elsewhere.requests.length, 0);
  });

  test('is LLM_TIMEOUT if it does not answer', async () => {
    await assert.rejects(
      ask(() => {}, { timeout: 50 }),
      { code: 'LLM_TIMEOUT', message: /within 0\.05 s/ },
    );
  });

  test('is no longer asked once the signal is aborted', async () => {
    const gone = new AbortController();
    const hangUp: ChatAnswer = () => gone.abort(new Error('gone'));
    await assert.rejects(ask(hangUp, { signal: gone.signal }), { message: 'gone' });
  });

  test('is sent no more text than the limit', async () => {
    await using server = await startChatModel(GOOD);
    await assert.rejects(askAt(server.baseUrl, { text: 'x'.repeat(100_000) }), { code: 'REQUEST_TOO_LARGE' });
    assert.equal(server.asked.length, 0);
  });
});
