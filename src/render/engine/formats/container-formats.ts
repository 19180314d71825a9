import { type OutputContainer, outputContainers } from '../../../contract/containers.ts';
import type { TextSubtitleCodec } from '../subtitles/subtitle-text.ts';
import { audioEncoders } from './audio-encoders.ts';
import type { EncoderChoice } from './encoder-choice.ts';
import { paddingFor } from './short-transport-stream.ts';
import { videoEncoders } from './video-encoders.ts';

/** Kinds of streams in a result. `data` is any kind that is not one of the others. */
export type TrackKind = 'video' | 'audio' | 'subtitle' | 'data' | 'attachment';

/** Purpose of a stream. */
export type StreamFlag = 'forced' | 'hearing' | 'sight' | 'comment';

/** What a container can hold, and how it is written. */
export interface ContainerFormat {
  /** Display name for messages. */
  readonly title: string;
  /** FFmpeg's name of the muxer. */
  readonly muxer: string;
  /** Muxer options, by FFmpeg's names. */
  readonly muxerOptions: Readonly<Record<string, string>>;
  /** Names of the codecs that may be copied into it. */
  readonly codecs: Readonly<Record<'video' | 'audio' | 'subtitle', readonly string[]>>;
  /** Names of codecs that the format supports but players do not play in it. They are not copied into it. */
  readonly unplayable?: readonly string[];
  /** Names of the data codecs that may be copied into it. */
  readonly dataCodecs?: readonly string[];
  /** Whether it can hold attached files, such as subtitle fonts. */
  readonly attachments?: boolean;
  /** Format to which text subtitles are converted if they cannot be copied; without it they are left out. */
  readonly subtitleText?: TextSubtitleCodec;
  /** Whether it omits streams without packets. A `mov_text` stream always has a packet, at its end. */
  readonly dropsEmptyStreams?: boolean;
  /** Codecs of the cover images that it can store. */
  readonly coverCodecs: readonly string[];
  /** How it stores tags, covers and chapters; without it they are left out. */
  readonly additions?: 'mp4' | 'matroska' | 'id3' | 'ogg' | 'flac' | 'wav';
  /** Whether it stores chapters. */
  readonly chapters?: true;
  /** Whether it stores a cover that is added to it. */
  readonly storesCover?: true;
  /** Whether it stores file-level metadata with each stream, in place of the streams' own metadata. */
  readonly tagsEachStream?: boolean;
  /** Whether it cannot store a video's rotation, projection and HDR brightness levels. */
  readonly losesDisplayMetadata?: boolean;
  /** Returns the padding to append to a finished file of the given size so that readers recognise it. */
  readonly paddingFor?: (bytes: number) => Buffer;
  /** The stream flags that it can store, each for all streams or for one kind. */
  readonly flags?: Readonly<Partial<Record<StreamFlag, 'all' | TrackKind>>>;
  /** Encoders for streams that are not copied. The first one that this build of FFmpeg includes is used. */
  readonly encoders: Readonly<Record<'video' | 'audio', readonly EncoderChoice[]>>;
}

/** Maximum number of streams in a result, of all kinds. Only malicious files have more. */
export const maxTracks = 64;

/** Maximum number of streams that are read from an input, of all kinds. */
export const maxInputStreams = 512;

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
/** Codecs that cameras and editing programs write into QuickTime files. */
const editingCodecs = ['prores', 'dnxhd', 'cfhd', 'dvvideo', 'jpeg2000', 'mjpeg', 'png'];

/**
 * The containers for results. Every listed combination was written, read back and decoded without error by FFmpeg 8.1.
 * An unlisted combination was refused by the muxer, was accepted but written incorrectly (VP9 in MPEG-TS, Opus in WAV),
 * or could not be tested because FFmpeg does not encode it (VC-1, VVC). This list decides, not the muxer, with one
 * exception: if the muxer refuses data streams, the copy is retried without them.
 */
