import assert from 'node:assert/strict';
import { registerHooks } from 'node:module';
import { test } from 'node:test';
import { z } from 'zod';
import { createLanguageModel } from '../src/llm/language-model.ts';
import { startChatModel } from './support/chat-model.ts';
import { startTrawl } from './support/trawl.ts';

/** Makes a package fail to load, as when no more files can be opened, until disposed. */
function unloadable(name: string): Disposable {
  const hooks = registerHooks({
    resolve(specifier, context, next) {
      if (specifier === name) throw new Error(`EMFILE: ${name}`);
      return next(specifier, context);
    },
  });
  return { [Symbol.dispose]: () => hooks.deregister() };
}

test('an API reference that failed to load is loaded on the next request', async () => {
  await using trawl = await startTrawl();
  const ask = async () => (await fetch(`${trawl.address}/openapi.json`)).status;
  {
    using _missing = unloadable('@fastify/swagger-ui');
    assert.equal(await ask(), 500);
  }
  assert.equal(await ask(), 200);
});

test('a language model that failed to load is loaded on the next prompt, and can be closed', async () => {
  await using server = await startChatModel('{"n": 1}');
  const model = createLanguageModel({ baseUrl: server.baseUrl, apiKey: undefined, model: 'small' });
  const { signal } = new AbortController();
  const ask = () =>
    model.answer({ schema: z.object({ n: z.int() }), instructions: 'Count.', text: 'one', timeout: 30_000, signal });
  {
    using _missing = unloadable('@ai-sdk/openai-compatible');
    await assert.rejects(ask, /EMFILE/);
    await model.close();
  }
  assert.deepEqual(await ask(), { n: 1 });
  await model.close();
});
