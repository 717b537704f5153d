import { readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';

/** A process that belongs to a browser, or cleans up after one. */
export interface BrowserProcess {
  pid: number;
  /** `browser` for the main process, else what it is for: `renderer`, `zygote`, `cleaner` … */
  type: string;
}

/** The processes below these, and those of browsers whose parent is gone. */
export function browserProcesses(profiles: readonly string[]): BrowserProcess[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      const command = readCommand(name);
      if (!profiles.some((profile) => command.includes(profile))) return [];
      const type = /--type=([\w-]+)/.exec(command)?.[1] ?? (command.includes('cleaner') ? 'cleaner' : 'browser');
      return [{ pid: Number(name), type }];
    });
}

/** The profile folders of the browsers of a process. */
export function profilesOf(pid: number): string[] {
  return readdirSync(tmpdir()).filter((name) => new RegExp(`^trawl-browser-[\\da-f]{8}-${pid}-`).test(name));
}

/** Empty for a process that has ended. */
function readCommand(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}
