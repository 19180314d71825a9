import { statSync } from 'node:fs';
import type { Stream } from 'node-av/lib';
import type { OutputContainer } from '../../../../contract/containers.ts';
import { limitNotes, type OutputNote } from '../../../../contract/output-notes.ts';
import { containerFormats } from '../../formats/container-formats.ts';
import {
  type BitrateRange,
  distributeBits,
  type SizedMedia,
  type SizedVideo,
  smallestBytes,
} from '../../size/bit-rates.ts';
import { canPad, padFile } from '../../size/padding.ts';
import { SizeSearch, shortSeconds, sizeGoal } from '../../size/size-search.ts';
import { sizeUnreachableError, tooSlowError } from '../../size/size-unreachable.ts';
import { partsOf } from '../../tasks/input-files.ts';
import type { ProcessReport } from '../../tasks/report.ts';
import type { ProcessTask } from '../../tasks/task.ts';
import type { TrackPlan } from '../../track-plan/track.ts';
import { findStream } from '../input/find-stream.ts';
import type { MediaInput } from '../input/media-input.ts';
import { orientationOf } from '../input/stream-orientation.ts';
import type { EncodeSettings } from '../output/encode-settings.ts';
import { frameGeometry } from '../output/frame-geometry.ts';
import { pixelAspectOf } from '../output/pixel-aspect.ts';
import { rotatedShape } from '../output/rotation.ts';
import type { TaskContext } from '../sink.ts';
import { pacerOfAttempt } from './attempt-pacer.ts';
import { copyContents } from './copy-contents.ts';

/** Writes the result with the given settings, and replaces the one before. */
export type WriteResult = (settings: EncodeSettings, taskContext: TaskContext) => Promise<ProcessReport>;

/** Duration that is assumed for media whose duration is unknown until it has been read, in seconds. */
const assumedSeconds = 60;

/** Frames per second of video whose rate is unknown. */
const assumedFps = 30;

/** Fraction of the time limit that one attempt may take. */
const attemptShare = 0.85;

/** Bytes of a container besides its streams. */
const containerBytes = 4096;

/** Bit rates of audio encoders in bit/s, by FFmpeg's names. LAME needs an option for rates between its fixed ones. */
const audioEncoders: Readonly<Record<string, BitrateRange & { readonly options?: EncodeSettings['audioOptions'] }>> = {
  libmp3lame: { min: 32_000, max: 320_000, options: { abr: '1' } },
  libfdk_aac: { min: 24_000, max: 320_000 },
  aac: { min: 24_000, max: 320_000 },
  libopus: { min: 12_000, max: 450_000 },
  libvorbis: { min: 48_000, max: 400_000 },
};

/** What {@link encodeToSize} encodes. */
interface EncodedMedia {
  readonly trackPlan: TrackPlan;
  readonly inputs: readonly MediaInput[];
  /** The settings that the job requests. */
  readonly settings: EncodeSettings;
}

/**
 * Encodes a result repeatedly, until it has between 90 % and 100 % of its maximum size. If the encoders cannot use so
 * many bytes, the result is padded, or has a note.
 *
 * @throws MillraceError `size_unreachable`, or those of `write`.
 */
