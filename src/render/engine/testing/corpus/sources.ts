/** A container of source files, and the codecs that this build's muxer supports in it. */
interface SourceContainer {
  /** Muxer and its options, with FFmpeg's names. */
  readonly muxer: string;
  readonly muxerOptions: Readonly<Record<string, string>>;
  /** Codecs that can be written and read back with all their packets. */
  readonly codecs: readonly string[];
}

const fragments = { movflags: 'empty_moov+default_base_moof+frag_keyframe' };

const split = (text: string) => text.trim().split(/\s+/);

const mp4 = split(`
  ac3 alac dts eac3 flac aac mp3 opus vorbis pcm_f32be pcm_f32le pcm_f64be pcm_f64le pcm_s16be pcm_s16le pcm_s24be
  pcm_s24le pcm_s32be pcm_s32le
  ffv1 jpeg2000 mjpeg mpeg1video mpeg2video mpeg4 png dirac av1 vp9 h264 hevc`);

const mov = split(`
  ac3 alac dts dfpwm eac3 g723_1 mp2 nellymoser wmav1 wmav2 pcm_alaw pcm_f32be pcm_f32le pcm_f64be pcm_f64le pcm_mulaw
  pcm_s8 pcm_s16be pcm_s16le pcm_s24be pcm_s24le pcm_s32be pcm_s32le pcm_u8 adpcm_g722 adpcm_g726 adpcm_ima_qt
  adpcm_ima_wav adpcm_ms adpcm_swf adpcm_yamaha aac mp3 vorbis
  amv asv1 asv2 avrp cfhd cinepak cljr dnxhd dpx dvvideo dxv exr ffv1 ffvhuff flashsv flv1 gif h261 h263 huffyuv
  jpeg2000 jpegls magicyuv mjpeg mpeg1video mpeg2video mpeg4 msmpeg4v2 msmpeg4v3 msrle msvideo1 png prores qtrle r10k
  r210 rawvideo rpza sgi smc snow speedhq svq1 targa tiff utvideo v210 dirac wmv1 wmv2 y41p yuv4 zlib zmbv theora h264
  hevc`);

const matroska = split(`
  ac3 alac dts dfpwm eac3 flac g723_1 mlp mp2 truehd tta wavpack wmav1 wmav2 pcm_alaw pcm_f32le pcm_f64le pcm_mulaw
  pcm_s16be pcm_s16le pcm_s24be pcm_s24le pcm_s32be pcm_s32le pcm_s64le pcm_u8 adpcm_g722 adpcm_g726 adpcm_ima_wav
  adpcm_ms adpcm_swf adpcm_yamaha aac mp3 opus vorbis
  amv asv1 asv2 avrp cfhd cinepak cljr dnxhd dpx dvvideo dxv exr ffv1 ffvhuff flashsv flv1 gif h261 h263 huffyuv
  jpeg2000 jpegls magicyuv mjpeg mpeg1video mpeg2video mpeg4 msmpeg4v2 msmpeg4v3 msrle msvideo1 png prores qtrle r10k
  r210 rpza sgi smc snow speedhq svq1 targa tiff utvideo v210 dirac wmv1 wmv2 y41p yuv4 zlib zmbv av1 theora vp8 vp9
  h264 hevc`);

// Without FLAC and Vorbis: AVI counts bytes or frames, which gives these codecs wrong timestamps.
const avi = split(`
  ac3 dts dfpwm eac3 g723_1 mp2 wmav1 wmav2 pcm_alaw pcm_f32le pcm_f64le pcm_mulaw pcm_s16le pcm_s24le pcm_s32le
  pcm_s64le pcm_u8 adpcm_g722 adpcm_g726 adpcm_ima_wav adpcm_ms adpcm_swf adpcm_yamaha mp3
  amv asv1 asv2 cfhd cinepak cljr dpx dvvideo ffv1 ffvhuff flashsv flv1 h261 h263 huffyuv jpeg2000 jpegls magicyuv mjpeg
  mpeg1video mpeg2video mpeg4 msmpeg4v2 msmpeg4v3 msrle msvideo1 png r10k r210 rawvideo rpza snow speedhq svq1 targa
  utvideo v210 dirac wmv1 wmv2 y41p yuv4 zlib zmbv av1 theora vp8 vp9 h264`);

const asf = [...avi.filter((codec) => codec !== 'rawvideo'), 'aac', 'vorbis'];

