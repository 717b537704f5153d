import { MEDIA_KINDS, type MediaKind, type MediaSource, type MediaSources } from '../content/media/media-source.ts';
import { TrawlError } from '../errors.ts';
import type { FetchedPage } from '../fetch/types.ts';
import type { SiteFetcher } from '../site/site-fetcher.ts';
import { MAX_ARTIFACT_BYTES } from './artifact-limits.ts';
import { climb } from './climb/climb.ts';
import type { ScrapedDocument } from './document.ts';
import { preferredLanguages } from './languages.ts';
import type { Artifact, EnrichStage, StageContext } from './stages.ts';
import { warningField } from './warnings.ts';

const NO_SOURCES: MediaSources = { audio: [], video: [] };

/**
 * Downloads the main recording of a page for the formats `audio` and `video`. A browser is asked only where the HTML names none.
 * @param keepMs how long it can be downloaded from here
 */
export function mediaStage(keepMs: number): EnrichStage {
  return {
    isFor: ({ formats }) => MEDIA_KINDS.some((kind) => formats.includes(kind)),
    async enrich({ media = NO_SOURCES, played, ...document }, context, fetcher) {
      const kinds = MEDIA_KINDS.filter((kind) => context.request.formats.includes(kind));
      const artifacts: Artifact[] = [];
      const warnings = [document.warning];
      const inBrowser = played ?? (await playedBy(kinds, media, context, fetcher));
      for (const kind of kinds) {
        document[kind] = null;
        const sources = [...media[kind], ...inBrowser[kind]];
        const found = await downloadMain(kind, sources, document, context, fetcher);
        if (typeof found === 'string') warnings.push(found);
        else artifacts.push({ ...found, keepMs, addTo: writeTo(kind) });
      }
      return { document: { ...document, ...warningField(warnings) }, artifacts };
    },
  };
}

function writeTo(kind: MediaKind): Artifact['addTo'] {
  return (document, address) => {
    document[kind] = address;
  };
}

/** What a browser plays, if the HTML lacks a kind. */
async function playedBy(
  kinds: readonly MediaKind[],
  media: MediaSources,
  context: StageContext,
  fetcher: SiteFetcher,
): Promise<MediaSources> {
  if (kinds.every((kind) => media[kind].length > 0) || isOffline(context)) return NO_SOURCES;
  try {
    const { rendered } = await climb(fetcher, context, 'browser');
    return rendered?.media ?? NO_SOURCES;
  } catch (error) {
    context.deadline.check();
    // Without a browser the page still has what its HTML says.
    if (error instanceof TrawlError) return NO_SOURCES;
    throw error;
  }
}

/** The bytes of the first source that is a file, or the reason why there are none. */
async function downloadMain(
  kind: MediaKind,
  sources: readonly MediaSource[],
  { metadata }: ScrapedDocument,
  context: StageContext,
  fetcher: SiteFetcher,
): Promise<Pick<Artifact, 'type' | 'bytes'> | string> {
  const file = sources.find(({ isStream }) => !isStream);
  const stream = sources.find(({ isStream }) => isStream);
  if (file === undefined && stream === undefined) return `The page plays and links no ${kind} that could be found.`;
  if (file === undefined) return `The ${kind} of the page is a stream, which is not downloaded: ${stream?.address}`;
  const { address } = file;
  if (isOffline(context)) return `The ${kind} is not downloaded, because only the cache may be used: ${address}`;
  const { deadline } = context;
  try {
    const page = await fetcher.fetch(requestOf(address, metadata.url, context));
    return reasonAgainst(page, kind) ?? { type: page.contentType, bytes: page.body };
  } catch (error) {
    deadline.check();
    if (!(error instanceof TrawlError)) throw error;
    return `The ${kind} at ${address} could not be downloaded: ${error.message}`;
  }
}

function requestOf(address: string, pageUrl: string, { request, deadline, share }: StageContext) {
  const { headers, mobile, location, verifyTls, proxy } = request;
  // The headers of the caller may hold a password for the site of the page.
  const own = new URL(address).origin === new URL(pageUrl).origin ? headers : {};
  return {
    ...{ url: address, mobile, verifyTls, proxy, deadline, share },
    headers: { referer: pageUrl, ...own },
    languages: preferredLanguages(location),
  };
}

function reasonAgainst({ url, status, contentType, body }: FetchedPage, kind: MediaKind): string | undefined {
  const limit = MAX_ARTIFACT_BYTES / 1_048_576;
  if (status >= 400) return `The ${kind} at ${url} could not be downloaded: the site answers with status ${status}.`;
  if (!/^(?:audio|video)\/|^application\/ogg$/.test(contentType))
    return `The ${kind} at ${url} could not be downloaded: it is of type ${contentType}.`;
  if (body.byteLength > MAX_ARTIFACT_BYTES) return `The ${kind} at ${url} is larger than ${limit} MB and not kept.`;
  return undefined;
}

/** Whether no connection may be made for the request. */
function isOffline({ request: { lockdown, minAge } }: StageContext): boolean {
  return lockdown || minAge !== undefined;
}
