import type { ProxyMode } from '../../fetch/types.ts';

/** One means to get a page. */
export interface Rung {
  means: 'fetch' | 'impersonated fetch' | 'browser';
  proxy: 'basic' | 'enhanced';
}

/** What has to be used at least: only a browser can take a screenshot. */
export type Least = 'fetch' | 'browser';

/** The means to get a page, in the order of what they cost. */
export function rungsFor(mode: ProxyMode, least: Least, hasEnhanced: boolean): readonly Rung[] {
  const rungs = RUNGS[mode].filter(({ proxy }) => mode === 'enhanced' || hasEnhanced || proxy === 'basic');
  if (least === 'fetch') return rungs;
  // A basic request that needs a browser gets it.
  const browsers = rungs.filter(({ means }) => means === 'browser');
  return browsers.length > 0 ? browsers : [{ means: 'browser', proxy: 'basic' }];
}

const RUNGS: Readonly<Record<ProxyMode, readonly Rung[]>> = {
  basic: [{ means: 'fetch', proxy: 'basic' }],
  auto: [
    { means: 'fetch', proxy: 'basic' },
    { means: 'impersonated fetch', proxy: 'basic' },
    { means: 'browser', proxy: 'basic' },
    { means: 'fetch', proxy: 'enhanced' },
    { means: 'browser', proxy: 'enhanced' },
  ],
  enhanced: [
    { means: 'fetch', proxy: 'enhanced' },
    { means: 'impersonated fetch', proxy: 'enhanced' },
    { means: 'browser', proxy: 'enhanced' },
  ],
};

/** Its name in `metadata.steps`. */
export function nameOf({ means, proxy }: Rung): string {
  return proxy === 'enhanced' ? `enhanced ${means}` : means;
}
