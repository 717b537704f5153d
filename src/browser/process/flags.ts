import { EGRESS_FLAGS } from './egress-flags.ts';

/** What the driver of playwright-core relies on; its own list is in chromiumSwitches.ts. */
const DRIVER = [
  '--allow-pre-commit-input',
  '--disable-back-forward-cache',
  '--disable-field-trial-config',
  '--disable-hang-monitor',
  '--disable-ipc-flooding-protection',
  '--disable-popup-blocking',
  '--disable-prompt-on-repost',
  '--enable-features=CDPScreenshotNewSurface,SkipListAccountsWithoutGaiaCookies',
  '--enable-unsafe-swiftshader',
  '--force-color-profile=srgb',
  '--unsafely-disable-devtools-self-xss-warnings',
];

/** Pages that nobody sees run as quickly as one in front, and look like one with a mouse. */
const PAGES = [
  '--blink-settings=primaryHoverType=2,availableHoverTypes=2,primaryPointerType=4,availablePointerTypes=4',
  '--disable-background-timer-throttling',
  '--disable-backgrounding-occluded-windows',
  '--disable-blink-features=AutomationControlled',
  '--disable-renderer-backgrounding',
  '--hide-scrollbars',
  '--mute-audio',
];

/** No dialogs, keyrings or reports of crashes: a process that reports crashes would outlive Chromium. */
const SERVICE = [
  '--disable-breakpad',
  '--disable-crash-reporter',
  '--disable-component-extensions-with-background-pages',
  '--disable-default-apps',
  '--disable-extensions',
  '--disable-search-engine-choice-screen',
  '--metrics-recording-only',
  '--no-default-browser-check',
  '--no-first-run',
  '--no-service-autorun',
  '--password-store=basic',
  '--use-mock-keychain',
];

const DISABLED_FEATURES = [
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'ThirdPartyStoragePartitioning',
];

export interface FlagOptions {
  profile: string;
  sandbox: boolean;
  /** Whether /dev/shm has room for what the processes of Chromium share. */
  hasSharedMemory: boolean;
}

/** The command line of Chromium: headless, driven over a pipe. */
export function chromiumFlags({ profile, sandbox, hasSharedMemory }: FlagOptions): string[] {
  return [
    '--headless',
    '--remote-debugging-pipe',
    '--no-startup-window',
    `--user-data-dir=${profile}`,
    `--disable-features=${DISABLED_FEATURES.join(',')}`,
    ...EGRESS_FLAGS,
    ...DRIVER,
    ...PAGES,
    ...SERVICE,
    ...(sandbox ? [] : ['--no-sandbox']),
    ...(hasSharedMemory ? [] : ['--disable-dev-shm-usage']),
  ];
}
