import { type OutputContainer, outputContainers } from '../../../contract/containers.ts';
import type { TextSubtitleCodec } from '../subtitles/subtitle-text.ts';
import { paddingFor } from './short-transport-stream.ts';

/** Kinds of streams that a result may have. `data` is all that is none of the others. */
export type TrackKind = 'video' | 'audio' | 'subtitle' | 'data' | 'attachment';

/** How a stream is encoded: the encoder, and its own options. */
export interface EncoderChoice {
  /** Encoder as FFmpeg names it. */
  readonly name: string;
  /** Options of the encoder, as FFmpeg names them. */
  readonly options: Readonly<Record<string, string>>;
  /** Bits a second for each audio channel. */
  readonly bitRatePerChannel?: number;
  /** Audio channels that it takes at most. */
  readonly maxChannels?: number;
}

/** What a stream is for. */
export type StreamFlag = 'forced' | 'hearing' | 'sight' | 'comment';

/** What a container can hold, and how it is written. */
export interface ContainerFormat {
  /** Its name in messages. */
  readonly title: string;
  /** Muxer as FFmpeg names it. */
  readonly muxer: string;
  /** Options of the muxer, as FFmpeg names them. */
  readonly muxerOptions: Readonly<Record<string, string>>;
  /** Codec names that may be copied into it. */
  readonly codecs: Readonly<Record<'video' | 'audio' | 'subtitle', readonly string[]>>;
  /** Codec names that the format can hold but players do not play in it. They are not copied into it. */
  readonly unplayable?: readonly string[];
  /** Codec names of the data that may be copied into it. */
  readonly dataCodecs?: readonly string[];
  /** Whether it holds other files, such as the fonts of its subtitles. */
  readonly attachments?: boolean;
  /** What subtitles become that are text and cannot be copied; without it they are left out. */
  readonly subtitleText?: TextSubtitleCodec;
  /** Whether it omits streams that get no packet. `mov_text` always gets one, at its end. */
  readonly dropsEmptyStreams?: boolean;
  /** Codecs of the cover pictures it can carry. */
  readonly coverCodecs: readonly string[];
  /** How it takes chapters; without it they are left out. */
  readonly chapters?: 'mp4' | 'matroska' | 'id3' | 'comments';
  /** Whether what is known about the whole file is kept with each stream, and not with the streams' own words. */
  readonly tagsEachStream?: boolean;
  /** Whether it cannot store the rotation, the projection and the HDR brightness levels of a video. */
  readonly losesDisplayMetadata?: boolean;
  /** What is appended to a finished file of some bytes so that readers recognise it. */
  readonly paddingFor?: (bytes: number) => Buffer;
  /** What it can store of what streams are for, and of which kind of stream. */
  readonly flags?: Readonly<Partial<Record<StreamFlag, 'all' | TrackKind>>>;
  /** Encoders for a stream that is not copied; of several, the first that this build of FFmpeg has. */
  readonly encoders: Readonly<Record<'video' | 'audio', readonly EncoderChoice[]>>;
}

/** Streams of one result, of all kinds: a file with more is made to hurt. */
export const maxTracks = 64;

/** Streams of one input, of all kinds, that are read at most. */
export const maxInputStreams = 512;

const aac: readonly EncoderChoice[] = [
  // Twice as fast as FFmpeg's own encoder, and missing from some builds.
  { name: 'libfdk_aac', options: {}, bitRatePerChannel: 64_000, maxChannels: 8 },
  { name: 'aac', options: {}, bitRatePerChannel: 64_000, maxChannels: 8 },
];
const opus: readonly EncoderChoice[] = [{ name: 'libopus', options: {}, bitRatePerChannel: 64_000, maxChannels: 8 }];
const mp3: readonly EncoderChoice[] = [{ name: 'libmp3lame', options: {}, bitRatePerChannel: 96_000, maxChannels: 2 }];
const h264: readonly EncoderChoice[] = [{ name: 'libx264', options: { preset: 'veryfast', crf: '23' } }];
const vp9: readonly EncoderChoice[] = [
  {
    name: 'libvpx-vp9',
    options: { deadline: 'realtime', 'cpu-used': '6', 'row-mt': '1', 'tile-columns': '2', crf: '33', b: '0' },
  },
];

const vorbis: readonly EncoderChoice[] = [
  { name: 'libvorbis', options: {}, bitRatePerChannel: 64_000, maxChannels: 8 },
];
const flac: readonly EncoderChoice[] = [{ name: 'flac', options: {}, maxChannels: 8 }];
const pcm: readonly EncoderChoice[] = [{ name: 'pcm_s16le', options: {}, maxChannels: 8 }];

