import { NotAPage } from '../browser/not-a-page.ts';
import type { RenderedPage, RenderRequest } from '../browser/types.ts';
import { TrawlError } from '../errors.ts';
import type { SiteFetcher } from '../site/site-fetcher.ts';
import type { ProfileLock } from '../store/operations/browser-profiles.ts';
import type { ScrapeRequest } from './request.ts';
import type { ScrapeServices } from './services.ts';

/** How much longer than its request a writer may take: saving begins before the time limit, and may have to wait. */
const SAVING_MS = 10_000;

type Services = Pick<ScrapeServices, 'store' | 'onError'>;

/**
 * Opens the profile of a request; undefined if it names none. Until the session is disposed of, nobody else can change the profile,
 * if the request does.
 * @throws TrawlError CONFLICT when another request is changing the profile, FORBIDDEN when the team has too many profiles
 */
export async function openProfile(
  services: Services,
  teamId: string,
  { profile, timeout }: Pick<ScrapeRequest, 'profile' | 'timeout'>,
): Promise<ProfileSession | undefined> {
  if (profile === undefined) return undefined;
  const { profiles } = services.store;
  const name = { teamId, name: profile.name };
  // Locked first: otherwise another writer could save between reading and locking.
  const lock = profile.saveChanges ? await profiles.lock(name, timeout + SAVING_MS) : undefined;
  const session = new ProfileSession(services, lock);
  try {
    session.state = await profiles.read(name);
    return session;
  } catch (error) {
    await session[Symbol.asyncDispose]();
    throw error;
  }
}

/** The use of one profile by one request. */
export class ProfileSession implements AsyncDisposable {
  /** What the browser starts from. */
  state: string | undefined;
  readonly #services: Services;
  readonly #lock: ProfileLock | undefined;
  #changed: string | undefined;

  /** @param lock undefined for one that only reads the profile */
  constructor(services: Services, lock: ProfileLock | undefined) {
    this.#services = services;
    this.#lock = lock;
  }

  /** Renders pages with the profile. */
  fetcherOf(fetcher: SiteFetcher): SiteFetcher {
    return { ...fetcher, render: (request) => this.#render(fetcher, request) };
  }

  /** Saves what the last page has left, if the profile is to be changed. */
  async save(): Promise<void> {
    if (this.#lock === undefined || this.#changed === undefined) return;
    await this.#services.store.profiles.save(this.#lock, this.#changed);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#lock === undefined) return;
    const { store, onError } = this.#services;
    // It expires by itself.
    await store.profiles
      .release(this.#lock)
      .catch((error) => onError(error, 'a browser profile stays locked until its lock expires'));
  }

  async #render(fetcher: SiteFetcher, request: RenderRequest): Promise<RenderedPage> {
    const profile = { state: this.state, saves: this.#lock !== undefined };
    const { rendered, ...page } = await fetcher.render({ ...request, profile }).catch((error: unknown) => {
      throw error instanceof NotAPage ? noPage(request.url, error) : error;
    });
    const { state, ...rest } = rendered;
    this.#changed = state;
    return { ...page, rendered: rest };
  }
}

/** A plain fetch would get it without the cookies of the profile. */
function noPage(url: string, cause: NotAPage): TrawlError {
  return new TrawlError(
    'SCRAPE_UNSUPPORTED_FILE_ERROR',
    `${url} is a file, and "profile" needs a page that a browser shows. Leave out "profile" to fetch it.`,
    { cause },
  );
}
