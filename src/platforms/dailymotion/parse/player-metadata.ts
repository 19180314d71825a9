import { MillraceError } from '../../../contract/errors.ts';
import type { Picture } from '../../../parsing/picture.ts';
import { count, defined, type Fields, fields, flag, isFields, list, text } from '../../../parsing/values.ts';
import { parseSiteJson } from '../../reading.ts';
import { httpSiteUrl } from '../../site-urls.ts';
import { countKinds, type UnreadKinds, UnreadResponseError, unreadResponse } from '../../unread.ts';
import { isVideoId, recognise } from '../links.ts';
import { parsePictures } from './pictures.ts';
import { findRefusal, type Refusal } from './refusal.ts';

/** A channel, as player metadata and REST responses describe it. */
export interface Owner {
  readonly id?: string;
  readonly name?: string;
  readonly handle?: string;
  readonly url?: string;
  readonly type?: string;
  readonly avatars: readonly Picture[];
}

/** A subtitle file. */
interface Subtitle {
  readonly language: string;
  readonly label?: string;
  readonly url: string;
}

/** A stream that the metadata itself lists, by the site's quality number (`"480"`). */
export interface NamedStream {
  readonly quality: string;
  readonly url: string;
}

/** The player's metadata for a video. Only the first member and the lists are always present. */
export interface VideoMetadata {
  /** The public ID, also when the video was requested by a share key. */
  readonly id: string;
  readonly title?: string;
  readonly url?: string;
  /** Seconds; absent for live streams. */
  readonly duration?: number;
  /** Seconds since 1970. */
  readonly createdTime?: number;
  /** The site's category. */
  readonly channel?: string;
  readonly language?: string;
  readonly mode?: string;
  readonly isLive: boolean;
  readonly explicit?: boolean;
  readonly madeForKids?: boolean;
  readonly isPrivate?: boolean;
  readonly passwordProtected: boolean;
  /** Whether the video's streams are DRM-protected. */
  readonly protectedDelivery: boolean;
  readonly verified?: boolean;
  readonly owner?: Owner;
  readonly tags: readonly string[];
  readonly thumbnails: readonly Picture[];
  readonly firstFrames: readonly Picture[];
  readonly subtitles: readonly Subtitle[];
  readonly seekerUrl?: string;
  readonly filmstripUrl?: string;
  /** Master playlists, the preferred one first. */
  readonly masters: readonly string[];
  /** Playlists of one quality each, which repeat streams of a master playlist. */
  readonly playlists: readonly NamedStream[];
  /** Whole files of one quality each. */
  readonly files: readonly NamedStream[];
  /** Streams and subtitles of unknown kinds. */
  readonly unreadStreams: UnreadKinds;
  readonly unreadSubtitles: UnreadKinds;
}

/** The player's metadata after parsing: a video, or the site's refusal. */
export type MetadataResult =
  | { readonly video: VideoMetadata; readonly refusal?: never }
  | { readonly refusal: Refusal; readonly video?: never };

/** Maximum length of lists. The site's own lists are shorter. */
const MAX_ITEMS = 500;
const MAX_TYPE = 80;

/**
 * Reads the player's metadata. Parses the body before it checks the status, because refusals arrive with any status.
 *
 * @throws MillraceError `non_2xx_response` for a body that is not video JSON (such as a challenge page).
 * `invalid_response_data` if the body is truncated or the video has no ID (an {@link UnreadResponseError}).
 */
export function parseMetadata(body: string, status: number): MetadataResult {
  const data = parseSiteJson(body);
  const refusal = findRefusal(data, status);
  if (refusal !== undefined) return { refusal };
  const isSuccess = status >= 200 && status <= 299;
  if (isSuccess && data === undefined && body.trimStart().startsWith('{')) {
    throw new MillraceError('invalid_response_data', 'The site returned truncated or damaged data. Try again.');
  }
  if (!isFields(data) || !isSuccess) {
    throw new MillraceError(
      'non_2xx_response',
      `The site returned status ${status} without video data. Try again in a moment.`,
    );
  }
  const url = httpSiteUrl(data.url);
  const id = text(data.id) ?? recognise(url ?? '') ?? '';
  if (!isVideoId(id)) {
    throw unreadResponse('Dailymotion returned the video', { video: 1 });
  }
  const owner = parseOwner(data.owner);
  return {
    video: {
      ...defined({
        id,
        title: text(data.title),
        url,
        duration: count(data.duration) || undefined,
        createdTime: count(data.created_time),
        channel: text(data.channel),
        language: text(data.language),
        mode: text(data.mode),
        explicit: flag(data.explicit),
        madeForKids: flag(data.is_created_for_kids),
        isPrivate: flag(data.private),
        verified: flag(data.verified),
        owner,
        seekerUrl: httpSiteUrl(data.seeker_url),
        filmstripUrl: httpSiteUrl(data.filmstrip_url),
      }),
      isLive: data.mode === 'live' || data.stream_type === 'live',
      passwordProtected: data.is_password_protected === true,
      protectedDelivery: data.protected_delivery === true,
      tags: list(data.tags)
        .slice(0, MAX_ITEMS)
        .flatMap((tag) => text(tag) ?? []),
      thumbnails: [data.thumbnails, data.posters].map(parsePictures).find(({ length }) => length > 0) ?? [],
      firstFrames: parsePictures(data.first_frames),
      ...parseSubtitles(data.subtitles),
      ...parseQualities(data.qualities),
    },
  };
}

