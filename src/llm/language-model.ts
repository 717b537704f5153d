import type { z } from 'zod';
import { loadOnce } from '../load-once.ts';

/** Where a model is that speaks the chat completions of OpenAI, as most services and all local servers do. */
export interface ModelAddress {
  /** Without a slash at the end, such as `http://127.0.0.1:11434/v1`. */
  baseUrl: string;
  apiKey: string | undefined;
  model: string;
}

export interface Question<T> {
  /** What the answer has to be: an object. The model gets its JSON Schema. */
  schema: z.ZodType<T>;
  /** What the model is to do. */
  instructions: string;
  /** What it is to do that with. Whoever wrote it: what comes of it fits the schema. */
  text: string;
  /** Milliseconds for the answer. */
  timeout: number;
  /** Ends it when nobody waits for the answer any more. */
  signal: AbortSignal;
}

export interface LanguageModel {
  /**
   * Answers with an object that fits a schema. A model that answers with something else is told what is wrong, once.
   *
   * @throws TrawlError LLM_UNAVAILABLE, LLM_REFUSED, LLM_BAD_ANSWER, LLM_TIMEOUT, REQUEST_TOO_LARGE for more text than is
   * sent, or the reason of the signal
   */
  answer<T>(question: Question<T>): Promise<T>;
  /** Ends its connections. */
  close(): Promise<void>;
}

/** A model that is loaded when somebody first asks it: its packages take 10 to 25 MB that a service does without until then. */
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
