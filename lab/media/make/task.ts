import type { Scene } from '../scenes/scene.ts';

/** Task of the maker process. Paths are relative to the folder of the task. */
export type MakeTask = EncodeVideoTask | EncodeAudioTask | RepeatTask | StillTask | SceneTask;

/** Look of a test video. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  /** Frames per second. */
  readonly rate: number;
  /** Chroma of the background, each 16 to 240. */
  readonly colour: { readonly u: number; readonly v: number };
}

/** Encodes the first {@link partSeconds} of a picture with a keyframe every two seconds. */
export interface EncodeVideoTask {
  readonly do: 'encode-video';
  readonly picture: Picture;
  readonly codec: VideoCodec;
  /** Bits per second, reached by adding noise to the frames; without it the video is as small as possible. */
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

/**
 * Writes a file of any length by repeating the packets of short encoded parts, so that the length adds no encoding
 * time.
 */
export interface RepeatTask {
  readonly do: 'repeat';
  readonly video?: { readonly part: string; readonly rate: number };
  readonly audio?: { readonly part: string; readonly codec: AudioCodec };
  /** Subtitles with a cue every second. */
  readonly subtitles?: SubtitleCodec;
  /** Display duration of each cue in seconds; default 1. */
  readonly cueSeconds?: number;
  readonly seconds: number;
  /** FFmpeg's name for the container. */
  readonly muxer: string;
  readonly options: Readonly<Record<string, string>>;
  readonly output: string;
}

/** Writes the first frame of a picture as JPEG. */
export interface StillTask {
  readonly do: 'still';
  readonly picture: Picture;
  readonly output: string;
}

/** Draws a scene as JPEG. */
export interface SceneTask {
  readonly do: 'scene';
  readonly scene: Scene;
  readonly output: string;
}

/** Subtitle formats by their FFmpeg names: text, or VobSub (`dvd_subtitle`). */
export type SubtitleCodec = 'subrip' | 'webvtt' | 'mov_text' | 'dvd_subtitle';
/** Video codecs. `h264` has no B-frames, `h264-reordered` decodes frames up to 0.08 s before they are displayed. */
export type VideoCodec = 'h264' | 'h264-reordered' | 'vp9';
export type AudioCodec = keyof typeof audioFrames;

/** Samples per packet of a codec. */
export const audioFrames = { aac: 1024, opus: 960, mp3: 1152 } as const;

/** Sample rate of all audio, in Hz. */
export const sampleRate = 48_000;

/** Duration of an encoded part in seconds. */
export const partSeconds = 10;

/** Seconds between keyframes. */
export const keySeconds = 2;
