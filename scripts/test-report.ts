import type { EventData, TestsStream } from 'node:test';
import { inspect, styleText } from 'node:util';

export interface TestTotal {
  passed: number;
  failed: number;
  skipped: number;
}

/**
 * Prints one line per file, and each failure with its error as it happens. At the end it lists skipped tests with their
 * reasons, and failed tests by name.
 *
 * @param shorten shortens a file's path for people
 */
export async function report(events: TestsStream, shorten: (file: string) => string): Promise<TestTotal> {
  const total = { passed: 0, failed: 0, skipped: 0 };
  const failures: string[] = [];
  const skips: string[] = [];
  /** The names of the suites and tests around the current one, by nesting level. */
  const around: string[] = [];
  const nameOf = ({ file, name, nesting }: EventData.TestPass | EventData.TestFail) => {
    // A file that crashes is reported as a test with the file's own path as its name.
    if (file === undefined || file === name) return shorten(name);
    return `${shorten(file)}: ${[...around.slice(0, nesting), name].join(' › ')}`;
  };

  for await (const { type, data } of events) {
    if (type === 'test:stdout' || type === 'test:stderr') process.stdout.write(data.message);
    if (type === 'test:start') around[data.nesting] = data.name;
    if (type === 'test:pass') {
      const reason = data.skip ?? data.todo;
      if (reason !== undefined) skips.push(`${nameOf(data)} (${reason === true ? 'no reason given' : reason})`);
    }
    if (type === 'test:fail' && !isEcho(data)) {
      failures.push(nameOf(data));
      console.log(`${styleText('red', `✖ ${nameOf(data)}`)}\n${indent(describeError(data))}\n`);
    }
    if (type === 'test:summary') {
      const { counts } = data;
      if (data.file === undefined) {
        total.passed = counts.passed;
        // A cancelled or unwritten test did not prove anything.
        total.failed = counts.failed + counts.cancelled;
        total.skipped = counts.skipped + counts.todo;
      } else {
        const mark = data.success ? styleText('green', '✔') : styleText('red', '✖');
        const size = styleText('dim', `${counts.tests} tests, ${(data.duration_ms / 1000).toFixed(2)} s`);
        console.log(`${mark} ${shorten(data.file)} ${size}`);
      }
    }
  }

  printList('Skipped', skips);
  printList('Failed', failures);
  return total;
}

/** A suite fails because a test in it failed, which has already been reported. */
function isEcho({ details: { error } }: EventData.TestFail): boolean {
  return 'failureType' in error && error.failureType === 'subtestsFailed';
}

function describeError({ details: { error } }: EventData.TestFail): string {
  if ('exitCode' in error) {
    const how = typeof error.exitCode === 'number' ? `exit code ${error.exitCode}` : 'a signal';
    return `The file ended with ${how} outside of its tests: see its output above.`;
  }
  // The runner wraps what the test threw, and most of the stack is the runner's own.
  return inspect(error.cause ?? error, { colors: process.stdout.isTTY })
    .split('\n')
    .filter((line) => !/^\s+at .*\b(node:internal\/|new Promise \(|Promise\.all \()/.test(line))
    .join('\n');
}

function printList(title: string, lines: string[]): void {
  if (lines.length > 0) console.log(`\n${title}:\n${indent(lines.join('\n'))}\n`);
}

function indent(text: string): string {
  return text.replaceAll(/^/gm, '  ');
}