function parseOwner(value: unknown): Owner | undefined {
  const owner = fields(value);
  const members = defined({
    id: text(owner.id),
    name: text(owner.screenname),
    handle: text(owner.username),
    url: httpSiteUrl(owner.url),
    type: text(owner.type),
  });
  if (Object.keys(members).length === 0) return undefined;
  return { ...members, avatars: parsePictures(owner.avatars) };
}

/** Reads `{data: {lang: {label, urls[]}}}`. The site sends an empty list if there are none. */
function parseSubtitles(value: unknown): Pick<VideoMetadata, 'subtitles' | 'unreadSubtitles'> {
  const data = Array.isArray(value) ? value : fields(value).data;
  const tracks = Object.entries(Object(data ?? [])).slice(0, MAX_ITEMS);
  const subtitles = tracks.flatMap(([language, track]): Subtitle[] => {
    const { label, urls } = fields(track);
    const url = list(urls)
      .map(httpSiteUrl)
      .find((link) => link !== undefined);
    return url === undefined || Array.isArray(data) ? [] : [{ language, url, ...defined({ label: text(label) }) }];
  });
  const unreadTracks = data === undefined && fields(value).enable === true ? 1 : tracks.length - subtitles.length;
  return { subtitles, unreadSubtitles: unreadTracks > 0 ? { subtitle: unreadTracks } : {} };
}

/** A kind of stream that the player does not use. Other programs skip it as well. */
const skippedType = 'application/vnd.lumberjack.manifest';

const playlistTypes = ['application/x-mpegurl', 'application/vnd.apple.mpegurl'];

type Streams = Pick<VideoMetadata, 'masters' | 'playlists' | 'files' | 'unreadStreams'>;

/** Reads `{auto: [{type, url}], "480": [{type, url}], …}`. Streams of unknown types are counted by type. */
function parseQualities(value: unknown): Streams {
  if (typeof value !== 'object' || value === null) return streamsOf([], { qualities: 1 });
  const entries = Object.entries(value)
    .slice(0, MAX_ITEMS)
    .flatMap(([quality, streams]) => [streams].flat().map((stream) => ({ quality, stream: fields(stream) })))
    .slice(0, MAX_ITEMS)
    .map(({ quality, stream }) => ({ quality, url: httpSiteUrl(stream.url), type: typeOf(stream) }))
    .filter(({ type }) => type !== skippedType);
  const unread = entries.filter((entry) => !isStream(entry)).map(({ type }) => type);
  return streamsOf(entries.filter(isStream), countKinds(unread));
}

type Stream = NamedStream & { readonly type: string };

function streamsOf(streams: readonly Stream[], unreadStreams: UnreadKinds): Streams {
  const playlists = streams.filter(({ type }) => playlistTypes.includes(type));
  const named = (list: readonly Stream[]) =>
    list.filter(({ quality }) => isNumbered(quality)).map(({ quality, url }) => ({ quality, url }));
  return {
    masters: playlists
      .filter(({ quality }) => !isNumbered(quality))
      .toSorted((a, b) => Number(b.quality === 'auto') - Number(a.quality === 'auto'))
      .map(({ url }) => url),
    playlists: named(playlists),
    files: named(streams.filter(({ type }) => !playlistTypes.includes(type))),
    unreadStreams,
  };
}

function isStream(stream: { quality: string; url: string | undefined; type: string }): stream is Stream {
  const isFile = stream.type === 'video/mp4' && isNumbered(stream.quality);
  return stream.url !== undefined && (isFile || playlistTypes.includes(stream.type));
}

/** Returns the media type of a stream, or `stream` if it has none. */
function typeOf({ type }: Fields): string {
  return text(type)?.toLowerCase().slice(0, MAX_TYPE) ?? 'stream';
}

function isNumbered(quality: string): boolean {
  return /^\d{2,4}(@\d+)?$/.test(quality);
}
