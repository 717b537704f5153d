import assert from 'node:assert/strict';
import type { Artifact, PageStages } from '../../src/pages/stages.ts';
import type { Answer, AnswerBody } from './trawl.ts';

export const HOUR = 3_600_000;

/** A stage that gives each document these artifacts, with their addresses in `metadata.files`. */
export function artifactStages(...given: Partial<Pick<Artifact, 'type' | 'bytes' | 'keepMs'>>[]): PageStages {
  const addTo: Artifact['addTo'] = ({ metadata }, address) => {
    metadata.files = [metadata.files ?? []].flat().map(String).concat(address);
  };
  return {
    obtain: [],
    read: [],
    enrich: [
      {
        isFor: () => true,
        async enrich(document) {
          const artifacts = given.map((one) => ({
            ...{ type: 'image/png', bytes: Buffer.from('a picture'), keepMs: HOUR, addTo },
            ...one,
          }));
          return { document, artifacts };
        },
      },
    ],
  };
}

/** The addresses of the artifacts of a document. */
export function filesOf({ metadata }: { metadata: Record<string, unknown> }): string[] {
  return [metadata.files ?? []].flat().map(String);
}

/** Fetches an address without a key. */
export async function fetchFile(address: string): Promise<{ status: number; headers: Headers; bytes: Buffer }> {
  const response = await fetch(address);
  return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) };
}

/** Fetches an address that must refuse, and returns the refusal. */
export async function refusedFile(address: string): Promise<{ status: number; code: string }> {
  const { status, bytes } = await fetchFile(address);
  const { success, code, error }: Answer<AnswerBody>['body'] = JSON.parse(bytes.toString());
  assert.equal(success, false);
  assert.match(error, /\w/);
  return { status, code };
}
