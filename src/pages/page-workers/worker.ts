import { parentPort } from 'node:worker_threads';
import { toAnswer, type Work } from './messages.ts';
import { lowerPriority } from './thread-priority.ts';

// The thread that reads pages: a message is one page, and the next comes when it is answered.

const port = parentPort;
if (port === null) throw new Error('The reader of pages runs as a thread.');
const thread = lowerPriority();
if (thread !== undefined) port.postMessage({ thread });
port.on('message', (work: Work) => port.postMessage(toAnswer(work)));
