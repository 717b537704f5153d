import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { describe, test } from 'node:test';
import { serveDns } from '../testing/dns-server.ts';
import { createSystemResolver } from './system-resolver.ts';

const silent = { code: 'ETIMEOUT' };

/** A name server that never answers. */
async function serveSilence() {
  const socket = createSocket('udp4').bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    address: `127.0.0.1:${socket.address().port}`,
    async [Symbol.asyncDispose]() {
      socket.close();
      await once(socket, 'close');
    },
  };
}

describe('the system resolver', () => {
  test('is not asked for names with silent servers: hundreds of them delay no other name', async () => {
    await using server = await serveSilence();
    const resolve = createSystemResolver({ servers: [server.address], answerMs: 200 });
    let isOver = false;
    const names = Array.from({ length: 300 }, (_, index) => `n${index}.slow.test`);
    const asking = Promise.all(names.map((name) => assert.rejects(resolve(name), silent)));
    void asking.then(() => {
      isOver = true;
    });
    const [address] = await resolve('localhost');
    assert.ok(address?.address === '127.0.0.1' || address?.address === '::1');
    assert.equal(isOver, false);
    await asking;
  });

  test('is not asked for a name whose server is silent only about IPv6: its IPv4 addresses are used', async () => {
    await using dns = await serveDns(() => ['127.0.0.7'], { knowsIpv6: false });
    const resolve = createSystemResolver({ servers: [dns.address], answerMs: 200 });
    assert.deepEqual(await resolve('half.test'), [{ address: '127.0.0.7', family: 4 }]);
  });

  test('is asked once for simultaneous callers', async () => {
    await using dns = await serveDns(() => ['127.0.0.7'], { knowsIpv6: false });
    const resolve = createSystemResolver({ servers: [dns.address], answerMs: 200 });
    await Promise.all(Array.from({ length: 20 }, () => resolve('many.test')));
    assert.deepEqual(dns.asked, ['many.test']);
  });

  test('is asked for names of this machine without asking a name server', async () => {
    await using dns = await serveDns(() => ['127.0.0.7']);
    const resolve = createSystemResolver({ servers: [dns.address] });
    for (const { address } of await resolve('localhost')) assert.ok(address === '127.0.0.1' || address === '::1');
    assert.deepEqual(dns.asked, []);
  });
});
