import type { Operation, Runner } from './database.ts';

/** Called with the duration of each operation, successful or not. */
export type OnOperation = (kind: 'read' | 'write', milliseconds: number) => void;

/** A runner that reports how long its operations take, including the time that they wait. */
export function timed(runner: Runner, onOperation: OnOperation): Runner {
  const timedAs =
    (kind: 'read' | 'write', run: Runner['read']): Runner['read'] =>
    async <Input, Output>(operation: Operation<Input, Output>, input: Input) => {
      const startedAt = performance.now();
      try {
        return await run(operation, input);
      } finally {
        onOperation(kind, performance.now() - startedAt);
      }
    };
  return {
    read: timedAs('read', (operation, input) => runner.read(operation, input)),
    write: timedAs('write', (operation, input) => runner.write(operation, input)),
    writeOnce: timedAs('write', (operation, input) => runner.writeOnce(operation, input)),
    freeBytes: () => runner.freeBytes(),
    scrub: () => runner.scrub(),
    close: () => runner.close(),
  };
}
