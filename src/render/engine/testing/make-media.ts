import { join } from 'node:path';
import {
  AV_CODEC_ID_BIN_DATA,
  AV_CODEC_ID_SMPTE_KLV,
  AV_CODEC_ID_TIMED_ID3,
  AV_DISPOSITION_COMMENT,
  AV_DISPOSITION_DEFAULT,
  AV_DISPOSITION_HEARING_IMPAIRED,
  type AVCodecID,
  type AVDisposition,
} from 'node-av/constants';
import { Dictionary, Rational, type Stream } from 'node-av/lib';
import { type ContainerFormat, containerFormats } from '../formats/container-formats.ts';
import type { Writer } from '../media/output/result-writer.ts';
import type { TextSubtitleCodec } from '../subtitles/subtitle-text.ts';
import { addStreams } from './add-sample-streams.ts';
import { encodingRecipes } from './encoding-media.ts';
import { imageRecipes } from './image-recipes.ts';
import { longRecipes } from './long-media.ts';
import { makeFile, type Recipe } from './make-file.ts';
import type { MediaName } from './media-names.ts';
import {
  addCover,
  addCues,
  addData,
  addFont,
  addSubtitles,
  setContentLight,
  setRotation,
  setSpherical,
} from './stream-extras.ts';
import { rateRecipes, recordingRecipes, unusualRecipes } from './unusual-media.ts';

const { mp4, m4a, mov, mkv, webm, mp3, ts, ogg, opus, wav, flac, aac } = containerFormats;
const avc = { video: mp4.encoders.video, audio: mp4.encoders.audio };
const keyEverySecond = [{ name: 'libx264', options: { preset: 'veryfast', crf: '30', g: '25', bf: '2' } }];
const openKeyFrames = [
  { name: 'libx264', options: { preset: 'veryfast', crf: '30', g: '25', bf: '3', 'x264-params': 'open-gop=1' } },
];
const fragments = { movflags: 'empty_moov+default_base_moof', frag_duration: '1000000' };

/** Small frames, because tests encode up to 30 such parts. */
const second = { videoSeconds: 1, audioSeconds: 1, size: [64, 36] } as const;
const fragmentedMp4: ContainerFormat = {
  ...mp4,
  muxerOptions: { movflags: 'delay_moov+default_base_moof+frag_keyframe' },
};

const key = '00112233445566778899aabbccddeeff';
const encryption = { encryption_scheme: 'cenc-aes-ctr', encryption_key: key, encryption_kid: key };

/** Returns a container whose clock starts at `seconds`. */
function clockAt(container: ContainerFormat, seconds: number): ContainerFormat {
  return { ...container, muxerOptions: { output_ts_offset: `${seconds}` } };
}

const subtitles = (codec: TextSubtitleCodec) => (writer: Writer) => addSubtitles(writer, codec);

const cues = (...list: Parameters<typeof addCues>[1]) => {
  return (writer: Writer) => addCues(writer, list);
};

const data = (codec: AVCodecID, tag?: string) => (writer: Writer) => addData(writer, codec, tag);

const rich = {
  chapters: [
    { start: 0, title: 'Beginning' },
    { start: 1.5, title: 'Мир & 日本' },
    { start: 3, title: '' },
  ],
  metadata: { title: 'A title', artist: 'Somebody', date: '2021' },
  videoTraits: setRotation,
  audioTraits: (stream: Stream) => {
    stream.metadata = Dictionary.fromObject({ language: 'ger', title: 'Kommentar' });
    stream.disposition = AV_DISPOSITION_DEFAULT;
  },
};

const withFonts = (count: number): Recipe => {
  return { container: mkv, ...avc, videoSeconds: 1, audioSeconds: 1, extras: Array(count).fill(addFont) };
};

