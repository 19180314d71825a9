import type { FilterSpec } from '../../media/output/filter-chain.ts';

/** A stream of a corpus file: the filters that generate its frames, and its encoding. */
export interface Clip {
  readonly kind: 'video' | 'audio';
  /** Its codec and encoder, with FFmpeg's names. */
  readonly codec: string;
  readonly encoder: string;
  readonly options: Readonly<Record<string, string>>;
  /** A source of frames, and the filters after it. */
  readonly frames: readonly FilterSpec[];
  /** Pixel or sample format, if not the first one of the encoder. */
  readonly format?: string;
  /** Frame rate of a video, as a fraction. */
  readonly rate: readonly [number, number];
  /** Moves frames to other times, in seconds. Frames for which it returns no time are left out. */
  readonly clock?: (seconds: number) => number | undefined;
}

interface Picture {
  readonly size?: string;
  readonly rate?: readonly [number, number];
  readonly frames?: number;
  readonly format?: string;
  readonly options?: Readonly<Record<string, string>>;
  /** Filters after the source. */
  readonly filters?: readonly FilterSpec[];
}

/** A moving test pattern in a size that every encoder supports. */
function video(codec: string, encoder: string, picture: Picture = {}): Clip {
  const { size = '176x144', rate = [25, 1], frames = 12, format, options = {}, filters = [] } = picture;
  const source = `size=${size}:rate=${rate.join('/')}:duration=${(frames * rate[1]) / rate[0]}`;
  return {
    kind: 'video',
    codec,
    encoder,
    options,
    frames: [['testsrc2', source], ...filters],
    ...(format === undefined ? {} : { format }),
    rate,
  };
}

interface Tone {
  readonly rate?: number;
  readonly layout?: string;
  readonly seconds?: number;
  readonly format?: string;
  readonly options?: Readonly<Record<string, string>>;
}

/** A tone; by default half a second in stereo at 48 kHz. */
function audio(codec: string, encoder = codec, tone: Tone = {}): Clip {
  const { rate = 48_000, layout = 'stereo', seconds = 0.5, format, options = {} } = tone;
  return {
    kind: 'audio',
    codec,
    encoder,
    options,
    frames: [
      ['sine', `frequency=440:sample_rate=${rate}:duration=${seconds}`],
      ['aformat', `channel_layouts=${layout}`],
    ],
    ...(format === undefined ? {} : { format }),
    rate: [0, 1],
  };
}

/** Video codecs whose encoder has the same name and accepts the default frames. */
const plainVideo = [
  ...['amv', 'asv1', 'asv2', 'avrp', 'cfhd', 'cljr', 'dpx', 'dxv', 'exr', 'ffv1', 'ffvhuff', 'flashsv'],
  ...['flashsv2', 'gif', 'h261', 'h263', 'huffyuv', 'jpeg2000', 'jpegls', 'magicyuv', 'mjpeg', 'mpeg1video'],
  ...['mpeg2video', 'mpeg4', 'msmpeg4v2', 'msrle', 'msvideo1', 'png', 'prores', 'qtrle', 'r10k', 'r210', 'rawvideo'],
  ...['rpza', 'sgi', 'smc', 'snow', 'speedhq', 'svq1', 'targa', 'tiff', 'utvideo', 'v210', 'wmv1', 'wmv2', 'y41p'],
  ...['yuv4', 'zlib', 'zmbv'],
];

/** Audio codecs whose encoder has the same name and accepts the default tone. */
const plainAudio = [
  ...['ac3', 'adpcm_ima_qt', 'adpcm_ima_wav', 'adpcm_ima_ws', 'adpcm_ms', 'adpcm_yamaha', 'alac', 'dfpwm', 'eac3'],
  ...['flac', 'mlp', 'mp2', 'pcm_alaw', 'pcm_dvd', 'pcm_f32be', 'pcm_f32le', 'pcm_f64be', 'pcm_f64le', 'pcm_mulaw'],
  ...['pcm_s16be', 'pcm_s16le', 'pcm_s24be', 'pcm_s24le', 'pcm_s32be', 'pcm_s32le', 'pcm_s64le', 'pcm_s8', 'pcm_u8'],
  ...['s302m', 'truehd', 'tta', 'wavpack', 'wmav1', 'wmav2'],
];

const x264 = (picture: Picture & { readonly params?: string } = {}) => {
  const { params, ...rest } = picture;
  const options = { preset: 'ultrafast', ...(params === undefined ? {} : { 'x264-params': params }), ...rest.options };
  return video('h264', 'libx264', { ...rest, options });
};

const x265 = (params: string, picture: Picture = {}) => {
  const options = { preset: 'ultrafast', 'x265-params': `log-level=none:pools=none:frame-threads=1:${params}` };
  return video('hevc', 'libx265', { ...picture, options });
};

const fast = { deadline: 'realtime', 'cpu-used': '8' };
const svt = { preset: '12' };

