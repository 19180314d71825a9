import { type FormName, formNames } from './clips.ts';
import { type SourceName, sourceNames, sources } from './sources.ts';

/** A stream of a corpus file. */
export interface MemberStream {
  /** Name of a clip: a codec's simplest form, or one of its other forms. */
  readonly clip: string;
  /** Seconds that are added to its timestamps. */
  readonly start?: number;
  /** Rotation or mirroring, stored as a display matrix. */
  readonly matrix?: 'quarter' | 'half' | 'mirrored';
  /** Whether it has HDR metadata: mastering display and content light level. */
  readonly light?: boolean;
  readonly language?: string;
  readonly flags?: readonly ('default' | 'forced' | 'comment' | 'hearing impaired')[];
}

/** A file of the corpus. */
export interface Member {
  /** Unique; describes what is special about it. */
  readonly name: string;
  readonly source: SourceName;
  readonly streams: readonly MemberStream[];
  /** Its streams other than video and audio. */
  readonly extras?: readonly ExtraName[];
  /** Options of the muxer in addition to those of the source. */
  readonly muxerOptions?: Readonly<Record<string, string>>;
}

/** Streams other than video and audio that a file may have. */
export type ExtraName = 'mov_text' | 'subrip' | 'webvtt' | 'cover';

/** Each codec in each container that can hold it, as the only stream. */
const combinations: readonly Member[] = sourceNames.flatMap((source) =>
  sources[source].codecs.map((clip) => ({ name: `${source}: ${clip}`, source, streams: [{ clip }] })),
);

/** Containers in which forms of streams are tested: one with edit lists, and those with other clocks. */
const formSources: readonly SourceName[] = [
  'mp4',
  'mkv',
  'ts',
  'mov',
  'flv',
  'avi',
  'ogg',
  'wav',
  'webm',
  'fragmented mp4',
];

/** Files that the muxers refuse to write: AAC with a custom channel configuration, MP3 at a rate of MPEG-2.5. */
const refusedNames = [
  'ts: aac 7.1',
  ...['mp4', 'fragmented mp4', 'flv'].map((source) => `${source}: mp3 mono at 8 kHz`),
];

const codecOf = (form: string) => form.split(' ')[0] ?? form;

const forms: readonly Member[] = formNames.flatMap((clip: FormName) =>
  formSources
    .filter((source) => sources[source].codecs.some((codec) => codec === codecOf(clip)))
    .map((source) => ({ name: `${source}: ${clip}`, source, streams: [{ clip, light: clip.endsWith(' PQ') }] }))
    .filter(({ name }) => !refusedNames.includes(name)),
);

const picture = { clip: 'h264' } satisfies MemberStream;
const sound = { clip: 'aac' } satisfies MemberStream;

/** Files of several streams, by description. */
const timings: Readonly<Record<string, readonly MemberStream[]>> = {
  'video and audio': [picture, sound],
  'audio first': [sound, picture],
  'audio that begins late': [picture, { ...sound, start: 0.3 }],
  'video that begins late': [{ ...picture, start: 0.3 }, sound],
  'a clock that begins late': [
    { ...picture, start: 10 },
    { ...sound, start: 10.1 },
  ],
  'audio that ends later': [picture, { clip: 'aac for two seconds' }],
  'video that ends later': [{ clip: 'h264 for two seconds' }, sound],
  'video without B-frames, and audio': [{ clip: 'h264 without B-frames' }, sound],
  'uneven times, and audio': [{ clip: 'h264 at uneven times' }, sound],
  'open GOPs, and audio': [{ clip: 'h264 with open GOPs' }, sound],
  'a single frame, and audio': [{ clip: 'h264 of one frame' }, sound],
  'video, and one packet of audio': [picture, { clip: 'aac of one packet' }],
};

const timedSources: readonly SourceName[] = [
  ...(['mp4', 'fragmented mp4', 'fragmented mp4 with edit lists', 'mov', 'mkv', 'ts', 'flv', 'asf'] as const),
];

const timingMembers: readonly Member[] = timedSources.flatMap((source) =>
  Object.entries(timings).map(([what, streams]) => ({ name: `${source}: ${what}`, source, streams })),
);

const languages: readonly MemberStream[] = [
  picture,
  { ...sound, language: 'eng', flags: ['default'] },
  { clip: 'aac mono at 8 kHz', language: 'ger', flags: [] },
  { clip: 'mp3', language: 'jpn', flags: ['comment'] },
];

