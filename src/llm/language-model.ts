import type { z } from 'zod';
import { loadOnce } from '../load-once.ts';

/** The address of a model with OpenAI's chat completions API, which most services and all local servers have. */
export interface ModelAddress {
  /** Without a trailing slash, such as `http://127.0.0.1:11434/v1`. */
  baseUrl: string;
  apiKey: string | undefined;
  model: string;
}

export interface Question<T> {
  /** The required answer: an object. The model gets its JSON Schema. */
  schema: z.ZodType<T>;
  /** The task of the model. */
  instructions: string;
  /** The input of the task. It may come from anybody: the answer has to fit the schema in any case. */
  text: string;
  /** Time limit of the answer in milliseconds. */
  timeout: number;
  /** Aborts when nobody waits for the answer any more. */
  signal: AbortSignal;
}

export interface LanguageModel {
  /**
   * Answers with an object that fits a schema. After an invalid answer the model gets one more try, with the problem.
   * @throws TrawlError LLM_UNAVAILABLE, LLM_REFUSED, LLM_BAD_ANSWER, LLM_TIMEOUT, REQUEST_TOO_LARGE for a text over the
   * limit, or the reason of the signal
   */
  answer<T>(question: Question<T>): Promise<T>;
  /** Closes its connections. */
  close(): Promise<void>;
}

/** A model that is loaded on first use: a service saves the 10 to 25 MB of its packages until then. */
export function createLanguageModel(address: ModelAddress): LanguageModel {
  let opened: LanguageModel | undefined;
  const load = loadOnce(async () => {
    const { openModel } = await import('./open-model.ts');
    opened = openModel(address);
    return opened;
  });
  return {
    answer: async (question) => (await load()).answer(question),
    close: async () => opened?.close(),
  };
}
