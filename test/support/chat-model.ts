import { text } from 'node:stream/consumers';
import { type Handler, type Site, startSite } from './site.ts';

/** A request to the model, in the chat completions format. */
export interface ChatRequest {
  model: string;
  messages: { role: string; content: string }[];
  response_format?: { type: string; json_schema?: { schema: { properties: Record<string, object> } } };
}

/** The answer of a model: its text, or anything else that a server can do. */
export type ChatAnswer = string | Handler;

/** A model server on loopback that gives the scripted answers, and repeats the last one. */
export interface ChatModel extends AsyncDisposable {
  /** The base address of its API. */
  baseUrl: string;
  site: Site;
  asked: readonly ChatRequest[];
  answers: ChatAnswer[];
}

export async function startChatModel(...answers: ChatAnswer[]): Promise<ChatModel> {
  const site = await startSite();
  const asked: ChatRequest[] = [];
  const path = '/v1/chat/completions';
  site.page(path, async (request, response) => {
    asked.push(JSON.parse(await text(request)));
    const answer = (answers.length > 1 ? answers.shift() : answers[0]) ?? '';
    const handler = typeof answer === 'string' ? says(answer) : answer;
    handler(request, response);
  });
  return { baseUrl: site.url('/v1'), site, asked, answers, [Symbol.asyncDispose]: () => site[Symbol.asyncDispose]() };
}

/** An answer in the chat completions format. */
function says(content: string): Handler {
  return answers(200, {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1,
    model: 'small',
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  });
}

/** Any status, with JSON. */
export function answers(status: number, body: object): Handler {
  return (_request, response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** The ways in which servers refuse a response schema, and other refusals. */
export function withoutFormat(model: ChatModel, content: string): Handler {
  return (request, response) => {
    const refuses = model.asked.at(-1)?.response_format !== undefined;
    const refusal = answers(400, {
      error: { message: "'response_format.type' must be 'text'", type: 'invalid_request_error' },
    });
    (refuses ? refusal : says(content))(request, response);
  };
}
