import { brandsOf, userAgentOf } from '../../fetch/browser-headers.ts';

/** What `navigator` and the request headers say about the browser. */
export interface UserAgent {
  userAgent: string;
  metadata: UserAgentMetadata;
}

/** Client hints, as the DevTools protocol takes them. */
interface UserAgentMetadata {
  brands: readonly Brand[];
  fullVersionList: readonly Brand[];
  fullVersion: string;
  platform: string;
  platformVersion: string;
  architecture: string;
  bitness: string;
  model: string;
  mobile: boolean;
  wow64: boolean;
}

interface Brand {
  brand: string;
  version: string;
}

/** The systems on which the service runs. Claiming another one would contradict the fonts and the graphics. */
const DESKTOPS: Partial<Record<NodeJS.Platform, { system: string; name: string; version: string }>> = {
  darwin: { system: 'Macintosh; Intel Mac OS X 10_15_7', name: 'macOS', version: '15.5.0' },
  win32: { system: 'Windows NT 10.0; Win64; x64', name: 'Windows', version: '19.0.0' },
};
/** Chrome for Linux says no version. */
const LINUX = { system: 'X11; Linux x86_64', name: 'Linux', version: '' };

/**
 * `navigator.platform` stays the real one, also for a phone: workers cannot be told another one. The user agent of a Chrome of this
 * version: headless Chromium says that it is headless.
 * @param version such as 156.0.8078.79
 */
export function userAgentFor(version: string, mobile: boolean): UserAgent {
  const major = majorOf(version);
  const brands = brandsOf(major);
  const desktop = DESKTOPS[process.platform] ?? LINUX;
  const shared = {
    brands,
    fullVersionList: brands.map(({ brand, version: short }) => ({
      brand,
      version: short === String(major) ? version : `${short}.0.0.0`,
    })),
    fullVersion: version,
    mobile,
    wow64: false,
  };
  if (mobile) {
    const phone = { platform: 'Android', platformVersion: '15.0.0', architecture: '', bitness: '', model: 'Pixel 8' };
    return {
      userAgent: userAgentOf('Linux; Android 10; K', major, true),
      metadata: { ...shared, ...phone },
    };
  }
  return {
    userAgent: userAgentOf(desktop.system, major, false),
    metadata: {
      ...shared,
      platform: desktop.name,
      platformVersion: desktop.version,
      architecture: process.arch === 'arm64' ? 'arm' : 'x86',
      bitness: '64',
      model: '',
    },
  };
}

export function majorOf(version: string): number {
  return Number.parseInt(version, 10);
}