/** Files with one special property, in containers that support it. */
const special: readonly Member[] = [
  ...(['mp4', 'mov', 'fragmented mp4', 'mkv'] as const).flatMap((source) => [
    { name: `${source}: a quarter turn`, source, streams: [{ ...picture, matrix: 'quarter' as const }, sound] },
    { name: `${source}: a half turn`, source, streams: [{ ...picture, matrix: 'half' as const }] },
  ]),
  ...(['mp4', 'mov'] as const).map((source) => ({
    name: `${source}: mirrored`,
    source,
    streams: [{ ...picture, matrix: 'mirrored' as const }],
  })),
  ...(['mp4', 'mov', 'mkv', 'ts', 'fragmented mp4'] as const).map((source) => ({
    name: `${source}: several languages`,
    source,
    streams: languages,
  })),
  ...(['mp4', 'mov'] as const).flatMap((source): Member[] => [
    {
      name: `${source}: an edit list that cuts the beginning off`,
      source,
      streams: [
        { clip: 'h264 for two seconds', start: -0.5 },
        { clip: 'aac for two seconds', start: -0.5 },
      ],
      muxerOptions: { avoid_negative_ts: 'disabled' },
    },
    {
      name: `${source}: no edit list`,
      source,
      streams: [picture, sound],
      muxerOptions: { use_editlist: '0' },
    },
    {
      name: `${source}: negative composition offsets`,
      source,
      streams: [picture, sound],
      muxerOptions: { movflags: 'negative_cts_offsets' },
    },
  ]),
  { name: 'mp4: subtitles', source: 'mp4', streams: [picture, sound], extras: ['mov_text'] },
  { name: 'mov: subtitles', source: 'mov', streams: [picture, sound], extras: ['mov_text'] },
  { name: 'mkv: subtitles', source: 'mkv', streams: [picture, sound], extras: ['subrip'] },
  { name: 'webm: subtitles', source: 'webm', streams: [{ clip: 'vp9' }, { clip: 'opus' }], extras: ['webvtt'] },
  { name: 'mp4: a cover', source: 'mp4', streams: [picture, sound], extras: ['cover'] },
  { name: 'm4a: a cover', source: 'm4a', streams: [sound], extras: ['cover'] },
  { name: 'mp3: a cover', source: 'mp3', streams: [{ clip: 'mp3' }], extras: ['cover'] },
  { name: 'flac: a cover', source: 'flac', streams: [{ clip: 'flac' }], extras: ['cover'] },
  { name: 'webm: video and audio', source: 'webm', streams: [{ clip: 'vp9' }, { clip: 'opus' }] },
  { name: 'webm: audio that begins late', source: 'webm', streams: [{ clip: 'vp9' }, { clip: 'opus', start: 0.3 }] },
  {
    name: 'webm: a clock that begins late',
    source: 'webm',
    streams: [
      { clip: 'vp8', start: 10 },
      { clip: 'vorbis', start: 10 },
    ],
  },
  { name: 'ogg: video and audio', source: 'ogg', streams: [{ clip: 'theora' }, { clip: 'vorbis' }] },
  { name: 'ts: MPEG-2 and AC-3', source: 'ts', streams: [{ clip: 'mpeg2video with open GOPs' }, { clip: 'ac3' }] },
  { name: 'mpeg: MPEG-1 and MP2', source: 'mpeg', streams: [{ clip: 'mpeg1video' }, { clip: 'mp2' }] },
  { name: 'mpeg: H.264 without B-frames', source: 'mpeg', streams: [{ clip: 'h264 without B-frames' }] },
  { name: 'vob: MPEG-2 and AC-3', source: 'vob', streams: [{ clip: 'mpeg2video with closed GOPs' }, { clip: 'ac3' }] },
  { name: 'avi: MPEG-4 and MP3', source: 'avi', streams: [{ clip: 'mpeg4 with B-frames' }, { clip: 'mp3' }] },
  { name: 'avi: H.264 and AC-3', source: 'avi', streams: [picture, { clip: 'ac3' }] },
  { name: 'mkv: VP9 and FLAC', source: 'mkv', streams: [{ clip: 'vp9' }, { clip: 'flac' }] },
  { name: 'mkv: HEVC and E-AC-3', source: 'mkv', streams: [{ clip: 'hevc PQ', light: true }, { clip: 'eac3 5.1' }] },
];

/** Files that test more than a single codec in a container. */
const variations: readonly Member[] = [...forms, ...timingMembers, ...special];

/** All files of the corpus. */
export const members: readonly Member[] = [...combinations, ...variations];
