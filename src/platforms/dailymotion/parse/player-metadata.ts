import { MillraceError } from '../../../contract/errors.ts';
import type { Picture } from '../../../parsing/picture.ts';
import { count, defined, fields, flag, httpUrl, isFields, list, parseJson, text } from '../../../parsing/values.ts';
import { isVideoId, recognise } from '../links.ts';
import { parsePictures } from './pictures.ts';
import { findRefusal, type Refusal } from './refusal.ts';

/** A channel, as metadata and REST responses name it. */
export interface Owner {
  readonly id?: string;
  readonly name?: string;
  readonly handle?: string;
  readonly url?: string;
  readonly type?: string;
  readonly avatars: readonly Picture[];
}

/** A file of subtitles. */
interface Subtitle {
  readonly language: string;
  readonly label?: string;
  readonly url: string;
}

/** A stream that the metadata itself names, by the site's quality number (`"480"`). */
export interface NamedStream {
  readonly quality: string;
  readonly url: string;
}

/** The player's metadata of a video; all but the first and the lists may be missing. */
export interface VideoMetadata {
  /** The public id, also for a request by a share key. */
  readonly id: string;
  readonly title?: string;
  readonly url?: string;
  /** Seconds; missing for live streams. */
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
  /** Whether its streams are under DRM. */
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
  /** Playlists of one quality each; they repeat what a master has. */
  readonly playlists: readonly NamedStream[];
  /** Whole files of one quality each. */
  readonly files: readonly NamedStream[];
}

/** The result of reading the player's metadata: a video, or the site's refusal. */
export type MetadataResult =
  | { readonly video: VideoMetadata; readonly refusal?: never }
  | { readonly refusal: Refusal; readonly video?: never };

/** Maximum length of lists; the site's own lists are shorter. */
const MAX_ITEMS = 500;

/**
 * Reads the player's metadata. The body is read before the status is judged, since a refusal comes with any of both.
 *
 * @throws MillraceError `non_2xx_response` for a body that is not JSON of a video (a challenge page, say), and
 *   `invalid_response_data` where it breaks off or the video has no id.
 */
export function parseMetadata(body: string, status: number): MetadataResult {
  const data = parseJson(body);
  const refusal = findRefusal(data, status);
  if (refusal !== undefined) return { refusal };
  const isSuccess = status >= 200 && status <= 299;
  if (isSuccess && data === undefined && body.trimStart().startsWith('{')) {
    throw new MillraceError(
      'invalid_response_data',
      'The site answered with data that break off or are damaged. Try again.',
    );
  }
  if (!isFields(data) || !isSuccess) {
    throw new MillraceError(
      'non_2xx_response',
      `The site answered with status ${status} and no video data. Try again in a moment.`,
    );
  }
  const url = httpUrl(data.url);
  const id = text(data.id) ?? recognise(url ?? '') ?? '';
  if (!isVideoId(id)) {
    throw new MillraceError('invalid_response_data', 'The site answered with video data that hold no id.');
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

/** Reads `{lang: {label, urls[]}}`; an empty list stands for none. */
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

/** Reads `{auto: [{type, url}], "480": [{type, url}], …}`; other types, such as Lumberjack manifests, are left out. */
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
