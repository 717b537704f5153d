import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createHttpsServer, type ServerOptions } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';

export interface TestServer extends AsyncDisposable {
  port: number;
  /** `http://127.0.0.1:port`, or https. */
  url: string;
  /** Number of connections it has accepted. */
  connections: number;
  /** The open sockets. */
  readonly sockets: ReadonlySet<Socket>;
}

export type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** A web server on a free port of loopback. */
export function serveHttp(handler: Handler, host = '127.0.0.1', port = 0): Promise<TestServer> {
  return listen(createHttpServer(handler), 'http', host, port);
}

export function serveHttps(options: ServerOptions, handler: Handler): Promise<TestServer> {
  return listen(createHttpsServer(options, handler), 'https', '127.0.0.1', 0);
}

/** A server that speaks whatever `onSocket` writes. */
export function serveTcp(onSocket: (socket: Socket) => void): Promise<TestServer> {
  return listen(createTcpServer(onSocket), 'http', '127.0.0.1', 0);
}

/** A server that reads each request to its end, responds with these bytes, and then closes the connection if `end` is set. */
export function serveBytes(answer: string | Buffer, { end = true } = {}): Promise<TestServer> {
  return serveTcp((socket) => {
    socket.on('data', (data) => {
      if (!data.includes('\r\n\r\n')) return;
      socket.write(answer);
      if (end) socket.end();
    });
  });
}

/** Starts a server, and keeps track of its sockets to end them with it. */
export async function listen(server: Server, scheme: string, host: string, port: number): Promise<TestServer> {
  const sockets = new Set<Socket>();
  const test: TestServer = {
    port: 0,
    url: '',
    connections: 0,
    sockets,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  server.on('connection', (socket: Socket) => {
    test.connections++;
    sockets.add(socket);
    // In these tests, clients hang up in the middle of a response: that is not an error of the server.
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  test.port = addressOf(server).port;
  test.url = `${scheme}://${host}:${test.port}`;
  return test;
}

function addressOf(server: Server): AddressInfo {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port');
  return address;
}