const allFlags = { forced: 'all', hearing: 'all', sight: 'all', comment: 'all' } as const;
const coverFormats = ['mjpeg', 'png'];
const littleEndianPcm = ['pcm_u8', 'pcm_s16le', 'pcm_s24le', 'pcm_s32le', 'pcm_f32le', 'pcm_f64le'];
const bigEndianPcm = ['pcm_s16be', 'pcm_s24be', 'pcm_s32be'];
const telephonyCodecs = ['pcm_alaw', 'pcm_mulaw'];
const amrCodecs = ['amr_nb', 'amr_wb'];
const windowsMedia = {
  video: ['wmv1', 'wmv2', 'msmpeg4v2', 'msmpeg4v3'],
  audio: ['wmav1', 'wmav2'],
};
/** What cameras and editing programs write into QuickTime files. */
const editingCodecs = ['prores', 'dnxhd', 'cfhd', 'dvvideo', 'jpeg2000', 'mjpeg', 'png'];

/**
 * The containers that a result can be written into. What is listed was written, read back and decoded without error by
 * FFmpeg 8.1. What is missing was refused by the muxer, or accepted and written as rubbish (VP9 in MPEG-TS, Opus in
 * WAV), or could not be tried because FFmpeg does not encode it (VC-1, VVC). So the list decides and the muxer is not
 * asked, except that a copy is tried again without data streams if the muxer refuses them.
 */
