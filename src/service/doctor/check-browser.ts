import { scriptsWithoutFont } from '../../browser/fonts.ts';
import { browserLimits } from '../../browser/pool/browser-limits.ts';
import { readMachine } from '../../browser/pool/machine.ts';
import { listChromiums } from '../../browser/process/find-chromium.ts';
import { type LaunchedChromium, launchAny, nameOf } from '../../browser/process/launch.ts';
import { missingLibraries } from '../../browser/process/missing-libraries.ts';
import type { Config } from '../../config.ts';
import { TrawlError } from '../../errors.ts';
import type { Finding } from './finding.ts';

/** Starts the Chromium that the service would start, and looks at how it runs. */
export async function checkBrowser({ browserPath: path, browserContexts, dataDir }: Config): Promise<Finding[]> {
  const limits = await checkLimits(browserContexts);
  let launched: LaunchedChromium;
  try {
    launched = await launchAny({ path, dataDir });
  } catch (error) {
    if (!(error instanceof TrawlError)) throw error;
    return [
      { level: 'problem', name: 'Browser', text: error.message },
      ...(await checkLibraries({ path, dataDir })),
      limits,
    ];
  }
  try {
    return [
      ...launched.failed.map(
        (text): Finding => ({ level: 'warning', name: 'Browser', text: `${text} The next one is used.` }),
      ),
      { level: 'ok', name: 'Browser', text: `${nameOf(launched)}, ${SOURCES[launched.chromium.source]}` },
      checkSandbox(launched),
      await checkFonts(launched),
      limits,
    ];
  } finally {
    await launched.process.stop();
  }
}

const SOURCES = {
  setting: 'from TRAWL_BROWSER_PATH',
  system: 'from the system',
  npm: 'which comes with Trawl',
} as const;

function checkSandbox({ mode, sandboxOff }: LaunchedChromium): Finding {
  const name = 'Sandbox';
  const who = mode.user === undefined ? '' : `; Chromium runs as user ${mode.user.uid}, not as root`;
  if (sandboxOff === undefined) return { level: 'ok', name, text: `on${who}` };
  return { level: 'warning', name, text: `off, because ${sandboxOff}${who}` };
}

async function checkFonts({ browser }: LaunchedChromium): Promise<Finding> {
  const missing = await scriptsWithoutFont(browser);
  if (missing.length === 0)
    return { level: 'ok', name: 'Fonts', text: 'Chinese, Japanese, Korean, Arabic and emoji are shown' };
  return {
    level: 'warning',
    name: 'Fonts',
    text: `screenshots show boxes for ${missing.join(', ')}. Install fonts (Debian: apt-get install fonts-noto-core fonts-noto-cjk fonts-noto-color-emoji).`,
  };
}

async function checkLimits(contexts: number | undefined): Promise<Finding> {
  const machine = await readMachine();
  const { contexts: open, bytes } = browserLimits(machine, contexts);
  const chosen = contexts === undefined ? 'chosen for' : 'by TRAWL_BROWSER_CONTEXTS, on';
  const room = `${gigabytes(machine.memory)} of memory and ${Number(machine.processors.toFixed(1))} processors`;
  const text = `${open} pages at a time in at most ${gigabytes(bytes)}, ${chosen} ${room}`;
  if (machine.memory >= LEAST_BYTES) return { level: 'ok', name: 'Limits', text };
  return { level: 'warning', name: 'Limits', text: `${text}. A page with many scripts needs more: give Trawl 1 GB.` };
}

const LEAST_BYTES = 1_000_000_000;

function gigabytes(bytes: number): string {
  return `${(bytes / 1_000_000_000).toFixed(1)} GB`;
}

async function checkLibraries(places: { path: string | undefined; dataDir: string }): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const { name, locate } of await listChromiums(places).catch(() => [])) {
    const missing = await locate().then(missingLibraries, () => []);
    if (missing.length === 0) continue;
    findings.push({
      level: 'problem',
      name: 'Libraries',
      text: `${name} needs ${missing.join(', ')}. Install them (Debian: apt-get install chromium-headless-shell brings all).`,
    });
  }
  return findings;
}
