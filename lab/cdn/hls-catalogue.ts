import type { Container } from '../media/recipes.ts';

/** A media playlist of a track: what its segments are. */
export interface PlaylistKind {
  readonly about: string;
  readonly container: Container;
  /** Segments are byte ranges of one file: each tells where it starts, or only those that must. */
  readonly ranges?: 'explicit' | 'implicit';
  /** Segments are encrypted: their vector stands in the playlist, or follows from their number. */
  readonly iv?: Vector;
  /** Titles that follow, each of the next look. Their clocks start again. */
  readonly extraTitles?: number;
  /** The EXT-X-MAP of the picture has another address from the second segment of each title on, but the same bytes. */
  readonly changesMapUrl?: true;
  /** The track of the titles that follow, if it is another size. */
  readonly joinedSize?: string;
  /** Players turn the titles that follow by 90°. */
  readonly joinedTurned?: true;
}

/** Where the initialization vector of an encrypted segment is from. */
export type Vector = 'explicit' | 'derived';

/** A master playlist of a title. */
export interface MasterKind {
  readonly about: string;
  /** The media playlists it leads to. */
  readonly playlist: keyof typeof hlsPlaylists;
  /** Whether sound has a playlist of its own. */
  readonly separate: boolean;
  /** Whether there is sound in other languages and of a lower quality, subtitles and captions. */
  readonly languages?: true;
}

/** The media playlists of a track, by name. */
export const hlsPlaylists = {
  'index.m3u8': { about: 'MPEG-TS', container: 'ts' },
  'fmp4.m3u8': { about: 'fragmented MP4: EXT-X-MAP and .m4s', container: 'fmp4' },
  'ranges.m3u8': { about: 'byte ranges of one MPEG-TS file', container: 'ts', ranges: 'explicit' },
  'ranges-implicit.m3u8': { about: 'the same, offsets left out', container: 'ts', ranges: 'implicit' },
  'fmp4-ranges.m3u8': { about: 'byte ranges of one fragmented MP4', container: 'fmp4', ranges: 'explicit' },
  'fmp4-ranges-implicit.m3u8': { about: 'the same, offsets left out', container: 'fmp4', ranges: 'implicit' },
  'aes.m3u8': { about: 'MPEG-TS in AES-128, vector in the playlist', container: 'ts', iv: 'explicit' },
  'aes-derived.m3u8': { about: 'MPEG-TS in AES-128, vector from the sequence number', container: 'ts', iv: 'derived' },
  'discontinuity.m3u8': { about: 'two titles in MPEG-TS', container: 'ts', extraTitles: 1 },
  'fmp4-discontinuity.m3u8': { about: 'two titles in fragmented MP4', container: 'fmp4', extraTitles: 1 },
  'restarts.m3u8': { about: 'four titles in MPEG-TS', container: 'ts', extraTitles: 3 },
  'many-restarts.m3u8': { about: 'thirty titles in MPEG-TS', container: 'ts', extraTitles: 29 },
  'fmp4-restarts.m3u8': { about: 'four titles in fragmented MP4', container: 'fmp4', extraTitles: 3 },
  'fmp4-restarts-remapped.m3u8': {
    about: 'four titles in fragmented MP4, whose picture changes its EXT-X-MAP within each',
    container: 'fmp4',
    extraTitles: 3,
    changesMapUrl: true,
  },
  'resized.m3u8': {
    about: 'two titles in MPEG-TS, the second one in 144p',
    container: 'ts',
    extraTitles: 1,
    joinedSize: '144',
  },
  'fmp4-turned.m3u8': {
    about: 'two titles in fragmented MP4, the second one turned by 90°',
    container: 'fmp4',
    extraTitles: 1,
    joinedTurned: true,
  },
} as const satisfies Record<string, PlaylistKind>;

/** The master playlists of a title, by name. */
export const hlsMasters = {
  'master.m3u8': { about: 'picture and sound together, MPEG-TS', playlist: 'index.m3u8', separate: false },
  'master-fmp4.m3u8': { about: 'picture and sound together, fragmented MP4', playlist: 'fmp4.m3u8', separate: false },
  'master-audio.m3u8': { about: 'sound in an audio group, MPEG-TS', playlist: 'index.m3u8', separate: true },
  'master-audio-fmp4.m3u8': { about: 'sound in an audio group, fragmented MP4', playlist: 'fmp4.m3u8', separate: true },
  'master-audio-restarts.m3u8': {
    about: 'four titles, sound in an audio group',
    playlist: 'restarts.m3u8',
    separate: true,
  },
  'master-audio-fmp4-restarts.m3u8': {
    about: 'four titles in fragmented MP4, sound in an audio group',
    playlist: 'fmp4-restarts.m3u8',
    separate: true,
  },
  'master-languages.m3u8': {
    about: 'sound in two qualities of three languages each, subtitles, captions',
    playlist: 'index.m3u8',
    separate: true,
    languages: true,
  },
  'master-audio-fmp4-restarts-remapped.m3u8': {
    about: 'the same, with more EXT-X-MAP in the playlists of the picture',
    playlist: 'fmp4-restarts-remapped.m3u8',
    separate: true,
  },
} as const satisfies Record<string, MasterKind>;

/** The variants of every title's master playlists. */
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
