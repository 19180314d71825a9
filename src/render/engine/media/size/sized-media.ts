import type { Stream } from 'node-av/lib';
import { mp3BitRates } from '../../formats/audio-encoders.ts';
import { containerFormats } from '../../formats/container-formats.ts';
import type { BitrateRange, SizedMedia, SizedVideo } from '../../size/bit-rates.ts';
import { partsOf } from '../../tasks/input-files.ts';
import type { ProcessTask } from '../../tasks/task.ts';
import type { TrackPlan } from '../../track-plan/track.ts';
import { findStream } from '../input/find-stream.ts';
import type { MediaInput } from '../input/media-input.ts';
import { orientationOf } from '../input/stream-orientation.ts';
import type { EncodeSettings } from '../output/encode-settings.ts';
import { frameGeometry } from '../output/frame-geometry.ts';
import { pixelAspectOf } from '../output/pixel-aspect.ts';
import { rotatedShape } from '../output/rotation.ts';

/** Duration that is assumed for media whose duration is unknown until it has been read, in seconds. */
const assumedSeconds = 60;

/** Frames per second of video whose rate is unknown. */
const assumedFps = 30;

/** Bit rates of audio encoders in bit/s, by FFmpeg's names. Those of MP3 depend on the sample rate. */
const audioRanges: Readonly<Record<string, BitrateRange>> = {
  libfdk_aac: { min: 24_000, max: 320_000 },
  aac: { min: 24_000, max: 320_000 },
  libopus: { min: 12_000, max: 450_000 },
  libvorbis: { min: 48_000, max: 400_000 },
};

/** What is encoded to fit a size. */
export interface EncodedMedia {
  readonly trackPlan: TrackPlan;
  readonly inputs: readonly MediaInput[];
  /** The settings that the job requests. */
  readonly settings: EncodeSettings;
}

/** Media to encode to a size, as far as it is known before the media has been read. */
export interface KnownMedia {
  readonly media: SizedMedia;
  readonly isDurationKnown: boolean;
  /** The constant bit rates of an MP3 file, in bit/s; undefined for other containers. */
  readonly constantRates: readonly number[] | undefined;
}

/** Describes what is encoded; undefined if no encoder has a bit rate. */
export function sizedMediaOf(task: ProcessTask, { trackPlan, inputs, settings }: EncodedMedia): KnownMedia | undefined {
  const encodedTracks = trackPlan.tracks.filter(({ action }) => action !== 'copy');
  const videos = encodedTracks.flatMap(({ kind, sources: [source] }): SizedVideo[] => {
    return kind === 'video' && source !== undefined ? [sizedVideoOf(findStream(source, inputs), settings)] : [];
  });
  const audioTracks = encodedTracks.filter(({ kind }) => kind === 'audio');
  const [audioEncoder] = containerFormats[trackPlan.container].encoders.audio;
  const [audioSource] = audioTracks.flatMap(({ sources }) => sources);
  const constantRates =
    audioEncoder?.name === 'libmp3lame' && audioSource !== undefined
      ? mp3BitRates(findStream(audioSource, inputs).codecpar.sampleRate)
      : undefined;
  const audioRange = constantRates === undefined ? audioRanges[audioEncoder?.name ?? ''] : rangeOf(constantRates);
  const audioStreams = audioRange === undefined ? 0 : audioTracks.length;
  if (audioStreams + videos.length === 0) return undefined;
  const seconds = durationOf(task, inputs);
  const media: SizedMedia = {
    seconds: seconds ?? assumedSeconds,
    videos,
    audioStreams,
    audioRange: audioRange ?? { min: 0, max: 0 },
    ...(settings.audioBitrate === undefined ? {} : { requestedAudioBitrate: settings.audioBitrate }),
  };
  return { media, isDurationKnown: seconds !== undefined, constantRates };
}

function rangeOf(rates: readonly number[]): BitrateRange {
  return { min: Math.min(...rates), max: Math.max(...rates) };
}

function sizedVideoOf(stream: Stream, { video = {} }: EncodeSettings): SizedVideo {
  const { codecpar, avgFrameRate } = stream;
  const frame = { width: codecpar.width, height: codecpar.height, sampleAspectRatio: pixelAspectOf(stream) };
  const { width, height } = frameGeometry(rotatedShape(frame, orientationOf(stream)), video);
  const fps = avgFrameRate.num > 0 && avgFrameRate.den > 0 ? avgFrameRate.num / avgFrameRate.den : assumedFps;
  return { width, height, fps: Math.min(fps, video.maxFps ?? fps) };
}

/** Returns the duration of the result in seconds; undefined if an input does not declare its duration. */
function durationOf({ inputs: tasks, clip }: ProcessTask, inputs: readonly MediaInput[]): number | undefined {
  let longest = 0;
  for (const [at, { duration: headerDuration, streamDurations }] of inputs.entries()) {
    const task = tasks[at];
    if (task === undefined || task.subtitles !== undefined) continue;
    // The header of plain MP4 declares only those of its streams.
    const declaredDurations = streamDurations.filter((seconds) => seconds !== undefined);
    const duration = headerDuration ?? (declaredDurations.length > 0 ? Math.max(...declaredDurations) : undefined);
    const parts = partsOf(task);
    const declared = parts.map((part) => part.duration ?? (parts.length === 1 ? duration : undefined));
    if (declared.includes(undefined)) return undefined;
    // The declared duration of a playlist's part begins where its excerpt does; that of a file is the source's.
    const before = task.segments === undefined ? 0 : (task.excerptStart ?? 0);
    longest = Math.max(
      longest,
      declared.reduce<number>((sum, seconds = 0) => sum + seconds, before),
    );
  }
  const { start = 0, end = longest } = clip ?? {};
  const seconds = Math.min(end, longest) - start;
  return seconds > 0 ? seconds : undefined;
}
