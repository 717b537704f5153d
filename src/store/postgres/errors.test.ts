import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { test } from 'node:test';
import { Client } from 'pg';
import { StoreAway } from '../store-away.ts';
import { translatePostgresError } from './errors.ts';

test('a broken connection counts as an unavailable store, whatever its error code', () => {
  for (const code of ['EPIPE', 'ECONNRESET', 'ETIMEDOUT']) {
    const broken = Object.assign(new Error(`write ${code}`), { code, syscall: 'write' });
    assert.ok(translatePostgresError(broken) instanceof StoreAway, code);
  }
});

test('a starting server is worth waiting for; one that refuses the password is not', async () => {
  for (const { state, isAway } of [
    { state: '57P03', isAway: true },
    { state: '28P01', isAway: false },
  ]) {
    const translated = translatePostgresError(await refusalOf(state));
    assert.equal(translated instanceof StoreAway, isAway, state);
    assert.match(String(translated), /PostgreSQL cannot be used: no\./);
  }
});

/** The driver's error for a server that refuses with this SQLSTATE, from an ErrorResponse of the protocol. */
async function refusalOf(state: string): Promise<unknown> {
  const server = createServer((socket) => {
    const fields = Buffer.from(`SFATAL\0C${state}\0Mno\0\0`);
    const head = Buffer.from('E\0\0\0\0');
    head.writeUInt32BE(fields.length + 4, 1);
    socket.end(Buffer.concat([head, fields]));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  try {
    return await new Client({ host: '127.0.0.1', port, user: 'trawl' }).connect().catch((error: unknown) => error);
  } finally {
    server.close();
  }
}
