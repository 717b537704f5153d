import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ShellMemory } from './shell-memory.ts';

const HOUR = 3_600_000;

function memoryAt(start = 0) {
  let now = start;
  const memory = new ShellMemory(() => now);
  const at = (path: string) => new URL(path, 'http://site.example');
  return {
    learn: (path: string) => memory.learn(at(path)),
    forget: (path: string) => memory.forget(at(path)),
    expects: (path: string) => memory.expects(at(path)),
    wait: (ms: number) => {
      now += ms;
    },
  };
}

describe('the memory of shells', () => {
  test('holds for the part of the site that a page is in, for an hour', () => {
    const { learn, expects, wait } = memoryAt();
    learn('/app/one');
    assert.deepEqual([expects('/app/two'), expects('/docs/two'), expects('/')], [true, false, false]);
    wait(HOUR + 1);
    assert.equal(expects('/app/two'), false);
  });

  test('holds for the whole site when all parts seen are shells', () => {
    const { learn, expects, forget } = memoryAt();
    for (const path of ['/', '/a/1', '/b/1']) learn(path);
    assert.equal(expects('/c/1'), true);
    forget('/docs/1');
    assert.deepEqual([expects('/c/1'), expects('/a/2')], [false, true]);
  });

  test('goes when a page came with its content', () => {
    const { learn, expects, forget } = memoryAt();
    learn('/app/one');
    forget('/app/one');
    assert.equal(expects('/app/one'), false);
  });

  test('is bounded', () => {
    const memory = new ShellMemory(() => 0);
    for (let n = 0; n < 6_000; n++) memory.learn(new URL(`http://site-${n}.example/app/`));
    assert.equal(memory.expects(new URL('http://site-0.example/app/')), false);
    assert.equal(memory.expects(new URL('http://site-5999.example/app/')), true);
  });
});
