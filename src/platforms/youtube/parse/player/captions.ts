import { count, defined, dig, type Fields, list, text } from '../../../../parsing/values.ts';
import { isoFromSeconds } from '../dates.ts';
import { readText } from '../text.ts';

/** A track of captions. */
export interface CaptionTrack {
  /** Such as `en` or `pt-BR`. */
  readonly language: string;
  readonly name?: string;
  /** `auto` for speech recognition. */
  readonly kind: 'manual' | 'auto';
  /** Whether the site can translate it. */
  readonly translatable: boolean;
  /** A temporary link to the captions as XML. */
  readonly url: string;
  /** When the link dies, in ISO 8601. */
  readonly expiresAt?: string;
}

/** The captions of a video. */
export interface Captions {
  readonly tracks: readonly CaptionTrack[];
  /** The one that belongs to the spoken language; absent where there are none. */
  readonly primary?: CaptionTrack;
}

/** More tracks than any video has had. */
const MAX_TRACKS = 500;

/** Reads the list of captions in the first of some players' responses that has one. */
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
  const expiresAt = isoFromSeconds(url.searchParams.get('expire'));
  return {
    language,
    ...defined({ name }),
    kind: dig(node, 'kind') === 'asr' ? 'auto' : 'manual',
    translatable: dig(node, 'isTranslatable') === true,
    url: url.href,
    ...defined({ expiresAt }),
  };
}

/** Captions are fetched from the site itself and from nowhere else. */
function captionUrl(value: unknown): URL | undefined {
  const url = typeof value === 'string' ? URL.parse(value, 'https://www.youtube.com') : null;
  return url?.origin === 'https://www.youtube.com' && url.pathname === '/api/timedtext' ? url : undefined;
}

/** The track that the site turns on by itself for the sound that it would play. */
function defaultTrack(renderer: unknown, tracks: readonly (CaptionTrack | undefined)[]): CaptionTrack | undefined {
  const audioTrack = list(dig(renderer, 'audioTracks'))[count(dig(renderer, 'defaultAudioTrackIndex')) ?? 0];
  const index = count(dig(audioTrack, 'defaultCaptionTrackIndex'));
  return index === undefined ? undefined : tracks[index];
}

/** Speech is recognised in the language that is spoken; what people wrote in it comes first. */
function spokenLanguageTrack(tracks: readonly CaptionTrack[]): CaptionTrack | undefined {
  const autoTrack = tracks.find(({ kind }) => kind === 'auto');
  return tracks.find(({ kind, language }) => kind === 'manual' && language === autoTrack?.language) ?? autoTrack;
}