const recipes: Record<MediaName, Recipe> = {
  'av.mp4': { container: mp4, ...avc },
  'v.mp4': { container: mp4, video: avc.video },
  'moov-last.mp4': { container: { ...mp4, muxerOptions: {} }, ...avc },
  'fragmented.mp4': { container: { ...mp4, muxerOptions: fragments }, ...avc },
  'a.m4a': { container: m4a, audio: avc.audio },
  'av.mov': { container: mov, ...avc },
  'av.mkv': { container: mkv, ...avc },
  'av.ts': { container: ts, ...avc },
  'av.webm': { container: webm, video: webm.encoders.video, audio: webm.encoders.audio },
  'a.webm': { container: webm, audio: webm.encoders.audio },
  'a.mp3': { container: mp3, audio: mp3.encoders.audio },
  'a.ogg': { container: ogg, audio: ogg.encoders.audio },
  'a.opus': { container: opus, audio: opus.encoders.audio },
  'a.wav': { container: wav, audio: wav.encoders.audio },
  'a.flac': { container: flac, audio: flac.encoders.audio },
  'a.aac': { container: aac, audio: aac.encoders.audio },
  'high-a.aac': { container: aac, audio: aac.encoders.audio, sampleRate: 48_000 },
  'mono-a.aac': { container: aac, audio: aac.encoders.audio, layout: 'mono' },
  // Timestamps: clocks that wrap around or are far off, streams that begin late or outlast each other.
  'wrap.ts': { container: clockAt(ts, 2 ** 33 / 90_000 - 2), ...avc },
  'far.ts': { container: clockAt(ts, 5000), ...avc },
  'late.mp4': { container: mp4, ...avc, videoStart: 30, audioStart: 30.5 },
  'late.mkv': { container: mkv, ...avc, videoStart: 30, audioStart: 30.5 },
  'late-audio.mp4': { container: mp4, ...avc, audioStart: 1.5, audioSeconds: 2.5 },
  'long-audio.mp4': { container: mp4, ...avc, videoSeconds: 2 },
  // A file that tests change: a keyframe every second, and the index at the end.
  'gop.mp4': { container: { ...mp4, muxerOptions: {} }, video: keyEverySecond, audio: mp4.encoders.audio },
  // Fragments whose frames are presented before they are decoded, as CMAF allows (ISO/IEC 23000-19 §7.5.17).
  'negative-offsets.mp4': {
    container: { ...mp4, muxerOptions: { movflags: `${fragments.movflags}+frag_keyframe+negative_cts_offsets` } },
    video: keyEverySecond,
    audio: mp4.encoders.audio,
  },
  // Fragments whose video is presented later than their audio, because no edit list hides the reordering of frames.
  'reordered-fragments.mp4': {
    container: { ...mp4, muxerOptions: { movflags: 'frag_keyframe+empty_moov' } },
    video: keyEverySecond,
    audio: mp4.encoders.audio,
  },
  // Key frames at which decoding can begin, although earlier frames are displayed after them.
  'open-gop.mp4': { container: mp4, video: openKeyFrames, audio: mp4.encoders.audio },
  // Its second key frame comes after 40 s.
  'long-gops.mp4': {
    container: mp4,
    video: [{ name: 'libx264', options: { preset: 'veryfast', crf: '30', g: '400', bf: '2', sc_threshold: '0' } }],
    rate: 10,
    videoSeconds: 42,
  },
  'dolby.mp4': {
    container: { ...mp4, muxerOptions: {} },
    video: [{ name: 'libsvtav1', options: {} }],
    videoSeconds: 1,
  },
  'hevc.mp4': {
    container: { ...mp4, muxerOptions: {} },
    video: [{ name: 'libx265', options: { preset: 'ultrafast', 'x265-params': 'log-level=none' } }],
    videoSeconds: 1,
  },
  'mp2.ts': { container: ts, audio: [{ name: 'mp2', options: {}, bitRatePerChannel: 96_000 }] },
  'timecode.mov': {
    container: mov,
    ...avc,
    videoTraits: (stream) => {
      stream.metadata = Dictionary.fromObject({ timecode: '01:00:00:00' });
      stream.avgFrameRate = new Rational(25, 1);
    },
  },
  ...unusualRecipes,
  ...rateRecipes,
  ...longRecipes,
  ...recordingRecipes,
  ...encodingRecipes,
  ...imageRecipes,
  // Metadata, subtitles and covers.
  'rich.mp4': { container: mp4, ...avc, ...rich, extras: [subtitles('mov_text'), addCover] },
  'rich.mkv': { container: mkv, ...avc, ...rich, extras: [subtitles('subrip'), addFont] },
  'rich.webm': { container: webm, ...webm.encoders, ...rich, extras: [subtitles('webvtt')] },
  'late-chapters.mkv': {
    container: mkv,
    ...avc,
    videoStart: 30,
    audioStart: 30.5,
    chapters: [
      { start: 10, title: 'Over' },
      { start: 29, title: 'Beginning' },
      { start: 32, title: 'Middle' },
    ],
  },
  'data.ts': { container: ts, ...avc, extras: [data(AV_CODEC_ID_TIMED_ID3), data(AV_CODEC_ID_SMPTE_KLV)] },
  'data.mp4': { container: mp4, ...avc, extras: [data(AV_CODEC_ID_BIN_DATA, 'gpmd')] },
  // Parts of playlists: half a second long, with other streams, and with other encodings.
  'v.ts': { container: ts, video: avc.video },
  'a.ts': { container: ts, audio: avc.audio },
  'short.ts': { container: ts, ...avc, videoSeconds: 0.52, audioSeconds: 0.52 },
  'small.ts': { container: ts, ...avc, size: [128, 72] },
  'rough.ts': {
    container: ts,
    video: [{ name: 'libx264', options: { preset: 'ultrafast', crf: '40' } }],
    audio: avc.audio,
  },
  'rate.ts': { container: ts, ...avc, sampleRate: 48_000 },
  'turned.mp4': { container: { ...mp4, muxerOptions: fragments }, ...avc, videoTraits: setRotation },
  'fragmented-v.mp4': { container: { ...mp4, muxerOptions: fragments }, video: avc.video },
  'fragmented-a.mp4': { container: { ...mp4, muxerOptions: fragments }, audio: avc.audio },
  // Pairs with the same codec, rate and size that need different decoder setups.
  'vorbis.mkv': { container: mkv, audio: [{ name: 'libvorbis', options: { b: '128000' } }], ...second },
  'low-vorbis.mkv': { container: mkv, audio: [{ name: 'libvorbis', options: { b: '80000' } }], ...second },
  'flac.mkv': { container: mkv, audio: [{ name: 'flac', options: {} }], ...second },
  'low-flac.mkv': { container: mkv, audio: [{ name: 'flac', options: { compression_level: '0' } }], ...second },
  'mpeg4.mkv': { container: mkv, video: [{ name: 'mpeg4', options: {} }], ...second },
  'low-mpeg4.mkv': { container: mkv, video: [{ name: 'mpeg4', options: { mpeg_quant: '1' } }], ...second },
  // Parts that last one second and have priming. In MPEG-TS, the priming comes before the video; in MP4, an edit list
  // removes it.
  'second.ts': { container: ts, ...avc, ...second },
  'second-v.ts': { container: ts, video: avc.video, ...second },
  'second-a.ts': { container: ts, audio: avc.audio, ...second },
  'second.mp4': { container: fragmentedMp4, ...avc, ...second },
  'second-v.mp4': { container: fragmentedMp4, video: avc.video, ...second },
  'second-a.mp4': { container: fragmentedMp4, audio: avc.audio, ...second },
  'second-later-a.ts': { container: ts, ...avc, ...second, audioStart: 0.6 },
  'second-later-v.ts': { container: ts, ...avc, ...second, videoStart: 0.6 },
  'forty-v.ts': { container: ts, video: avc.video, rate: 10, videoSeconds: 40 },
  'late-a.ts': { container: ts, audio: avc.audio, audioStart: 15 },
  'later-high-a.ts': { container: clockAt(ts, 4), audio: avc.audio, sampleRate: 48_000 },
  'late-8-a.ts': { container: clockAt(ts, 8), audio: avc.audio },
  'late-a.m4a': { container: m4a, audio: avc.audio, audioStart: 1.5 },
  'later-v.ts': { container: clockAt(ts, 4.08), video: avc.video },
  'eight-a.ts': { container: ts, audio: avc.audio, audioSeconds: 8 },
  'long-a.ts': { container: ts, audio: avc.audio, audioSeconds: 16 },
  // Streams of every kind that the library can write into each container.
  'streams.mkv': {
    container: mkv,
    ...avc,
    extras: addStreams([
      ...(['subrip', 'ass', 'webvtt', 'dvd_subtitle', 'dvb_subtitle', 'hdmv_pgs_subtitle'] as const),
      'hdmv_text_subtitle',
    ]),
  },
  'streams.mp4': { container: mp4, ...avc, extras: addStreams(['mov_text', 'dvd_subtitle', 'ttml']) },
  'streams.mov': { container: mov, ...avc, extras: addStreams(['eia_608', 'mov_text']) },
  'streams.ts': { container: ts, ...avc, extras: addStreams(['dvb_subtitle', 'dvb_teletext', 'klv']) },
  'streams.webm': { container: webm, ...webm.encoders, extras: addStreams(['webvtt', 'webvtt']) },
  'empty-vobsub.mkv': { container: mkv, ...avc, extras: addStreams(['dvd_subtitle'], 0) },
  'flags.mkv': {
    container: mkv,
    ...avc,
    audioTraits: (stream) => {
      stream.disposition = (AV_DISPOSITION_COMMENT | AV_DISPOSITION_HEARING_IMPAIRED) as AVDisposition;
    },
    extras: [subtitles('subrip')],
  },
  'hdr.mkv': { container: mkv, ...avc, videoTraits: setContentLight },
  'transparent.webm': {
    container: webm,
    video: [{ name: 'libvpx-vp9', options: { 'auto-alt-ref': '0', deadline: 'realtime', 'cpu-used': '8' } }],
    audio: webm.encoders.audio,
    pixels: 'yuva420p',
    videoTraits: (stream) => {
      stream.metadata = Dictionary.fromObject({ alpha_mode: '1' });
    },
  },
  'surround.wav': { container: wav, audio: wav.encoders.audio, layout: '5.1' },
  'many-fonts.mkv': withFonts(135),
  'too-many-fonts.mkv': withFonts(511),
  // Roll-up captions: each is displayed for a second together with the next one.
  'rolling.mkv': {
    container: mkv,
    ...avc,
    videoSeconds: 20,
    audioSeconds: 20,
    extras: [cues(...Array.from({ length: 9 }, (_, at) => [500 + 2000 * at, 3000, `cue ${at}`] as const))],
  },
  'early-cues.mkv': {
    container: mkv,
    ...avc,
    videoStart: 30,
    audioStart: 30,
    extras: [cues([500, 1000, 'before'], [29_500, 1000, 'around'], [31_000, 1000, 'after'])],
  },
  'open-cues.mkv': { container: mkv, ...avc, extras: [cues([500, 0, 'first'], [1500, 0, 'second'])] },
  'drawings.mkv': { container: mkv, ...avc, extras: addStreams(['drawings', 'ass']) },
  'spherical.mp4': { container: mp4, ...avc, videoTraits: setSpherical },
  'encrypted.mp4': { container: { ...mp4, muxerOptions: encryption }, ...avc },
  'rich.mp3': {
    container: mp3,
    audio: mp3.encoders.audio,
    metadata: rich.metadata,
    chapters: rich.chapters,
    extras: [addCover],
  },
};

/** Creates the named media files for tests in a directory: a moving test pattern and a tone. */
export async function makeMediaFiles(directory: string, names: readonly MediaName[]): Promise<void> {
  for (const name of names) await makeFile(join(directory, name), recipes[name]);
}
