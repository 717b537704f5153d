import type { WebSocket } from 'ws';

/** Codes of RFC 6455 section 7.4.1. */
export const CLOSED = {
  done: 1000,
  goingAway: 1001,
  notAllowed: 1008,
  failed: 1011,
} as const;

/** JSON, because the v1 client of the SDK parses the reason and logs an error for anything else. */
const REASON = '{}';

type CloseCode = (typeof CLOSED)[keyof typeof CLOSED];

/** How long a client may take to acknowledge a close that no caller awaits. */
const ANSWER_MS = 1_000;

/** Sends a close after all data in flight. `ws` cuts the connection if the client does not answer within 30 seconds. */
export function closeSocket(socket: WebSocket, code: CloseCode): void {
  socket.close(code, REASON);
}

/** The same, but cuts the connection after a second. */
export function closeSoon(socket: WebSocket, code: CloseCode): void {
  closeSocket(socket, code);
  const timer = setTimeout(() => socket.terminate(), ANSWER_MS);
  socket.once('close', () => clearTimeout(timer));
}

/** Tells a client why its stream ends. */
export function sendError(socket: WebSocket, message: string): void {
  socket.send(JSON.stringify({ type: 'error', error: message }));
}
