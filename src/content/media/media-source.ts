/** Recordings: the names of two formats. */
export const MEDIA_KINDS = ['audio', 'video'] as const;
export type MediaKind = (typeof MEDIA_KINDS)[number];

/** Where a recording is. */
export interface MediaSource {
  /** Absolute, http or https. */
  address: string;
  /** A manifest that names pieces of the recording, not a file of it. */
  isStream: boolean;
}

/** The recordings of a page, the most likely main one first. */
export type MediaSources = Record<MediaKind, MediaSource[]>;

const EXTENSIONS: Readonly<Record<MediaKind, RegExp>> = {
  audio: /\.(?:mp3|m4a|m4b|aac|oga|ogg|opus|wav|flac|weba)$/i,
  video: /\.(?:mp4|m4v|webm|ogv|mov|mkv|avi|mpe?g|3gp)$/i,
};
const STREAM_TYPE = /mpegurl|dash\+xml|vnd\.ms-sstr\+xml/i;
const STREAM_PATH = /\.(?:m3u8|mpd|ism\/manifest)$/i;
/** Pieces of a stream. */
const SEGMENT = /\.(?:ts|m4s|cmfv|cmfa|m2ts)$|video\/mp2t|iso\.segment/i;

/**
 * What kind of recording an address leads to, by its media type and its path; undefined for anything else. Of what can be both,
 * such as a manifest, `otherwise` decides.
 */
export function mediaAt(
  address: string,
  type = '',
  otherwise?: MediaKind,
): { kind: MediaKind; source: MediaSource } | undefined {
  const { pathname } = new URL(address);
  if (STREAM_TYPE.test(type) || STREAM_PATH.test(pathname)) {
    return { kind: otherwise ?? 'video', source: { address, isStream: true } };
  }
  if (SEGMENT.test(pathname) || SEGMENT.test(type)) return undefined;
  const byType = MEDIA_KINDS.find((kind) => type.toLowerCase().startsWith(`${kind}/`));
  const byPath = MEDIA_KINDS.find((kind) => EXTENSIONS[kind].test(pathname));
  const kind = otherwise ?? byType ?? byPath;
  return kind && { kind, source: { address, isStream: false } };
}

/** Adds a source unless it is known. */
export function addSource(sources: MediaSources, found: ReturnType<typeof mediaAt>): void {
  if (found === undefined) return;
  const list = sources[found.kind];
  const isKnown = list.some(({ address }) => address === found.source.address);
  if (!isKnown && list.length < MAX_SOURCES) list.push(found.source);
}

const MAX_SOURCES = 50;