/** Marks frames as BT.2020 with the transfer curve of PQ or HLG. */
const hdr = (curve: 'smpte2084' | 'arib-std-b67'): FilterSpec => [
  'setparams',
  `range=tv:color_primaries=bt2020:color_trc=${curve}:colorspace=bt2020nc`,
];

/** A variable frame rate: every third frame is on time, and the two frames after it are 13 and 26 ms late. */
const unevenTiming: readonly FilterSpec[] = [
  ['settb', '1/1000'],
  ['setpts', String.raw`N*40+mod(N\,3)*13`],
];

const interlacedFilters: readonly FilterSpec[] = [['setfield', 'mode=tff']];
const bFrames = { bf: '2', g: '6' };
// The encoder refuses closed GOPs if it may begin a GOP at a scene change.
const closedGops = { ...bFrames, flags: '+cgop', sc_threshold: '1000000000' };

/** One clip of each codec, in its simplest form. */
const codecs: Readonly<Record<string, Clip>> = {
  ...Object.fromEntries(plainVideo.map((codec) => [codec, video(codec, codec)])),
  ...Object.fromEntries(plainAudio.map((codec) => [codec, audio(codec)])),
  h264: x264({ options: { preset: 'veryfast' } }),
  hevc: x265('keyint=12'),
  av1: video('av1', 'libsvtav1', { options: svt }),
  vp8: video('vp8', 'libvpx', { options: fast }),
  vp9: video('vp9', 'libvpx-vp9', { options: fast }),
  theora: video('theora', 'libtheora'),
  cinepak: video('cinepak', 'cinepak', { size: '64x48', frames: 5 }),
  dirac: video('dirac', 'vc2', { size: '64x48' }),
  flv1: video('flv1', 'flv'),
  msmpeg4v3: video('msmpeg4v3', 'msmpeg4'),
  dvvideo: video('dvvideo', 'dvvideo', { size: '720x576', frames: 5 }),
  dnxhd: video('dnxhd', 'dnxhd', { size: '256x120', frames: 5, options: { profile: 'dnxhr_hq' } }),
  aac: audio('aac', 'libfdk_aac'),
  mp3: audio('mp3', 'libmp3lame'),
  opus: audio('opus', 'libopus'),
  vorbis: audio('vorbis', 'libvorbis'),
  dts: audio('dts', 'dca', { options: { b: '768k' } }),
  nellymoser: audio('nellymoser', 'nellymoser', { rate: 22_050, layout: 'mono' }),
  adpcm_swf: audio('adpcm_swf', 'adpcm_swf', { rate: 22_050 }),
  adpcm_g722: audio('adpcm_g722', 'g722', { rate: 16_000, layout: 'mono' }),
  adpcm_g726: audio('adpcm_g726', 'g726', { rate: 8000, layout: 'mono', options: { b: '32000' } }),
  g723_1: audio('g723_1', 'g723_1', { rate: 8000, layout: 'mono', options: { b: '6300' } }),
};

