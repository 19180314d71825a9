import type { AudioCodec, MakeTask, Picture, RepeatTask, SubtitleCodec, VideoCodec } from './make/task.ts';
import { isSubject } from './scenes/scene.ts';
import { type LookName, look, parseRendition, type Rendition, type Title, type Track } from './titles.ts';

/** Recipe of a file (or a folder of files) of the cache. A recipe is plain data; the cache makes the file. */
export interface Recipe {
  /** Name in the cache: equal names mean equal bytes. */
  readonly name: string;
  /** File to open, if the recipe makes a folder. */
  readonly entry?: string;
  /** Recipes of the files that this one requires. */
  readonly needs: readonly Recipe[];
  /** Approximate size in bytes, if it is large. */
  readonly bytes?: number;
  /**
   * Returns the task for the maker. `needs` are the paths of the required files, `output` is the path of the result.
   */
  task(needs: readonly string[], output: string): MakeTask;
}

/** Served file of a title. */
export interface MediaFile {
  readonly recipe: Recipe;
  readonly type: string;
}

/** Increased when a recipe or the maker changes, so that old files are no longer used. */
export const recipeVersion = 1;

/** Duration of an HLS segment in seconds. */
export const segmentSeconds = 4;

/** Segments that are shorter than a group of pictures, so that most of them begin within one. */
const short = { seconds: 1, options: { hls_flags: 'split_by_time' } } as const;
const ts = { extension: 'ts', type: 'video/mp2t', whole: 'all.ts' } as const;
const fmp4 = { extension: 'm4s', type: 'video/mp4', whole: 'all.mp4', init: 'init.mp4' } as const;
const fmp4Options = { hls_segment_type: 'fmp4', hls_fmp4_init_filename: fmp4.init } as const;

/** Containers of segments with their file names: `init` is the initialization segment. */
export const containers = {
  ts: { ...ts, seconds: segmentSeconds, options: {} },
  fmp4: { ...fmp4, seconds: segmentSeconds, options: fmp4Options },
  short: { ...ts, ...short },
  'fmp4-short': { ...fmp4, ...short, options: { ...fmp4Options, ...short.options } },
} as const satisfies Record<string, ContainerFiles>;

export type Container = keyof typeof containers;

interface ContainerFiles {
  readonly extension: string;
  readonly type: string;
  /** Name of the file that joins all segments. */
  readonly whole: string;
  readonly init?: string;
  /** Duration of a segment. */
  readonly seconds: number;
  readonly options: Readonly<Record<string, string>>;
}

interface FileKind {
  readonly type: string;
  readonly about: string;
  readonly video?: VideoCodec;
  readonly audio?: AudioCodec;
  readonly subtitles?: SubtitleCodec;
  readonly cueSeconds?: number;
  readonly muxer: string;
  readonly options: Readonly<Record<string, string>>;
}

const dash = { movflags: 'frag_keyframe+empty_moov+default_base_moof+dash+global_sidx' };
const dashAudio = { movflags: 'empty_moov+default_base_moof+dash+global_sidx', frag_duration: '5000000' };
const faststart = { movflags: 'faststart' };
/** Recorders of browsers (MediaRecorder) do not know how long a recording will be, and write no index. */
const recordedMp4 = { movflags: 'empty_moov+default_base_moof+skip_trailer', frag_duration: '500000' };
const recordedWebm = { live: '1', cluster_time_limit: '500' };

const key = '00112233445566778899aabbccddeeff';
const film = { video: 'h264', audio: 'aac' } as const;

function subtitledFile(name: string, subtitles: SubtitleCodec): FileKind {
  const about = `Matroska with subtitles: H.264, AAC, ${name}`;
  return { type: 'video/x-matroska', about, ...film, subtitles, muxer: 'matroska', options: {} };
}

