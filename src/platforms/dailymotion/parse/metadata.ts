import { MillraceError } from '../../../contract/errors.ts';
import type { Picture } from '../../../parsing/picture.ts';
import { count, defined, fields, flag, httpUrl, isFields, list, parseJson, text } from '../../../parsing/values.ts';
import { isVideoId, recognise } from '../links.ts';
import { parsePictures } from './pictures.ts';
import { findRefusal, type Refusal } from './refusal.ts';

/** A channel, as metadata and REST answers name it. */
export interface Owner {
  readonly id?: string;
  readonly name?: string;
  readonly handle?: string;
  readonly url?: string;
  readonly type?: string;
  readonly avatars: readonly Picture[];
}

/** A file of subtitles. */
export interface Subtitle {
  readonly language: string;
  readonly label?: string;
  readonly url: string;
}

/** A stream that the metadata itself names, by the site's quality number (`"480"`). */
export interface NamedStream {
  readonly quality: string;
  readonly url: string;
}

/** What the player's metadata say of a video; all but the first and the lists may be missing. */
export interface VideoMetadata {
  /** The public id, also when asked by a share key. */
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

/** What the site says when asked for a video. */
export type MetadataAnswer =
  | { readonly video: VideoMetadata; readonly refusal?: never }
  | { readonly refusal: Refusal; readonly video?: never };

/** Lists longer than this come from no honest answer; the rest of them is left out. */
const MAX_ITEMS = 500;

/**
 * Reads the player's metadata. The body is read before the status is judged, since a refusal comes with any of both.
 *
 * @throws MillraceError `non_2xx_response` for a body that is no answer to the question (a challenge page, say), and
 *   `invalid_response_data` where it breaks off or the video has no id.
 */
export function parseMetadata(body: string, status: number): MetadataAnswer {
  const answer = parseJson(body);
  const refusal = findRefusal(answer, status);
  if (refusal !== undefined) return { refusal };
  const succeeded = status >= 200 && status <= 299;
  if (succeeded && answer === undefined && body.trimStart().startsWith('{')) {
    throw new MillraceError(
      'invalid_response_data',
      'The site answered with data that break off or are damaged. Try again.',
    );
  }
  if (!isFields(answer) || !succeeded) {
    throw new MillraceError(
      'non_2xx_response',
      `The site answered with status ${status} and no video data. Try again in a moment.`,
    );
  }
  const url = httpUrl(answer.url);
  const id = text(answer.id) ?? recognise(url ?? '') ?? '';
  if (!isVideoId(id)) {
    throw new MillraceError('invalid_response_data', 'The site answered with video data that hold no id.');
  }
  const owner = parseOwner(answer.owner);
  return {
    video: {
      ...defined({
        id,
        title: text(answer.title),
        url,
        duration: count(answer.duration) || undefined,
        createdTime: count(answer.created_time),
        channel: text(answer.channel),
        language: text(answer.language),
        mode: text(answer.mode),
        explicit: flag(answer.explicit),
        madeForKids: flag(answer.is_created_for_kids),
        isPrivate: flag(answer.private),
        verified: flag(answer.verified),
        owner,
        seekerUrl: httpUrl(answer.seeker_url),
        filmstripUrl: httpUrl(answer.filmstrip_url),
      }),
      isLive: answer.mode === 'live' || answer.stream_type === 'live',
      passwordProtected: answer.is_password_protected === true,
      protectedDelivery: answer.protected_delivery === true,
      tags: list(answer.tags)
        .slice(0, MAX_ITEMS)
        .flatMap((tag) => text(tag) ?? []),
      thumbnails: [answer.thumbnails, answer.posters].map(parsePictures).find(({ length }) => length > 0) ?? [],
      firstFrames: parsePictures(answer.first_frames),
      subtitles: parseSubtitles(fields(answer.subtitles).data),
      ...parseQualities(answer.qualities),
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
  const named = ({ quality, url }: NamedStream): NamedStream[] =>
    /^\d{2,4}(@\d+)?$/.test(quality) ? [{ quality, url }] : [];
  return {
    masters: playlists.filter(({ quality }) => quality === 'auto').map(({ url }) => url),
    playlists: playlists.flatMap(named),
    files: ofType('video/mp4').flatMap(named),
  };
}
