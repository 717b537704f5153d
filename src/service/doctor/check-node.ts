import type { Finding } from './finding.ts';

/** Node strips the types of TypeScript, and measures the processor time of threads, since this version. */
const LEAST_MAJOR = 24;

/** The Node that runs this, which need not be the one of the machine: Trawl brings its own. */
export function checkNode(version = process.versions.node): Finding {
  const name = 'Node';
  if (Number.parseInt(version, 10) >= LEAST_MAJOR) return { level: 'ok', name, text: version };
  const text = `${version} is too old. Run "npm ci" again, which brings Node ${LEAST_MAJOR}, or install it.`;
  return { level: 'problem', name, text };
}