export async function encodeToSize(
  task: ProcessTask,
  maxBytes: number,
  encoded: EncodedMedia,
  write: WriteResult,
  taskContext: TaskContext,
): Promise<ProcessReport> {
  const { trackPlan, settings } = encoded;
  const sizes = sizedMediaOf(task, encoded);
  if (sizes === undefined) return await writeOnce(maxBytes, () => write(settings, taskContext));
  const { media, audioOptions } = sizes;
  const needed = neededBytes(media, media.seconds);
  if (sizes.isDurationKnown && needed > maxBytes) throw sizeUnreachableError(maxBytes, media.seconds, needed);

  const { timeLimit = Number.POSITIVE_INFINITY } = taskContext;
  const start = performance.now();
  let search = new SizeSearch(maxBytes);
  let { isDurationKnown } = sizes;
  const fittingPath = `${task.output.path}.fitting`;
  let fitting: ProcessReport | undefined;
  let last: ProcessReport | undefined;
  let lastPlan = '';
  let longest = 0;
  let progress = 0;
  for (let bits: number | undefined = search.first(media.seconds); bits !== undefined; progress += (1 - progress) / 2) {
    const { video, ...bitrates } = distributeBits(bits, media);
    const attemptSettings = {
      ...settings,
      ...bitrates,
      video: { ...settings.video, ...video },
      ...(audioOptions === undefined ? {} : { audioOptions }),
    };
    // Beyond the limits of the encoders, another bit rate changes nothing.
    if (JSON.stringify(attemptSettings) === lastPlan) break;
    lastPlan = JSON.stringify(attemptSettings);
    const attemptStart = performance.now();
    const pacer = pacerOfAttempt(taskContext.pacer, progress, (milliseconds) => {
      const limit = attemptShare * timeLimit;
      if (last === undefined && milliseconds > limit) throw tooSlowError((media.seconds * limit) / milliseconds);
    });
    last = await write(attemptSettings, { ...taskContext, pacer });
    longest = Math.max(longest, performance.now() - attemptStart);
    if (last.bytes <= maxBytes && last.bytes > (fitting?.bytes ?? 0)) {
      fitting = last;
      // The next attempt replaces the result.
      if (!search.isReached(last.bytes)) copyContents(task.output.path, fittingPath);
    }
    if (isDurationKnown || search.isReached(last.bytes)) {
      bits = search.next(bits, last.bytes);
    } else {
      // The first attempt was based on an assumed duration.
      search = new SizeSearch(maxBytes);
      bits = search.first(last.duration);
      isDurationKnown = true;
    }
    const reached = neededBytes(media, last.duration);
    if (fitting === undefined && reached > maxBytes) throw sizeUnreachableError(maxBytes, last.duration, reached);
    if (performance.now() - start + longest > timeLimit) break;
  }
  if (fitting === undefined || last === undefined) {
    const seconds = last?.duration ?? media.seconds;
    throw sizeUnreachableError(maxBytes, seconds, Math.max(neededBytes(media, seconds), last?.bytes ?? 0));
  }
  if (fitting !== last) copyContents(fittingPath, task.output.path);
  const report = settings.audioBitrate === undefined ? withoutBitrateNotes(fitting) : fitting;
  return padResult(report, task.output.path, trackPlan.container, maxBytes);
}

/** Returns the lowest number of bytes that a result of a duration can have. */
function neededBytes(media: SizedMedia, seconds: number): number {
  return smallestBytes({ ...media, seconds }) + containerBytes;
}

/** Writes a result whose encoders have no bit rate. */
async function writeOnce(maxBytes: number, write: () => Promise<ProcessReport>): Promise<ProcessReport> {
  const report = await write();
  if (report.bytes > maxBytes) throw sizeUnreachableError(maxBytes, report.duration, report.bytes);
  return report;
}

/** Describes what is encoded; undefined if no encoder has a bit rate. */
function sizedMediaOf(task: ProcessTask, { trackPlan, inputs, settings }: EncodedMedia) {
  const encodedTracks = trackPlan.tracks.filter(({ action }) => action !== 'copy');
  const [audioEncoder] = containerFormats[trackPlan.container].encoders.audio;
  const audio = audioEncoder === undefined ? undefined : audioEncoders[audioEncoder.name];
  const audioStreams = audio === undefined ? 0 : encodedTracks.filter(({ kind }) => kind === 'audio').length;
  const videos = encodedTracks.flatMap(({ kind, sources: [source] }): SizedVideo[] => {
    return kind === 'video' && source !== undefined ? [sizedVideoOf(findStream(source, inputs), settings)] : [];
  });
  if (audioStreams + videos.length === 0) return undefined;
  const seconds = durationOf(task, inputs);
  const media: SizedMedia = {
    seconds: seconds ?? assumedSeconds,
    videos,
    audioStreams,
    audioRange: audio ?? { min: 0, max: 0 },
    ...(settings.audioBitrate === undefined ? {} : { requestedAudioBitrate: settings.audioBitrate }),
  };
  return { media, isDurationKnown: seconds !== undefined, audioOptions: audio?.options };
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

/** Removes the notes about bit rates that only the search requested. */
function withoutBitrateNotes(report: ProcessReport): ProcessReport {
  return { ...report, notes: report.notes.filter(({ code }) => code !== 'audio_bitrate_limited') };
}

/** Pads a result that is too small, or adds a note. */
function padResult(report: ProcessReport, path: string, ext: OutputContainer, maxBytes: number): ProcessReport {
  const missing = Math.ceil(sizeGoal.min * maxBytes) - report.bytes;
  if (missing <= 0 || report.duration <= shortSeconds) return report;
  const withNote = (code: OutputNote['code'], message: string) => limitNotes([...report.notes, { code, message }]);
  const size = `The encoded streams have only ${report.bytes} bytes`;
  if (!canPad(ext)) {
    const { title } = containerFormats[ext];
    return { ...report, notes: withNote('size_not_used', `${size}, and ${title} files cannot be padded.`) };
  }
  const padding = padFile(path, ext, missing);
  const message = `${size}, so ${padding} bytes of padding were added.`;
  return { ...report, bytes: statSync(path).size, notes: withNote('size_padded', message) };
}
