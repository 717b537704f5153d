import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { WRITES } from '../operations/writes.ts';
import { CHECKPOINT, checkpoint, commitGroup, type WriteRequest } from './commit-group.ts';
import { SqliteConnection } from './connection.ts';

// The thread that writes. A message is a list of writes, an answer the list of their outcomes; `close` ends it.

/** With this many writes a commit waits for no more: it would hardly save time, and would keep the first of them waiting. */
const GROUP = 512;

const port = parentPort;
if (port === null) throw new Error('The writer runs as a thread.');
const connection = new SqliteConnection(workerData.path, { readOnly: false });

let last = Promise.resolve();
port.on('message', (message: WriteRequest<never>[] | 'close') => {
  const group = message === 'close' ? [] : [...message];
  let closing = message === 'close';
  // What came while the last group was committed goes along.
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
