import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import type { ScrapedDocument } from '../../src/pages/document.ts';
import type { BatchStatus } from './batch.ts';
import { KEY } from './trawl.ts';

export type StreamMessage =
  | { type: 'catchup'; data: BatchStatus }
  | { type: 'document'; data: ScrapedDocument }
  | { type: 'error'; error: string }
  | { type: 'done'; data: BatchStatus };

export interface Stream {
  socket: WebSocket;
  messages: StreamMessage[];
  /** Waits until this many messages have arrived. */
  until(count: number): Promise<StreamMessage[]>;
  ended: Promise<{ code: number; reason: string }>;
}

/** Watches a job at its address, as a browser would. */
export function openStream(address: string, key = KEY): Stream {
  const socket = new WebSocket(address.replace(/^http/, 'ws'), key);
  const messages: StreamMessage[] = [];
  let news = Promise.withResolvers<void>();
  let isOpen = true;
  socket.onmessage = ({ data }) => {
    messages.push(JSON.parse(data));
    news.resolve();
    news = Promise.withResolvers();
  };
  const ended = Promise.withResolvers<{ code: number; reason: string }>();
  socket.onclose = ({ code, reason }) => {
    isOpen = false;
    ended.resolve({ code, reason });
    news.resolve();
  };
  return {
    socket,
    messages,
    async until(count) {
      while (messages.length < count) {
        assert.ok(isOpen, `The stream was closed after ${messages.length} messages.`);
        await news.promise;
      }
      return messages;
    },
    ended: ended.promise,
  };
}

/** The sources of all documents of a stream, in order. */
export function streamedSources(messages: readonly StreamMessage[]): string[] {
  return messages
    .flatMap((message) => {
      if (message.type === 'catchup') return message.data.data;
      return message.type === 'document' ? [message.data] : [];
    })
    .map(({ metadata }) => metadata.sourceURL);
}

/** A stream without automatic replies that returns raw frames. It is read only on request. */
export async function openRawStream(address: string, key = KEY): Promise<Socket> {
  const { port, pathname } = new URL(address);
  const socket = connect(Number(port), '127.0.0.1');
  socket.write(
    `GET ${pathname} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n` +
      `Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: ${key}\r\n\r\n`,
  );
  await once(socket, 'readable');
  return socket;
}

export type StreamAnswer = { isOpen: true } | { isOpen: false; error: string; code: number };

/** Requests a stream, closes it when it opens, and returns the outcome. */
export function askForStream(address: string, init: { protocols?: string; headers?: Record<string, string> } = {}) {
  const socket = new WebSocket(address.replace(/^http/, 'ws'), init);
  return new Promise<StreamAnswer>((resolve, reject) => {
    let error = '';
    socket.onmessage = ({ data }) => {
      const message: StreamMessage = JSON.parse(data);
      if (message.type === 'error') {
        error = message.error;
        return;
      }
      resolve({ isOpen: true });
      socket.close();
    };
    socket.onclose = ({ code }) => resolve({ isOpen: false, error, code });
    socket.onerror = () => reject(new Error('The upgrade was refused in HTTP.'));
  });
}

/** Requests an upgrade, and returns the status of the answer: 101 when it was granted. */
export function askForUpgrade(
  address: string,
  { method = 'GET', headers = {} }: { method?: string; headers?: Record<string, string> } = {},
): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const asked = request(address, {
      method,
      headers: {
        connection: 'upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
        ...headers,
      },
    });
    asked.on('error', reject);
    asked.on('upgrade', (response, socket) => {
      socket.destroy();
      resolve({ status: response.statusCode ?? 0, body: '' });
    });
    asked.on('response', async (response) => {
      const parts = await response.toArray();
      resolve({ status: response.statusCode ?? 0, body: Buffer.concat(parts).toString() });
    });
    asked.end();
  });
}
