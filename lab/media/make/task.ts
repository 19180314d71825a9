/** A task of the maker process. Paths are relative to the folder of the task. */
export type MakeTask = EncodeVideoTask | EncodeAudioTask | RepeatTask | StillTask;

/** How a moving picture looks. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  /** Frames a second. */
  readonly rate: number;
  /** Chroma of the background, each 16 to 240. */
  readonly colour: { readonly u: number; readonly v: number };
}

/** Encodes the first {@link partSeconds} of a picture, without B-frames, with a key frame every two seconds. */
export interface EncodeVideoTask {
  readonly do: 'encode-video';
  readonly picture: Picture;
  readonly codec: VideoCodec;
  /** Bits a second, filled up with noise in the picture; without it the picture is encoded as small as it gets. */
  readonly bitRate?: number;
  readonly output: string;
}

/** Encodes {@link partSeconds} of a tone. */
export interface EncodeAudioTask {
  readonly do: 'encode-audio';
  readonly codec: AudioCodec;
  /** Pitch in Hz. */
  readonly tone: number;
  readonly output: string;
}

/** Writes a file of any length by repeating the packets of short encoded parts, so that length costs no encoding. */
export interface RepeatTask {
  readonly do: 'repeat';
  readonly video?: { readonly part: string; readonly rate: number };
  readonly audio?: { readonly part: string; readonly codec: AudioCodec };
  /** Subtitles with a cue every second. */
  readonly subtitles?: SubtitleCodec;
  /** Seconds that each cue is shown, if not 1. */
  readonly cueSeconds?: number;
  readonly seconds: number;
  /** FFmpeg's name of the container. */
  readonly muxer: string;
  readonly options: Readonly<Record<string, string>>;
  readonly output: string;
}

/** Writes the picture's first frame as JPEG. */
export interface StillTask {
  readonly do: 'still';
  readonly picture: Picture;
  readonly output: string;
}

/** Formats of subtitles, as FFmpeg names them: text, or VobSub (`dvd_subtitle`). */
export type SubtitleCodec = 'subrip' | 'webvtt' | 'mov_text' | 'dvd_subtitle';
export type VideoCodec = 'h264' | 'vp9';
export type AudioCodec = keyof typeof audioFrames;

/** Samples that one packet of a codec holds. */
export const audioFrames = { aac: 1024, opus: 960, mp3: 1152 } as const;

/** Samples a second of all sound. */
export const sampleRate = 48_000;

/** Seconds of an encoded part. */
export const partSeconds = 10;

/** Seconds between key frames. */
export const keySeconds = 2;