/** Files of a title. The names of those with video contain a rendition: `video-720.mp4`. */
export const fileKinds: Readonly<Record<string, FileKind>> = {
  'video.mp4': {
    type: 'video/mp4',
    about: 'DASH video: fragmented MP4 with one index, H.264',
    video: 'h264',
    muxer: 'mp4',
    options: dash,
  },
  'audio.mp4': {
    type: 'audio/mp4',
    about: 'DASH audio: fragmented MP4 with one index, AAC',
    audio: 'aac',
    muxer: 'mp4',
    options: dashAudio,
  },
  'movie.mp4': {
    type: 'video/mp4',
    about: 'progressive MP4, H.264 and AAC',
    video: 'h264',
    audio: 'aac',
    muxer: 'mp4',
    options: faststart,
  },
  'video.webm': { type: 'video/webm', about: 'WebM, VP9', video: 'vp9', muxer: 'webm', options: {} },
  'audio.webm': { type: 'audio/webm', about: 'WebM, Opus', audio: 'opus', muxer: 'webm', options: {} },
  'movie.webm': {
    type: 'video/webm',
    about: 'WebM, VP9 and Opus',
    video: 'vp9',
    audio: 'opus',
    muxer: 'webm',
    options: {},
  },
  'text.mp4': {
    type: 'video/mp4',
    about: 'MP4 with subtitles: H.264, AAC, 3GPP timed text',
    ...film,
    subtitles: 'mov_text',
    muxer: 'mp4',
    options: faststart,
  },
  'subrip.mkv': subtitledFile('SubRip', 'subrip'),
  'rolling.mkv': { ...subtitledFile('SubRip, three cues at a time', 'subrip'), cueSeconds: 3 },
  'vobsub.mkv': subtitledFile('VobSub', 'dvd_subtitle'),
  'webvtt.mkv': subtitledFile('WebVTT in the WebM form (D_WEBVTT)', 'webvtt'),
  'webvtt.webm': {
    type: 'video/webm',
    about: 'WebM with subtitles: VP9, Opus, WebVTT (D_WEBVTT)',
    video: 'vp9',
    audio: 'opus',
    subtitles: 'webvtt',
    muxer: 'webm',
    options: {},
  },
  'drm.mp4': {
    type: 'video/mp4',
    about: 'MP4 with Common Encryption: H.264 and AAC, whose key is not served',
    ...film,
    muxer: 'mp4',
    options: { ...faststart, encryption_scheme: 'cenc-aes-ctr', encryption_key: key, encryption_kid: key },
  },
  'fragments.mp4': {
    type: 'video/mp4',
    about: 'fragmented MP4 without edit lists, H.264 with B-frames and AAC; the video begins 0.08 s after the audio',
    video: 'h264-reordered',
    audio: 'aac',
    muxer: 'mp4',
    options: { movflags: 'frag_keyframe+empty_moov' },
  },
  'recorded.mp4': {
    type: 'video/mp4',
    about: 'recording of a browser: fragments of half a second without duration or index, H.264 and AAC',
    ...film,
    muxer: 'mp4',
    options: recordedMp4,
  },
  'recorded.webm': {
    type: 'video/webm',
    about: 'recording of a browser: WebM of unknown size without duration or index, VP9 and Opus',
    video: 'vp9',
    audio: 'opus',
    muxer: 'webm',
    options: recordedWebm,
  },
  'movie.mkv': {
    type: 'video/x-matroska',
    about: 'Matroska, H.264 and AAC',
    video: 'h264',
    audio: 'aac',
    muxer: 'matroska',
    options: {},
  },
  'movie.mov': {
    type: 'video/quicktime',
    about: 'QuickTime with its index at the end, H.264 and AAC',
    video: 'h264',
    audio: 'aac',
    muxer: 'mov',
    options: {},
  },
  'movie.ts': {
    type: 'video/mp2t',
    about: 'MPEG-TS, H.264 and AAC',
    video: 'h264',
    audio: 'aac',
    muxer: 'mpegts',
    options: {},
  },
  'sound.m4a': { type: 'audio/mp4', about: 'M4A, AAC', audio: 'aac', muxer: 'ipod', options: faststart },
  'sound.aac': { type: 'audio/aac', about: 'ADTS, AAC', audio: 'aac', muxer: 'adts', options: {} },
  'sound.mp3': { type: 'audio/mpeg', about: 'MP3', audio: 'mp3', muxer: 'mp3', options: {} },
};

/**
 * Finds a title's file by its name, such as `video-720.mp4`, `sound.mp3`, `still-360.jpg` or
 * `scene-bridge-17-320x180.jpg`.
 */
export function mediaFile(title: Title, name: string): MediaFile | undefined {
  const scene = sceneRecipe(title.look, name);
  if (scene !== undefined) return { type: 'image/jpeg', recipe: scene };
  const [, stem, size, ext] = /^([a-z]{1,9})(?:-(\d{3,4}(?:p60)?))?\.([a-z0-9]{2,4})$/.exec(name) ?? [];
  const rendition = size === undefined ? undefined : parseRendition(size);
  if (stem === 'still' && ext === 'jpg' && rendition !== undefined) {
    return { type: 'image/jpeg', recipe: still(title.look, rendition) };
  }
  const kind = Object.hasOwn(fileKinds, `${stem}.${ext}`) ? fileKinds[`${stem}.${ext}`] : undefined;
  if (kind === undefined || (kind.video === undefined) !== (size === undefined)) return undefined;
  if (kind.video !== undefined && rendition === undefined) return undefined;
  return { type: kind.type, recipe: repeatRecipe(`${title.name}.${name}`, title, kind, rendition) };
}

