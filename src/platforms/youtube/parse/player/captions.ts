import { queryParameter } from '../../../../contract/query-parameters.ts';
import { count, defined, dig, type Fields, list, text } from '../../../../parsing/values.ts';
import { parseSiteUrl } from '../../../site-urls.ts';
import { isoFromSeconds } from '../dates.ts';
import { readText } from '../text.ts';

/** A caption track. */
export interface CaptionTrack {
  /** For example `en` or `pt-BR`. */
  readonly language: string;
  readonly name?: string;
  /** `auto` for speech recognition. */
  readonly kind: 'manual' | 'auto';
  /** Whether the site can translate it. */
  readonly translatable: boolean;
  /** A temporary link to the captions as XML. */
  readonly url: string;
  /** When the link expires, in ISO 8601. */
  readonly expiresAt?: string;
}

/** The captions of a video. */
export interface Captions {
  readonly tracks: readonly CaptionTrack[];
  /** The track in the spoken language; absent if there are none. */
  readonly primary?: CaptionTrack;
}

/** Maximum number of tracks, more than any video has had. */
const MAX_TRACKS = 500;

/** Reads the caption list of the first player response that has one. */
export function readCaptions(...responses: readonly (Fields | undefined)[]): Captions {
  const response = responses.find((one) => one?.captions !== undefined);
  const renderer = dig(response, 'captions', 'playerCaptionsTracklistRenderer');
  const allTracks = list(dig(renderer, 'captionTracks')).slice(0, MAX_TRACKS).map(readTrack);
  const tracks = allTracks.filter((track) => track !== undefined);
  const primary = defaultTrack(renderer, allTracks) ?? spokenLanguageTrack(tracks) ?? tracks[0];
  return { tracks, ...(primary === undefined ? {} : { primary }) };
}

function readTrack(node: unknown): CaptionTrack | undefined {
  const language = text(dig(node, 'languageCode'));
  const url = captionUrl(dig(node, 'baseUrl'));
  if (language === undefined || language.length > 50 || url === undefined) return undefined;
  const name = readText(dig(node, 'name'));
  const expiresAt = isoFromSeconds(queryParameter(url, 'expire'));
  return {
    language,
    ...defined({ name }),
    kind: dig(node, 'kind') === 'asr' ? 'auto' : 'manual',
    translatable: dig(node, 'isTranslatable') === true,
    url: url.href,
    ...defined({ expiresAt }),
  };
}

/** Reads a captions link. Captions are only fetched from the site itself. */
function captionUrl(value: unknown): URL | undefined {
  const url = typeof value === 'string' ? parseSiteUrl(value, 'https://www.youtube.com') : null;
  return url?.origin === 'https://www.youtube.com' && url.pathname === '/api/timedtext' ? url : undefined;
}

/** Returns the track that the site enables by default for its default audio track. */
function defaultTrack(renderer: unknown, tracks: readonly (CaptionTrack | undefined)[]): CaptionTrack | undefined {
  const audioTrack = list(dig(renderer, 'audioTracks'))[count(dig(renderer, 'defaultAudioTrackIndex')) ?? 0];
  const index = count(dig(audioTrack, 'defaultCaptionTrackIndex'));
  return index === undefined ? undefined : tracks[index];
}

/**
 * Returns a track in the spoken language, which is the language of the speech recognition track. Manual captions take
 * precedence.
 */
function spokenLanguageTrack(tracks: readonly CaptionTrack[]): CaptionTrack | undefined {
  const autoTrack = tracks.find(({ kind }) => kind === 'auto');
  return tracks.find(({ kind, language }) => kind === 'manual' && language === autoTrack?.language) ?? autoTrack;
}
