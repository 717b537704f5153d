import { parentPort } from 'node:worker_threads';
import { toAnswer, type Work } from './messages.ts';
import { lowerPriority } from './thread-priority.ts';

// A thread that reads pages. Each message is one page, and the next one comes after the answer.

const port = parentPort;
if (port === null) throw new Error('The page reader must run as a worker thread.');
const threadId = lowerPriority();
if (threadId !== undefined) port.postMessage({ threadId });
port.on('message', (work: Work) => port.postMessage(toAnswer(work)));
