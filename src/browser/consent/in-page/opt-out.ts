import type { BannerElement } from './dom.ts';

/** What of @duckduckgo/autoconsent runs here. */
export interface ConsentPlatform {
  readonly name: string;
  readonly isCosmetic: boolean;
  readonly isIntermediate: boolean;
  readonly prehideSelectors?: readonly string[];
  /** Of the platform that stands for banners of unknown make. */
  readonly popups?: readonly { readonly element: BannerElement }[];
  detectPopup(): Promise<boolean>;
  optOut(): Promise<boolean>;
}

export type ConsentLibrary = new (
  send: () => Promise<void>,
  config: null,
  rules: { autoconsent: []; compact: unknown },
) => {
  readonly state: { findCmpAttempts: number };
  initialize(config: object, rules: null): void;
  findCmp(retries: number): Promise<ConsentPlatform[]>;
};

export interface OptOut {
  /** Whether something was clicked. */
  isClicked: boolean;
  /** Selectors of what the platform shows. */
  selectors: string[];
}

/** Runs in the page, among its scripts, because some platforms are driven by their own objects: declines what a banner asks for. */
export async function optOut(Library: ConsentLibrary, rules: unknown, limitMs: number): Promise<OptOut> {
  const nothing: OptOut = { isClicked: false, selectors: [] };

  function within<T>(work: Promise<T>, otherwise: T): Promise<T> {
    return Promise.race([work, new Promise<T>((resolve) => setTimeout(() => resolve(otherwise), limitMs))]);
  }

  /** Banners of unknown make are left to others unless they offer to decline: that alone is clicked. */
  async function decline(platform: ConsentPlatform): Promise<boolean> {
    if (platform.popups !== undefined && !platform.name.endsWith('-REJECT')) return false;
    return within(
      platform.optOut().catch(() => false),
      false,
    );
  }

  const consent = new Library(async () => {}, null, { autoconsent: [], compact: rules });
  // Not enabled: it would look for a banner again and again on its own.
  consent.initialize({ enabled: false, isMainWorld: true, heuristicMode: 'reject', logs: {} }, null);
  // It looks for banners of unknown make in every second round alone.
  consent.state.findCmpAttempts = 1;
  const found = await within(consent.findCmp(0), []);
  found.sort((a, b) => Number(a.isCosmetic) - Number(b.isCosmetic));
  for (const platform of found) {
    if (
      !(await within(
        platform.detectPopup().catch(() => false),
        false,
      ))
    )
      continue;
    const isClicked = await decline(platform);
    const selectors = [...(platform.prehideSelectors ?? [])].filter((selector) => !selector.startsWith('xpath/'));
    return { isClicked: isClicked && !platform.isIntermediate, selectors };
  }
  return nothing;
}
