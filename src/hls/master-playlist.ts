import type { Steps } from '../waiting/steps.ts';
import { type Attributes, parseAttributes } from './attribute-list.ts';
import { parseDecimalInteger, parseDecimalNumber, parseResolution } from './attribute-values.ts';
import { type PlaylistKey, parseKey } from './encryption-keys.ts';
import type { PlaylistBounds } from './playlist-bounds.ts';
import { playlistFault } from './playlist-fault.ts';
import type { PlaylistLine } from './playlist-lines.ts';
import type { UriResolver } from './uri-resolver.ts';
import type { PlaylistVariables } from './variables.ts';

/** A variant of a master playlist (`EXT-X-STREAM-INF`). */
export interface Variant {
  /** URL of its media playlist. */
  readonly url: string;
  /** Peak bitrate in bits per second. */
  readonly bandwidth?: number;
  /** Average bitrate in bits per second. */
  readonly averageBandwidth?: number;
  /** Codec strings in the order written; empty if the playlist has none. */
  readonly codecs: readonly string[];
  /** In pixels. */
  readonly width?: number;
  readonly height?: number;
  /** Frames per second. */
  readonly frameRate?: number;
  /** The group of its audio {@link Rendition}s. */
  readonly audioGroup?: string;
  /** All attributes as written, both standard ones and others (`NAME`, `PROGRESSIVE-URI`). */
  readonly attributes: Attributes;
}

/** An alternative rendition (`EXT-X-MEDIA`): audio, video, subtitles or captions. */
export interface Rendition {
  /** `AUDIO`, `VIDEO`, `SUBTITLES` or `CLOSED-CAPTIONS`. */
  readonly type: string;
  readonly groupId: string;
  readonly name?: string;
  readonly language?: string;
  readonly isDefault: boolean;
  /** URL of its media playlist; absent if the rendition is contained in the variants. */
  readonly url?: string;
  readonly attributes: Attributes;
}

/** A master playlist. I-frame variants are omitted: they are for scrubbing, not for playback. */
export interface MasterPlaylist {
  readonly kind: 'master';
  readonly variants: readonly Variant[];
  readonly renditions: readonly Rendition[];
  /** Keys of the media playlists, announced for preloading. */
  readonly sessionKeys: readonly PlaylistKey[];
  /** Number of characters of its text and of all its resolved URLs together. */
  readonly characters: number;
  /** Its variables, which media playlists may import. */
  readonly variables: PlaylistVariables;
}

/** Tags that occur only in master playlists. */
export const masterPlaylistTags: ReadonlySet<string> = new Set([
  'EXT-X-STREAM-INF',
  'EXT-X-I-FRAME-STREAM-INF',
  'EXT-X-MEDIA',
  'EXT-X-SESSION-DATA',
  'EXT-X-SESSION-KEY',
]);

/**
 * Parses a master playlist.
 *
 * @throws MillraceError `invalid_response_data` for a variant without a URI, a URI without a variant, and a playlist
 * that exceeds the bounds.
 */
export function* parseMasterPlaylist(
  lines: Iterable<PlaylistLine>,
  resolve: UriResolver,
  bounds: PlaylistBounds,
): Steps<Omit<MasterPlaylist, 'variables' | 'characters'>> {
  const variants: Variant[] = [];
  const renditions: Rendition[] = [];
  const sessionKeys: PlaylistKey[] = [];
  let pending: { attributes: Attributes; line: number } | undefined;
  for (const line of lines) {
    yield undefined;
    if (line.kind === 'skipped') continue;
    if (line.kind === 'uri') {
      if (pending === undefined) throw playlistFault(line.number, 'is a URI without an EXT-X-STREAM-INF tag before it');
      if (variants.length >= bounds.variants) throw tooMany(line.number, bounds.variants);
      variants.push(parseVariant(pending.attributes, resolve(line.uri, line.number)));
      pending = undefined;
    } else if (line.name === 'EXT-X-STREAM-INF') {
      if (pending !== undefined) throw missingUri(pending.line);
      pending = { attributes: parseAttributes(line.value, line.number), line: line.number };
    } else if (line.name === 'EXT-X-MEDIA') {
      if (renditions.length >= bounds.variants) throw tooMany(line.number, bounds.variants);
      renditions.push(parseRendition(line.value, line.number, resolve));
    } else if (line.name === 'EXT-X-SESSION-KEY') {
      if (sessionKeys.length >= bounds.variants) throw tooMany(line.number, bounds.variants);
      const key = parseKey(line.value, line.number, resolve);
      if (key !== undefined) sessionKeys.push(key);
    }
  }
  if (pending !== undefined) throw missingUri(pending.line);
  return { kind: 'master', variants, renditions, sessionKeys };
}

function missingUri(line: number): Error {
  return playlistFault(line, 'is an EXT-X-STREAM-INF tag without a URI after it');
}

/**
 * Maximum number of codecs of one variant. Further codecs add no information, and each rendition of the variant's group
 * repeats them.
 */
const MAX_CODECS = 16;

function tooMany(line: number, max: number): Error {
  return playlistFault(line, `exceeds the limit of ${max} variants, renditions or keys`);
}

function parseVariant(attributes: Attributes, url: string): Variant {
  const bandwidth = parseDecimalInteger(attributes.get('BANDWIDTH'));
  const averageBandwidth = parseDecimalInteger(attributes.get('AVERAGE-BANDWIDTH'));
  const frameRate = parseDecimalNumber(attributes.get('FRAME-RATE'));
  const audioGroup = attributes.get('AUDIO');
  const codecs = (attributes.get('CODECS') ?? '').split(',', MAX_CODECS).map((codec) => codec.trim());
  return {
    url,
    ...(bandwidth === undefined ? {} : { bandwidth }),
    ...(averageBandwidth === undefined ? {} : { averageBandwidth }),
    codecs: codecs.filter((codec) => codec !== ''),
    ...parseResolution(attributes.get('RESOLUTION')),
    ...(frameRate === undefined ? {} : { frameRate }),
    ...(audioGroup === undefined ? {} : { audioGroup }),
    attributes,
  };
}

function parseRendition(value: string, line: number, resolve: UriResolver): Rendition {
  const attributes = parseAttributes(value, line);
  const name = attributes.get('NAME');
  const language = attributes.get('LANGUAGE');
  const uri = attributes.get('URI');
  return {
    type: attributes.get('TYPE') ?? '',
    groupId: attributes.get('GROUP-ID') ?? '',
    ...(name === undefined ? {} : { name }),
    ...(language === undefined ? {} : { language }),
    isDefault: attributes.get('DEFAULT') === 'YES',
    ...(uri === undefined ? {} : { url: resolve(uri, line) }),
    attributes,
  };
}
