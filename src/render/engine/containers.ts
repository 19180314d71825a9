import type { OutputContainer } from '../../contract/job.ts';

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

/** What a container can hold, and how it is written. */
export interface Container {
  /** Its name in messages. */
  readonly title: string;
  /** Muxer as FFmpeg names it. */
  readonly muxer: string;
  /** Options of the muxer, as FFmpeg names them. */
  readonly muxerOptions: Readonly<Record<string, string>>;
  /** Codec names that may be copied into it. All PCM codecs go by the name `pcm`. */
  readonly codecs: Readonly<Record<'video' | 'audio' | 'subtitle', readonly string[]>>;
  /** Codecs of the cover pictures it can carry. */
  readonly covers: readonly string[];
  /** Audio streams that it holds at most. */
  readonly maxAudio: number;
  /** Encoders for a stream that is not copied; of several, the first that this build of FFmpeg has. */
  readonly encoders: Readonly<Record<'video' | 'audio', readonly EncoderChoice[]>>;
}

/** Streams of one result, of all kinds: a file with more is made to hurt. */
export const maxTracks = 64;

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

const pictures = ['mjpeg', 'png'];

/**
 * The containers that a result can be written into. What is listed was written, read back and decoded without error by
 * FFmpeg 8.1. What is missing was refused by the muxer, or accepted and written as rubbish (VP9 in MPEG-TS, Opus in
 * WAV), so the list decides and the muxer is never asked.
 */
export const containers: Readonly<Record<OutputContainer, Container>> = {
  mp4: {
    title: 'MP4',
    muxer: 'mp4',
    muxerOptions: { movflags: 'faststart' },
    codecs: {
      video: ['h264', 'hevc', 'av1', 'vp9', 'mpeg4', 'mpeg2video'],
      audio: ['aac', 'opus', 'mp3', 'vorbis', 'flac', 'ac3', 'eac3', 'alac'],
      subtitle: ['mov_text'],
    },
    covers: pictures,
    maxAudio: maxTracks,
    encoders: { video: h264, audio: aac },
  },
  m4a: {
    title: 'M4A',
    muxer: 'ipod',
    muxerOptions: { movflags: 'faststart' },
    codecs: { video: [], audio: ['aac', 'ac3', 'alac'], subtitle: [] },
    covers: pictures,
    maxAudio: maxTracks,
    encoders: { video: [], audio: aac },
  },
  mkv: {
    title: 'Matroska',
    muxer: 'matroska',
    muxerOptions: {},
    codecs: {
      video: ['h264', 'hevc', 'av1', 'vp9', 'vp8', 'mpeg4', 'mpeg2video', 'mpeg1video', 'mjpeg', 'theora', 'ffv1'],
      audio: ['aac', 'opus', 'mp3', 'mp2', 'vorbis', 'flac', 'pcm', 'ac3', 'eac3', 'dts', 'alac'],
      subtitle: ['subrip', 'ass', 'webvtt', 'hdmv_pgs_subtitle', 'dvd_subtitle', 'dvb_subtitle'],
    },
    covers: [],
    maxAudio: maxTracks,
    encoders: { video: h264, audio: aac },
  },
  webm: {
    title: 'WebM',
    muxer: 'webm',
    muxerOptions: {},
    codecs: { video: ['vp9', 'vp8', 'av1'], audio: ['opus', 'vorbis'], subtitle: ['webvtt'] },
    covers: [],
    maxAudio: maxTracks,
    encoders: { video: vp9, audio: opus },
  },
  mp3: {
    title: 'MP3',
    muxer: 'mp3',
    muxerOptions: {},
    codecs: { video: [], audio: ['mp3'], subtitle: [] },
    covers: pictures,
    maxAudio: 1,
    encoders: { video: [], audio: mp3 },
  },
};

/** Whether the container has no place for video. */
export function isAudioOnly(container: Container): boolean {
  return container.codecs.video.length === 0;
}

/** Whether a stream of this codec can be copied into the container. */
export function fits(container: Container, kind: 'video' | 'audio' | 'subtitle', codec: string): boolean {
  return container.codecs[kind].includes(codec.startsWith('pcm_') ? 'pcm' : codec);
}

/** Whether the name is one of {@link containers}. */
export function isContainer(ext: string): ext is OutputContainer {
  return Object.hasOwn(containers, ext);
}
