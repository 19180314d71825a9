import { MillraceError } from '../../../contract/errors.ts';
import type { Picture } from '../../../parsing/picture.ts';
import { count, defined, fields, flag, httpUrl, isFields, list, parseJson, text } from '../../../parsing/values.ts';
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
}

/** The player's metadata after parsing: a video, or the site's refusal. */
export type MetadataResult =
  | { readonly video: VideoMetadata; readonly refusal?: never }
  | { readonly refusal: Refusal; readonly video?: never };

/** Maximum length of lists. The site's own lists are shorter. */
const MAX_ITEMS = 500;

/**
 * Reads the player's metadata. Parses the body before it checks the status, because refusals arrive with any status.
 *
 * @throws MillraceError `non_2xx_response` for a body that is not video JSON (such as a challenge page).
 * `invalid_response_data` if the body is truncated or the video has no ID.
 */
export function parseMetadata(body: string, status: number): MetadataResult {
  const data = parseJson(body);
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
  const url = httpUrl(data.url);
  const id = text(data.id) ?? recognise(url ?? '') ?? '';
  if (!isVideoId(id)) {
    throw new MillraceError('invalid_response_data', 'The site returned video data without an ID.');
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
        seekerUrl: httpUrl(data.seeker_url),
        filmstripUrl: httpUrl(data.filmstrip_url),
      }),
      isLive: data.mode === 'live' || data.stream_type === 'live',
      passwordProtected: data.is_password_protected === true,
      protectedDelivery: data.protected_delivery === true,
      tags: list(data.tags)
        .slice(0, MAX_ITEMS)
        .flatMap((tag) => text(tag) ?? []),
      thumbnails: [data.thumbnails, data.posters].map(parsePictures).find(({ length }) => length > 0) ?? [],
      firstFrames: parsePictures(data.first_frames),
      subtitles: parseSubtitles(fields(data.subtitles).data),
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
    url: httpUrl(owner.url),
    type: text(owner.type),
  });
  if (Object.keys(members).length === 0) return undefined;
  return { ...members, avatars: parsePictures(owner.avatars) };
}

/** Reads `{lang: {label, urls[]}}`. The site sends an empty list if there are none. */
function parseSubtitles(value: unknown): readonly Subtitle[] {
  return Object.entries(fields(value))
    .slice(0, MAX_ITEMS)
    .flatMap(([language, track]) => {
      const { label, urls } = fields(track);
      const url = list(urls)
        .map(httpUrl)
        .find((link) => link !== undefined);
      return url === undefined ? [] : [{ language, url, ...defined({ label: text(label) }) }];
    });
}

/** Reads `{auto: [{type, url}], "480": [{type, url}], …}`. Omits other types, such as Lumberjack manifests. */
function parseQualities(value: unknown): Pick<VideoMetadata, 'masters' | 'playlists' | 'files'> {
  const streams = Object.entries(fields(value)).flatMap(([quality, entries]) =>
    list(entries)
      .slice(0, MAX_ITEMS)
      .flatMap((entry) => {
        const url = httpUrl(fields(entry).url);
        const type = text(fields(entry).type)?.toLowerCase();
        return url === undefined ? [] : [{ quality, url, type }];
      }),
  );
  const ofType = (...types: string[]) =>
    streams.slice(0, MAX_ITEMS).filter(({ type }) => type !== undefined && types.includes(type));
  const playlists = ofType('application/x-mpegurl', 'application/vnd.apple.mpegurl');
  const namedStream = ({ quality, url }: NamedStream): NamedStream[] =>
    /^\d{2,4}(@\d+)?$/.test(quality) ? [{ quality, url }] : [];
  return {
    masters: playlists.filter(({ quality }) => quality === 'auto').map(({ url }) => url),
    playlists: playlists.flatMap(namedStream),
    files: ofType('video/mp4').flatMap(namedStream),
  };
}