export const containerFormats: Readonly<Record<OutputContainer, ContainerFormat>> = {
  mp4: {
    title: 'MP4',
    muxer: 'mp4',
    additions: 'mp4',
    storesCover: true,
    // Without `strict`, FFmpeg does not store that a video is spherical or stereoscopic.
    muxerOptions: { movflags: 'faststart', strict: 'unofficial' },
    dropsEmptyStreams: true,
    chapters: true,
    codecs: {
      video: ['h264', 'hevc', 'av1', 'vp9', 'mpeg4', 'mpeg2video', 'mpeg1video'],
      audio: ['aac', 'opus', 'mp3', 'mp2', 'vorbis', 'flac', 'ac3', 'eac3', 'alac'],
      subtitle: ['mov_text', 'dvd_subtitle'],
    },
    // FFmpeg writes TrueHD only as an experimental feature. Of the PCM formats, it writes only those that ISO/IEC
    // 23003-5 calls `fpcm`.
    unplayable: ['mjpeg', 'png', 'jpeg2000', 'dirac', 'ffv1', 'dts', 'truehd', 'pcm_f32be', 'pcm_f64be'],
    dataCodecs: ['gpmd'],
    subtitleText: 'mov_text',
    coverCodecs: coverFormats,
    flags: allFlags,
    encoders: { video: videoEncoders.h264, audio: audioEncoders.aac },
  },
  mov: {
    title: 'QuickTime',
    muxer: 'mov',
    additions: 'mp4',
    storesCover: true,
    muxerOptions: { movflags: 'faststart' },
    dropsEmptyStreams: true,
    chapters: true,
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
    encoders: { video: videoEncoders.h264, audio: audioEncoders.aac },
  },
  mkv: {
    title: 'Matroska',
    muxer: 'matroska',
    additions: 'matroska',
    storesCover: true,
    muxerOptions: {},
    chapters: true,
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
    encoders: { video: videoEncoders.h264, audio: audioEncoders.aac },
  },
  webm: {
    title: 'WebM',
    muxer: 'webm',
    additions: 'matroska',
    muxerOptions: {},
    chapters: true,
    codecs: { video: ['vp9', 'vp8', 'av1'], audio: ['opus', 'vorbis'], subtitle: ['webvtt'] },
    subtitleText: 'webvtt',
    coverCodecs: [],
    flags: { forced: 'all' },
    encoders: { video: videoEncoders.vp9, audio: audioEncoders.opus },
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
    encoders: { video: videoEncoders.h264, audio: audioEncoders.aac },
  },
  m4a: {
    title: 'M4A',
    muxer: 'ipod',
    additions: 'mp4',
    storesCover: true,
    muxerOptions: { movflags: 'faststart' },
    dropsEmptyStreams: true,
    chapters: true,
    codecs: { video: [], audio: ['aac', 'ac3', 'alac'], subtitle: [] },
    coverCodecs: coverFormats,
    encoders: { video: [], audio: audioEncoders.aac },
  },
  mp3: {
    title: 'MP3',
    muxer: 'mp3',
    additions: 'id3',
    storesCover: true,
    muxerOptions: {},
    chapters: true,
    codecs: { video: [], audio: ['mp3'], subtitle: [] },
    coverCodecs: coverFormats,
    encoders: { video: [], audio: audioEncoders.mp3 },
  },
  ogg: {
    title: 'Ogg',
    muxer: 'ogg',
    additions: 'ogg',
    storesCover: true,
    muxerOptions: {},
    tagsEachStream: true,
    chapters: true,
    codecs: { video: [], audio: ['opus', 'vorbis', 'flac'], subtitle: [] },
    coverCodecs: [],
    // Players that support only .ogg expect Vorbis in it.
    encoders: { video: [], audio: audioEncoders.vorbis },
  },
  opus: {
    title: 'Opus',
    muxer: 'opus',
    additions: 'ogg',
    storesCover: true,
    muxerOptions: {},
    tagsEachStream: true,
    chapters: true,
    codecs: { video: [], audio: ['opus'], subtitle: [] },
    coverCodecs: [],
    encoders: { video: [], audio: audioEncoders.opus },
  },
  wav: {
    title: 'WAV',
    muxer: 'wav',
    additions: 'wav',
    // RIFF sizes are limited to 4 GiB; larger files become RF64.
    muxerOptions: { rf64: 'auto' },
    codecs: {
      video: [],
      audio: [...littleEndianPcm, ...telephonyCodecs, 'mp3', 'ac3', 'flac', ...['mp2', 'adpcm_ima_wav', 'adpcm_ms']],
      subtitle: [],
    },
    unplayable: ['eac3', 'dts', ...amrCodecs, ...windowsMedia.audio],
    coverCodecs: [],
    encoders: { video: [], audio: audioEncoders.pcm },
  },
  flac: {
    title: 'FLAC',
    muxer: 'flac',
    additions: 'flac',
    storesCover: true,
    muxerOptions: {},
    chapters: true,
    codecs: { video: [], audio: ['flac'], subtitle: [] },
    coverCodecs: coverFormats,
    encoders: { video: [], audio: audioEncoders.flac },
  },
  aac: {
    title: 'AAC',
    muxer: 'adts',
    additions: 'id3',
    // The format cannot store a title; a tag before the audio can.
    muxerOptions: { write_id3v2: '1' },
    chapters: true,
    codecs: { video: [], audio: ['aac'], subtitle: [] },
    coverCodecs: [],
    encoders: { video: [], audio: audioEncoders.aac },
  },
};

/** Muxers of containers with edit lists, which hide what precedes the start. */
const muxersWithEditLists: ReadonlySet<string> = new Set(['mp4', 'mov', 'ipod']);

/** Whether the container can hide what precedes the start. */
export function hasEditLists({ muxer }: Pick<ContainerFormat, 'muxer'>): boolean {
  return muxersWithEditLists.has(muxer);
}

/** Whether the container cannot hold video. */
export function isAudioOnly(container: ContainerFormat): boolean {
  return container.codecs.video.length === 0;
}

/** Returns the maximum number of audio streams in the container. */
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