const ts = split('mpeg1video mpeg2video mpeg4 h264 hevc s302m ac3 dts eac3 mp2 aac mp3 opus');
const ps = split('mpeg1video mpeg2video mpeg4 h264 hevc ac3 dts mp2 pcm_dvd mp3');
const riff = split(`
  ac3 dts dfpwm eac3 flac g723_1 mp2 mp3 wmav1 wmav2 pcm_alaw pcm_f32le pcm_f64le pcm_mulaw pcm_s16le pcm_s24le pcm_s32le
  pcm_s64le pcm_u8 adpcm_g722 adpcm_g726 adpcm_ima_wav adpcm_ms adpcm_yamaha`);

const container = (muxer: string, codecs: readonly string[], muxerOptions: Readonly<Record<string, string>> = {}) => ({
  muxer,
  muxerOptions,
  codecs,
});

/** Containers of sources, by the names that corpus files begin with. */
export const sources = {
  mp4: container('mp4', mp4, { movflags: 'faststart' }),
  'mp4 with its index last': container('mp4', mp4),
  // Without AC-3 and E-AC-3: the muxer needs packets of these codecs before it can write their description, and here it
  // writes the description first.
  'fragmented mp4': container(
    'mp4',
    mp4.filter((codec) => codec !== 'ac3' && codec !== 'eac3'),
    fragments,
  ),
  'fragmented mp4 with edit lists': container('mp4', mp4, { movflags: 'delay_moov+default_base_moof+frag_keyframe' }),
  mov: container('mov', mov),
  'fragmented mov': container(
    'mov',
    mov.filter((codec) => codec !== 'ac3' && codec !== 'eac3'),
    fragments,
  ),
  '3gp': container('3gp', ['h263', 'mpeg4', 'aac', 'h264']),
  m4a: container('ipod', ['ac3', 'alac', 'aac']),
  mkv: container('matroska', matroska),
  'live mkv': container('matroska', matroska, { live: '1' }),
  webm: container('webm', ['opus', 'vorbis', 'av1', 'vp8', 'vp9']),
  ts: container('mpegts', ts),
  m2ts: container('mpegts', ts, { mpegts_m2ts_mode: '1' }),
  mpeg: container('mpeg', ps),
  vob: container('vob', ps),
  flv: container('flv', [
    ...['flashsv', 'flashsv2', 'flv1', 'av1', 'vp9', 'h264', 'hevc'],
    ...['nellymoser', 'adpcm_swf', 'aac', 'mp3', 'ac3', 'eac3', 'flac', 'opus'],
  ]),
  avi: container('avi', avi),
  asf: container('asf', asf),
  ogg: container('ogg', ['opus', 'theora', 'vorbis', 'vp8', 'flac']),
  mp3: container('mp3', ['mp3']),
  mp2: container('mp2', ['mp2']),
  adts: container('adts', ['aac']),
  ac3: container('ac3', ['ac3']),
  eac3: container('eac3', ['eac3']),
  flac: container('flac', ['flac']),
  wav: container('wav', [...riff, 'adpcm_swf']),
  w64: container('w64', riff),
  aiff: container(
    'aiff',
    split(
      'pcm_s16be pcm_s16le pcm_alaw pcm_f32be pcm_f64be pcm_mulaw pcm_s8 pcm_s24be pcm_s32be pcm_u8 adpcm_ima_qt adpcm_ima_ws',
    ),
  ),
  caf: container(
    'caf',
    split(
      'ac3 alac flac mp2 mp3 pcm_s16be pcm_s16le pcm_alaw pcm_f32be pcm_f32le pcm_f64be pcm_f64le pcm_mulaw pcm_s8 pcm_s24be pcm_s24le pcm_s32be pcm_s32le adpcm_ima_qt adpcm_ima_wav adpcm_ms',
    ),
  ),
  dts: container('dts', ['dts']),
  wv: container('wv', ['wavpack']),
  ivf: container('ivf', ['av1', 'vp8', 'vp9']),
  h264: container('h264', ['h264']),
  hevc: container('hevc', ['hevc']),
  gif: container('gif', ['gif']),
} satisfies Record<string, SourceContainer>;

/** Name of a container of sources. */
export type SourceName = keyof typeof sources;

/** Names of all sources, in order. */
export const sourceNames = Object.keys(sources) as readonly SourceName[];