/** Returns the folder of a title's HLS segments: `seg-00001.ts` and so on, or `init.mp4`, `seg-00001.m4s` and so on. */
export function hlsSegments(title: Title, track: Track, container: Container = 'ts'): Recipe {
  const { extension, type, seconds, options } = containers[container];
  const kind: FileKind = {
    type,
    about: 'HLS',
    ...(track.video === undefined ? {} : { video: 'h264' }),
    ...(track.audio ? { audio: 'aac' } : {}),
    muxer: 'hls',
    options: {
      hls_time: `${seconds}`,
      hls_playlist_type: 'vod',
      start_number: '1',
      hls_segment_filename: `seg-%05d.${extension}`,
      ...options,
    },
  };
  const name = `${title.name}.hls-${container === 'ts' ? '' : `${container}-`}${track.name}`;
  return { ...repeatRecipe(name, title, kind, track.video), entry: 'index.m3u8' };
}

function repeatRecipe(name: string, title: Title, kind: FileKind, rendition: Rendition | undefined): Recipe {
  const { video, audio, subtitles, cueSeconds, muxer, options } = kind;
  const needs = [
    ...(video === undefined || rendition === undefined ? [] : [videoPart(title.look, video, rendition)]),
    ...(audio === undefined ? [] : [audioPart(title.look, audio)]),
  ];
  const { bitRate } = look(title.look);
  return {
    name,
    needs,
    ...(video === undefined || bitRate === undefined ? {} : { bytes: (title.seconds * bitRate) / 8 }),
    task: (paths, output): RepeatTask => {
      const videoPath = video === undefined ? undefined : paths[0];
      const audioPath = audio === undefined ? undefined : paths.at(-1);
      return {
        do: 'repeat',
        ...(videoPath === undefined || rendition === undefined
          ? {}
          : { video: { part: videoPath, rate: rendition.rate } }),
        ...(audioPath === undefined || audio === undefined ? {} : { audio: { part: audioPath, codec: audio } }),
        ...(subtitles === undefined ? {} : { subtitles }),
        ...(cueSeconds === undefined ? {} : { cueSeconds }),
        seconds: title.seconds,
        muxer,
        options,
        output,
      };
    },
  };
}

function videoPart(name: LookName, codec: VideoCodec, rendition: Rendition): Recipe {
  const { bitRate } = look(name);
  return {
    name: `${name}.part-${codec}-${rendition.name}.mkv`,
    needs: [],
    task: (_, output) => ({
      do: 'encode-video',
      picture: picture(name, rendition),
      codec,
      ...(bitRate === undefined ? {} : { bitRate }),
      output,
    }),
  };
}

function audioPart(name: LookName, codec: AudioCodec): Recipe {
  return {
    name: `${name}.part-${codec}.mkv`,
    needs: [],
    task: (_, output) => ({ do: 'encode-audio', codec, tone: look(name).tone, output }),
  };
}

function still(name: LookName, rendition: Rendition): Recipe {
  return {
    name: `${name}.still-${rendition.name}.jpg`,
    needs: [],
    task: (_, output) => ({ do: 'still', picture: picture(name, rendition), output }),
  };
}

/** Returns the recipe of an illustration: its subject, its number, and its size in pixels. */
function sceneRecipe(lookName: LookName, name: string): Recipe | undefined {
  const [, kind, subject = '', number, width, height] =
    /^(scene|thumbnail)-([a-z]+)-(\d{1,3})-(\d{2,4})x(\d{2,4})\.jpg$/.exec(name) ?? [];
  if (!isSubject(subject)) return undefined;
  const size = { width: Number(width), height: Number(height) };
  const scene = { subject, seed: `${lookName}/${number}`, isThumbnail: kind === 'thumbnail', ...size };
  return { name: `${lookName}.${name}`, needs: [], task: (_, output) => ({ do: 'scene', scene, output }) };
}

function picture(name: LookName, { width, height, rate }: Rendition): Picture {
  return { width, height, rate, colour: look(name).colour };
}
