import type { Container } from '../media/recipes.ts';

/** Form of the segments in a track's media playlist. */
export interface PlaylistKind {
  readonly about: string;
  readonly container: Container;
  /** Segments are byte ranges of one file. Either all of them have an offset, or only the segments that require one. */
  readonly ranges?: 'explicit' | 'implicit';
  /** Segments are encrypted. The initialization vector is in the playlist or derived from the segment number. */
  readonly iv?: Vector;
  /**
   * Number of titles that follow the first one, each with a different look. Their timestamps start again from the
   * beginning.
   */
  readonly extraTitles?: number;
  /**
   * From the second segment of each title on, the EXT-X-MAP of the video has a different address, but the same bytes.
   */
  readonly changesMapUrl?: true;
  /** Track of the additional titles, if their video size differs. */
  readonly joinedSize?: string;
  /** Only the first segment has the parameter sets of the video. */
  readonly isBare?: true;
  /** Players display the additional titles rotated by 90°. */
  readonly joinedTurned?: true;
}

/** Source of the initialization vector of an encrypted segment. */
export type Vector = 'explicit' | 'derived';

/** Master playlist of a title. */
export interface MasterKind {
  readonly about: string;
  /** Media playlists that the master playlist refers to. */
  readonly playlist: keyof typeof hlsPlaylists;
  /** Whether the audio has its own playlist. */
  readonly separate: boolean;
  /** Whether the master playlist has audio in other languages and of a lower quality, subtitles and captions. */
  readonly languages?: true;
}

/** Media playlists of a track, by name. */
export const hlsPlaylists = {
  'index.m3u8': { about: 'MPEG-TS', container: 'ts' },
  'fmp4.m3u8': { about: 'fragmented MP4: EXT-X-MAP and .m4s', container: 'fmp4' },
  'ranges.m3u8': { about: 'byte ranges of one MPEG-TS file', container: 'ts', ranges: 'explicit' },
  'ranges-implicit.m3u8': { about: 'the same without offsets', container: 'ts', ranges: 'implicit' },
  'fmp4-ranges.m3u8': { about: 'byte ranges of one fragmented MP4', container: 'fmp4', ranges: 'explicit' },
  'fmp4-ranges-implicit.m3u8': { about: 'the same without offsets', container: 'fmp4', ranges: 'implicit' },
  'aes.m3u8': { about: 'MPEG-TS in AES-128, vector in the playlist', container: 'ts', iv: 'explicit' },
  'aes-derived.m3u8': { about: 'MPEG-TS in AES-128, vector from the sequence number', container: 'ts', iv: 'derived' },
  'discontinuity.m3u8': { about: 'two titles in MPEG-TS', container: 'ts', extraTitles: 1 },
  'fmp4-discontinuity.m3u8': { about: 'two titles in fragmented MP4', container: 'fmp4', extraTitles: 1 },
  'restarts.m3u8': { about: 'four titles in MPEG-TS', container: 'ts', extraTitles: 3 },
  'many-restarts.m3u8': { about: 'thirty titles in MPEG-TS', container: 'ts', extraTitles: 29 },
  'fmp4-restarts.m3u8': { about: 'four titles in fragmented MP4', container: 'fmp4', extraTitles: 3 },
  'fmp4-restarts-remapped.m3u8': {
    about: 'four titles in fragmented MP4; the EXT-X-MAP of the video changes within each',
    container: 'fmp4',
    extraTitles: 3,
    changesMapUrl: true,
  },
  'resized.m3u8': {
    about: 'two titles in MPEG-TS, the second in 144p',
    container: 'ts',
    extraTitles: 1,
    joinedSize: '144',
  },
  'short.m3u8': { about: 'MPEG-TS of one second, most of which begins between key frames', container: 'short' },
  'fmp4-short.m3u8': { about: 'the same in fragmented MP4', container: 'fmp4-short' },
  'setup-once.m3u8': {
    about: 'MPEG-TS with the parameter sets of the video in the first segment only',
    container: 'ts',
    isBare: true,
  },
  'fmp4-turned.m3u8': {
    about: 'two titles in fragmented MP4, the second rotated by 90°',
    container: 'fmp4',
    extraTitles: 1,
    joinedTurned: true,
  },
} as const satisfies Record<string, PlaylistKind>;

/** Master playlists of a title, by name. */
export const hlsMasters = {
  'master.m3u8': { about: 'video and audio together, MPEG-TS', playlist: 'index.m3u8', separate: false },
  'master-fmp4.m3u8': { about: 'video and audio together, fragmented MP4', playlist: 'fmp4.m3u8', separate: false },
  'master-audio.m3u8': { about: 'audio in an audio group, MPEG-TS', playlist: 'index.m3u8', separate: true },
  'master-audio-fmp4.m3u8': { about: 'audio in an audio group, fragmented MP4', playlist: 'fmp4.m3u8', separate: true },
  'master-audio-restarts.m3u8': {
    about: 'four titles, audio in an audio group',
    playlist: 'restarts.m3u8',
    separate: true,
  },
  'master-audio-fmp4-restarts.m3u8': {
    about: 'four titles in fragmented MP4, audio in an audio group',
    playlist: 'fmp4-restarts.m3u8',
    separate: true,
  },
  'master-languages.m3u8': {
    about: 'audio in two qualities of three languages each, subtitles, captions',
    playlist: 'index.m3u8',
    separate: true,
    languages: true,
  },
  'master-audio-fmp4-restarts-remapped.m3u8': {
    about: 'the same, with more EXT-X-MAP tags in the video playlists',
    playlist: 'fmp4-restarts-remapped.m3u8',
    separate: true,
  },
} as const satisfies Record<string, MasterKind>;

/** Variants of every title's master playlists. */
export const masterVariants = ['180', '360', '720'] as const;

/** Finds a media playlist by name. */
export function playlistKind(name: string): PlaylistKind | undefined {
  return find(hlsPlaylists, name);
}

/** Finds a master playlist by name. */
export function masterKind(name: string): MasterKind | undefined {
  return find(hlsMasters, name);
}

function find<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}
