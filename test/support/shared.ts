import { after } from 'node:test';

/** Creates a resource for all tests of a file, and disposes of it after the last one. */
export async function shared<T extends AsyncDisposable>(made: Promise<T>): Promise<T> {
  const resource = await made;
  after(() => resource[Symbol.asyncDispose]());
  return resource;
}
