/** Runs in each page before its scripts. */
interface Chrome {
  app?: object;
  csi?: () => object;
  loadTimes?: () => object;
}

declare const window: { chrome?: Chrome };
declare const performance: { now(): number; timeOrigin: number };

/** Gives the headless shell what every Chrome has. A bound function says `[native code]`. */
export function addChromeObject(): void {
  if (window.chrome !== undefined) return;
  const native = <Result>(fn: () => Result) => Object.defineProperty(fn.bind(null), 'name', { value: '' });
  const start = performance.timeOrigin;
  const chrome: Chrome = {
    loadTimes: native(() => ({
      requestTime: start / 1000,
      startLoadTime: start / 1000,
      commitLoadTime: start / 1000,
      finishDocumentLoadTime: 0,
      finishLoadTime: 0,
      firstPaintTime: 0,
      firstPaintAfterLoadTime: 0,
      navigationType: 'Other',
      wasFetchedViaSpdy: false,
      wasNpnNegotiated: false,
      npnNegotiatedProtocol: 'unknown',
      wasAlternateProtocolAvailable: false,
      connectionInfo: 'http/1.1',
    })),
    csi: native(() => ({ startE: start, onloadT: start, pageT: performance.now(), tran: 15 })),
    app: {
      isInstalled: false,
      InstallState: { DISABLED: 'disabled', INSTALLED: 'installed', NOT_INSTALLED: 'not_installed' },
      RunningState: { CANNOT_RUN: 'cannot_run', READY_TO_RUN: 'ready_to_run', RUNNING: 'running' },
    },
  };
  Object.defineProperty(window, 'chrome', { value: chrome, writable: true, enumerable: true, configurable: false });
}
