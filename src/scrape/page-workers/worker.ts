import { readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { toAnswer, type Work } from './messages.ts';

// The thread that reads pages: a message is one page, and the next comes when it is answered.

/** The thread that serves goes first where there are too few processors for all: it answers everybody. */
const NICENESS = 10;

const port = parentPort;
if (port === null) throw new Error('The reader of pages runs as a thread.');
// Linux alone has a priority of each thread. Elsewhere this would be that of the whole process.
if (process.platform === 'linux') {
  setPriority(NICENESS);
  port.postMessage({ thread: Number(readlinkSync('/proc/thread-self').replace(/.*\//, '')) });
}
port.on('message', (work: Work) => port.postMessage(toAnswer(work)));
