import { styleText } from 'node:util';

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];

/** Shows progress on standard error while the work runs; silent unless that is a terminal. */
export async function withProgress<T>(label: string | (() => string), work: () => Promise<T>): Promise<T> {
  const { stderr } = process;
  if (!stderr.isTTY) return work();
  const startedAt = performance.now();
  let frame = 0;
  const timer = setInterval(() => {
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    const spinner = styleText('cyan', FRAMES[frame++ % FRAMES.length] ?? '', { stream: stderr });
    const text = typeof label === 'string' ? label : label();
    stderr.write(`\r\x1b[K${spinner} ${text.slice(0, Math.max(10, stderr.columns - 12))} ${seconds} s`);
  }, 100);
  try {
    return await work();
  } finally {
    clearInterval(timer);
    stderr.write('\r\x1b[K');
  }
}
