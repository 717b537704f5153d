import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { WRITES } from '../operations/writes.ts';
import { CHECKPOINT, checkpoint, commitGroup, type WriteRequest } from './commit-group.ts';
import { SqliteConnection } from './connection.ts';

// The writer thread. A request is a list of writes, and its answer the list of their outcomes; `close` ends the thread.

/**
 * With this many writes, a commit does not wait for more: that would save hardly any time, and would delay the first of
 * them.
 */
const GROUP = 512;

const port = parentPort;
if (port === null) throw new Error('The writer runs as a thread.');
const connection = new SqliteConnection(workerData.path, { readOnly: false });

let last = Promise.resolve();
port.on('message', (message: WriteRequest<never>[] | 'close') => {
  const group = message === 'close' ? [] : [...message];
  let closing = message === 'close';
  // Requests that arrived during the last commit join the next group.
  while (!closing && group.length < GROUP) {
    const next: { message: WriteRequest<never>[] | 'close' } | undefined = receiveMessageOnPort(port);
    if (next === undefined) break;
    if (next.message === 'close') closing = true;
    else group.push(...next.message);
  }
  last = last.then(async () => {
    const checkpoints = group.filter(({ name }) => name === CHECKPOINT);
    const writes = group.filter(({ name }) => name !== CHECKPOINT);
    if (writes.length > 0) port.postMessage(await commitGroup(connection, WRITES, writes));
    if (checkpoints.length > 0) port.postMessage(checkpoints.map((request) => checkpoint(connection, request)));
    if (!closing) return;
    connection.close();
    port.close();
  });
});