/** Other forms of streams. */
const forms = {
  'h264 without B-frames': x264({ options: { bf: '0' } }),
  'h264 with many B-frames': x264({ frames: 24, params: 'bframes=8:b-pyramid=normal:b-adapt=0' }),
  'h264 with open GOPs': x264({ frames: 24, params: 'open-gop=1:bframes=3:b-adapt=0:keyint=6:min-keyint=1' }),
  'hevc with open GOPs': x265('open-gop=1:bframes=3:b-adapt=0:keyint=6:min-keyint=1', { frames: 24 }),
  'mpeg2video with open GOPs': video('mpeg2video', 'mpeg2video', { frames: 24, options: bFrames }),
  'mpeg2video with closed GOPs': video('mpeg2video', 'mpeg2video', { options: closedGops }),
  'mpeg4 with B-frames': video('mpeg4', 'mpeg4', { options: bFrames }),
  'h264 at uneven times': x264({ filters: unevenTiming }),
  'h264 at uneven times without B-frames': x264({ filters: unevenTiming, options: { bf: '0' } }),
  'vp9 at uneven times': video('vp9', 'libvpx-vp9', { filters: unevenTiming, options: fast }),
  'h264 interlaced': x264({ filters: interlacedFilters, params: 'tff=1' }),
  'mpeg2video interlaced': video('mpeg2video', 'mpeg2video', {
    filters: interlacedFilters,
    options: { flags: '+ildct+ilme' },
  }),
  'h264 at 23.976': x264({ rate: [24_000, 1001] }),
  'h264 at 59.94': x264({ rate: [60_000, 1001] }),
  'h264 at 120': x264({ rate: [120, 1] }),
  'h264 at 12.5': x264({ rate: [25, 2], frames: 8 }),
  'h264 of one frame': x264({ frames: 1 }),
  'vp9 of one frame': video('vp9', 'libvpx-vp9', { frames: 1, options: fast }),
  'h264 for two seconds': x264({ frames: 50 }),
  'h264 of 2 by 2': x264({ size: '2x2' }),
  'h264 of 16 by 16': x264({ size: '16x16' }),
  'h264 of odd size': x264({ size: '175x143', format: 'yuv444p' }),
  'vp9 of odd size': video('vp9', 'libvpx-vp9', { size: '175x143', options: fast }),
  'mjpeg of odd size': video('mjpeg', 'mjpeg', { size: '175x143' }),
  'h264 with 10 bits': x264({ format: 'yuv420p10le' }),
  'h264 4:2:2': x264({ format: 'yuv422p' }),
  'h264 with wide pixels': x264({ filters: [['setsar', '16/11']] }),
  'h264 full range': x264({
    filters: [['setparams', 'range=pc:color_primaries=bt709:color_trc=bt709:colorspace=bt709']],
  }),
  'hevc PQ': x265('hdr10=1:repeat-headers=1', { format: 'yuv420p10le', filters: [hdr('smpte2084')] }),
  'hevc HLG': x265('repeat-headers=1', { format: 'yuv420p10le', filters: [hdr('arib-std-b67')] }),
  'av1 PQ': video('av1', 'libsvtav1', { format: 'yuv420p10le', filters: [hdr('smpte2084')], options: svt }),
  'vp9 PQ': video('vp9', 'libvpx-vp9', { format: 'yuv420p10le', filters: [hdr('smpte2084')], options: fast }),
  'aac mono at 8 kHz': audio('aac', 'libfdk_aac', { rate: 8000, layout: 'mono' }),
  'aac at 96 kHz': audio('aac', 'libfdk_aac', { rate: 96_000 }),
  'aac 5.1': audio('aac', 'libfdk_aac', { layout: '5.1' }),
  'aac 7.1': audio('aac', 'aac', { layout: '7.1' }),
  'aac without libfdk': audio('aac', 'aac', { rate: 44_100 }),
  'aac of one packet': audio('aac', 'libfdk_aac', { seconds: 0.005 }),
  'aac for two seconds': audio('aac', 'libfdk_aac', { seconds: 2 }),
  'mp3 mono at 8 kHz': audio('mp3', 'libmp3lame', { rate: 8000, layout: 'mono' }),
  'mp3 at 22.05 kHz': audio('mp3', 'libmp3lame', { rate: 22_050 }),
  'mp3 with variable rate': audio('mp3', 'libmp3lame', { options: { flags: '+qscale', global_quality: '500' } }),
  'opus mono': audio('opus', 'libopus', { layout: 'mono' }),
  'opus 5.1': audio('opus', 'libopus', { layout: '5.1' }),
  'opus 7.1': audio('opus', 'libopus', { layout: '7.1' }),
  'opus in frames of 60 ms': audio('opus', 'libopus', { options: { frame_duration: '60' } }),
  'opus of one packet': audio('opus', 'libopus', { seconds: 0.005 }),
  'vorbis 5.1': audio('vorbis', 'libvorbis', { layout: '5.1' }),
  'vorbis at 11.025 kHz': audio('vorbis', 'libvorbis', { rate: 11_025, layout: 'mono' }),
  'flac at 192 kHz': audio('flac', 'flac', { rate: 192_000, format: 's32' }),
  'flac 7.1': audio('flac', 'flac', { layout: '7.1' }),
  'flac of one packet': audio('flac', 'flac', { seconds: 0.005 }),
  'alac 7.1': audio('alac', 'alac', { layout: '7.1(wide)' }),
  'ac3 5.1': audio('ac3', 'ac3', { layout: '5.1(side)' }),
  'eac3 5.1': audio('eac3', 'eac3', { layout: '5.1(side)' }),
  'dts 5.1': audio('dts', 'dca', { layout: '5.1(side)', options: { b: '1500k' } }),
  'pcm_s16le at 8 kHz': audio('pcm_s16le', 'pcm_s16le', { rate: 8000, layout: 'mono' }),
  'pcm_s24le at 192 kHz': audio('pcm_s24le', 'pcm_s24le', { rate: 192_000 }),
  'pcm_s16le 7.1': audio('pcm_s16le', 'pcm_s16le', { layout: '7.1' }),
  'pcm_s16le 2.1': audio('pcm_s16le', 'pcm_s16le', { layout: '2.1' }),
} satisfies Record<string, Clip>;

/** Name of a form that differs from the codec's simplest form. */
export type FormName = keyof typeof forms;

/** All clips by name. The name of a codec stands for its simplest form. */
export const clips: ReadonlyMap<string, Clip> = new Map(Object.entries({ ...codecs, ...forms }));

/** Names of the forms, all of which are part of every run. */
export const formNames = Object.keys(forms) as readonly FormName[];

/** Returns a clip by its name. */
export function findClip(name: string): Clip {
  const clip = clips.get(name);
  if (clip === undefined) throw new Error(`there is no clip ${name}`);
  return clip;
}
