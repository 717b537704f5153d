import { parentPort } from 'node:worker_threads';
import type { Work } from '../messages.ts';

// Answers with the address of the page as its title, and takes a moment or dies where the address says so. It starts in a
// tenth of the time of the real reader.

parentPort?.on('message', ({ parts }: Work) => {
  const { url } = parts.request;
  if (url.includes('dies')) process.exit(1);
  const end = performance.now() + (url.includes('slow') ? 3 : 0);
  while (performance.now() < end);
  parentPort?.postMessage({ made: { document: { metadata: { title: url } } } });
});
