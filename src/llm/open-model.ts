import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { generateText, type ModelMessage, NoObjectGeneratedError, Output } from 'ai';
import { z } from 'zod';
import { TrawlError } from '../errors.ts';
import { operatorService } from '../fetch/operator-service.ts';
import type { LanguageModel, ModelAddress, Question } from './language-model.ts';
import { hasRefusedFormat, toModelError } from './model-error.ts';
import { readObject } from './read-object.ts';

/** Characters of instructions and text: 25,000 tokens, as much as small models can read. */
const MAX_QUESTION = 100_000;
/**
 * Bytes of a response with everything that servers put around it. `max_tokens` would bound it too, but newer models of
 * OpenAI refuse that name and older servers know no other.
 */
const MAX_ANSWER_BYTES = 256 * 1024;
/** Characters of an invalid answer that the model is shown again. */
const MAX_SHOWN = 4_000;
/** The first answer, and one more after the problem was explained. */
const MAX_ANSWERS = 2;

/** The provider name under which the packages take options. */
const NAME = 'model';

/** See `LanguageModel`. */
export function openModel({ baseUrl, apiKey, model: id }: ModelAddress): LanguageModel {
  const service = operatorService(baseUrl, MAX_ANSWER_BYTES);
  const provider = createOpenAICompatible({
    name: NAME,
    baseURL: baseUrl,
    fetch: service.fetch,
    supportsStructuredOutputs: true,
    ...(apiKey === undefined ? {} : { apiKey }),
  });
  const model = provider.chatModel(id);
  /** Whether the server has refused a response format. Every model gets the schema in its instructions as well. */
  let takesSchema = true;

  async function say(instructions: string, messages: ModelMessage[], schema: z.ZodType, signal: AbortSignal) {
    const question = {
      model,
      instructions,
      messages,
      abortSignal: signal,
      maxRetries: 0,
      telemetry: { isEnabled: false },
      // Strict mode requires every field, but a missing field has a meaning here.
      providerOptions: { [NAME]: { strictJsonSchema: false } },
    };
    if (takesSchema) {
      try {
        return (await generateText({ ...question, output: Output.object({ schema }) })).text;
      } catch (error) {
        // What the packages cannot parse may still be readable here.
        if (NoObjectGeneratedError.isInstance(error)) return error.text ?? '';
        if (!hasRefusedFormat(error)) throw error;
      }
    }
    const { text } = await generateText(question);
    takesSchema = false;
    return text;
  }

  async function answer<T>({ schema, instructions, text }: Question<T>, signal: AbortSignal): Promise<T> {
    const shape = JSON.stringify(z.toJSONSchema(schema, { io: 'input' }));
    const system = `${instructions}\n\nAnswer with one JSON object that fits this JSON Schema, and nothing else:\n${shape}`;
    if (system.length + text.length > MAX_QUESTION) throw tooLong(system.length + text.length);
    const messages: ModelMessage[] = [{ role: 'user', content: text }];
    for (let count = 1; ; count++) {
      const said = await say(system, messages, schema, signal);
      const read = readObject(schema, said);
      if ('object' in read) return read.object;
      if (count === MAX_ANSWERS) throw badAnswer(read.problem);
      messages.push(
        // Some servers refuse a message without text.
        { role: 'assistant', content: said.slice(0, MAX_SHOWN) || '(nothing)' },
        { role: 'user', content: `${read.problem} Answer again, with the JSON object alone.` },
      );
    }
  }

  return {
    async answer(question) {
      const limit = AbortSignal.timeout(question.timeout);
      try {
        return await answer(question, AbortSignal.any([limit, question.signal]));
      } catch (error) {
        question.signal.throwIfAborted();
        throw limit.aborted ? tooSlow(question.timeout) : toModelError(error);
      }
    },
    close: () => service.close(),
  };
}

function tooLong(length: number): TrawlError {
  return new TrawlError(
    'REQUEST_TOO_LARGE',
    `The text for the language model has ${length} characters; the limit is ${MAX_QUESTION}.`,
  );
}

function badAnswer(problem: string): TrawlError {
  return new TrawlError('LLM_BAD_ANSWER', `The language model gave no usable answer: ${problem}`);
}

function tooSlow(timeout: number): TrawlError {
  return new TrawlError('LLM_TIMEOUT', `The language model did not answer within ${timeout / 1000} s.`);
}