export const containerFormats: Readonly<Record<OutputContainer, ContainerFormat>> = {
  mp4: {
    title: 'MP4',
    muxer: 'mp4',
    // Without `strict`, FFmpeg omits that a video is spherical or stereoscopic.
    muxerOptions: { movflags: 'faststart', strict: 'unofficial' },
    dropsEmptyStreams: true,
    chapters: 'mp4',
    codecs: {
      video: ['h264', 'hevc', 'av1', 'vp9', 'mpeg4', 'mpeg2video', 'mpeg1video'],
      audio: ['aac', 'opus', 'mp3', 'mp2', 'vorbis', 'flac', 'ac3', 'eac3', 'alac'],
      subtitle: ['mov_text', 'dvd_subtitle'],
    },
    // FFmpeg writes TrueHD only as an experiment, and of PCM only what ISO/IEC 23003-5 calls `fpcm`.
    unplayable: ['mjpeg', 'png', 'jpeg2000', 'dirac', 'ffv1', 'dts', 'truehd', 'pcm_f32be', 'pcm_f64be'],
    dataCodecs: ['gpmd'],
    subtitleText: 'mov_text',
    coverCodecs: coverFormats,
    flags: allFlags,
    encoders: { video: h264, audio: aac },
  },
  mov: {
    title: 'QuickTime',
    muxer: 'mov',
    muxerOptions: { movflags: 'faststart' },
    dropsEmptyStreams: true,
    chapters: 'mp4',
    codecs: {
      video: [
        ...['h264', 'hevc', 'mpeg4', 'mpeg2video', 'mpeg1video', 'h263', 'cinepak', 'svq1', 'qtrle'],
        ...editingCodecs,
      ],
      audio: [
        ...['aac', 'mp3', 'mp2', 'ac3', 'eac3', 'alac', 'adpcm_ima_qt', ...amrCodecs],
        ...[...littleEndianPcm, ...bigEndianPcm, ...telephonyCodecs, 'pcm_s8', 'pcm_f32be', 'pcm_f64be'],
      ],
      subtitle: ['mov_text'],
    },
    unplayable: [
      ...['theora', 'ffv1', 'flv1', 'dirac', 'huffyuv', 'h261', 'gif', 'vorbis', 'dts', 'ac4'],
      ...windowsMedia.video,
    ],
    dataCodecs: ['gpmd', 'tmcd'],
    subtitleText: 'mov_text',
    coverCodecs: [],
    encoders: { video: h264, audio: aac },
  },
  mkv: {
    title: 'Matroska',
    muxer: 'matroska',
    muxerOptions: {},
    chapters: 'matroska',
    codecs: {
      video: [
        ...['h264', 'hevc', 'av1', 'vp9', 'vp8', 'mpeg4', 'mpeg2video', 'mpeg1video', 'theora', 'ffv1', 'dirac'],
        ...['h261', 'h263', 'flv1', 'huffyuv', 'cinepak', 'svq1', ...editingCodecs, ...windowsMedia.video],
      ],
      audio: [
        ...['aac', 'opus', 'mp3', 'mp2', 'vorbis', 'flac', 'ac3', 'eac3', 'dts', 'truehd', 'mlp', 'alac'],
        ...['wavpack', 'tta', 'adpcm_ima_wav', 'adpcm_ms', ...amrCodecs, ...windowsMedia.audio],
        ...[...littleEndianPcm, ...bigEndianPcm, ...telephonyCodecs],
      ],
      subtitle: [
        ...['subrip', 'ass', 'webvtt', 'hdmv_pgs_subtitle', 'hdmv_text_subtitle', 'dvd_subtitle', 'dvb_subtitle'],
      ],
    },
    attachments: true,
    subtitleText: 'subrip',
    coverCodecs: coverFormats,
    flags: allFlags,
    encoders: { video: h264, audio: aac },
  },
  webm: {
    title: 'WebM',
    muxer: 'webm',
    muxerOptions: {},
    chapters: 'matroska',
    codecs: { video: ['vp9', 'vp8', 'av1'], audio: ['opus', 'vorbis'], subtitle: ['webvtt'] },
    subtitleText: 'webvtt',
    coverCodecs: [],
    flags: { forced: 'all' },
    encoders: { video: vp9, audio: opus },
  },
  ts: {
    title: 'MPEG-TS',
    muxer: 'mpegts',
    muxerOptions: {},
    losesDisplayMetadata: true,
    paddingFor,
    codecs: {
      video: ['h264', 'hevc', 'mpeg2video', 'mpeg1video'],
      audio: ['aac', 'opus', 'mp3', 'mp2', 'ac3', 'eac3', 'dts', 's302m'],
      subtitle: ['dvb_subtitle', 'dvb_teletext'],
    },
    dataCodecs: ['timed_id3', 'klv'],
    coverCodecs: [],
    flags: { hearing: 'audio', sight: 'audio' },
    encoders: { video: h264, audio: aac },
  },
  m4a: {
    title: 'M4A',
    muxer: 'ipod',
    muxerOptions: { movflags: 'faststart' },
    dropsEmptyStreams: true,
    chapters: 'mp4',
    codecs: { video: [], audio: ['aac', 'ac3', 'alac'], subtitle: [] },
    coverCodecs: coverFormats,
    encoders: { video: [], audio: aac },
  },
  mp3: {
    title: 'MP3',
    muxer: 'mp3',
    muxerOptions: {},
    chapters: 'id3',
    codecs: { video: [], audio: ['mp3'], subtitle: [] },
    coverCodecs: coverFormats,
    encoders: { video: [], audio: mp3 },
  },
  ogg: {
    title: 'Ogg',
    muxer: 'ogg',
    muxerOptions: {},
    tagsEachStream: true,
    chapters: 'comments',
    codecs: { video: [], audio: ['opus', 'vorbis', 'flac'], subtitle: [] },
    coverCodecs: [],
    // Where .ogg is all a player knows, Vorbis is what it expects inside.
    encoders: { video: [], audio: vorbis },
  },
  opus: {
    title: 'Opus',
    muxer: 'opus',
    muxerOptions: {},
    tagsEachStream: true,
    chapters: 'comments',
    codecs: { video: [], audio: ['opus'], subtitle: [] },
    coverCodecs: [],
    encoders: { video: [], audio: opus },
  },
  wav: {
    title: 'WAV',
    muxer: 'wav',
    // RIFF counts to 4 GiB; what grows over it becomes RF64.
    muxerOptions: { rf64: 'auto' },
    codecs: {
      video: [],
      audio: [...littleEndianPcm, ...telephonyCodecs, 'mp3', 'ac3', 'flac', ...['mp2', 'adpcm_ima_wav', 'adpcm_ms']],
      subtitle: [],
    },
    unplayable: ['eac3', 'dts', ...amrCodecs, ...windowsMedia.audio],
    coverCodecs: [],
    encoders: { video: [], audio: pcm },
  },
  flac: {
    title: 'FLAC',
    muxer: 'flac',
    muxerOptions: {},
    chapters: 'comments',
    codecs: { video: [], audio: ['flac'], subtitle: [] },
    coverCodecs: coverFormats,
    encoders: { video: [], audio: flac },
  },
  aac: {
    title: 'AAC',
    muxer: 'adts',
    // The format itself has no place for a title; a tag ahead of it does.
    muxerOptions: { write_id3v2: '1' },
    chapters: 'id3',
    codecs: { video: [], audio: ['aac'], subtitle: [] },
    coverCodecs: [],
    encoders: { video: [], audio: aac },
  },
};

/** Whether the container has no place for video. */
export function isAudioOnly(container: ContainerFormat): boolean {
  return container.codecs.video.length === 0;
}

/** Audio streams that the container holds at most. */
export function maxAudioStreams(ext: OutputContainer): number {
  return outputContainers[ext].oneStream ? 1 : maxTracks;
}

/** Whether a stream of this codec can be copied into the container. */
export function canHold(container: ContainerFormat, kind: TrackKind, codec: string): boolean {
  if (kind === 'attachment') return container.attachments === true;
  if (kind === 'data') return container.dataCodecs?.includes(codec) === true;
  return container.codecs[kind].includes(codec);
}

/** Whether the name is one of {@link containerFormats}. */
export function isOutputContainer(ext: string): ext is OutputContainer {
  return Object.hasOwn(containerFormats, ext);
}
