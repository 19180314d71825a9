import { averageMp3BitRate } from '../../formats/audio-encoders.ts';
import { distributeBits, type SizedMedia, smallestBytes } from '../../size/bit-rates.ts';
import { Mp3Search } from '../../size/mp3-search.ts';
import { isWithinGoal, SizeSearch } from '../../size/size-search.ts';
import { sizeUnreachableError, TooSlowError } from '../../size/size-unreachable.ts';
import type { ProcessReport } from '../../tasks/report.ts';
import type { EncodeSettings } from '../output/encode-settings.ts';
import type { TaskContext } from '../sink.ts';
import { pacerOfAttempt } from './attempt-pacer.ts';
import { copyContents } from './copy-contents.ts';
import type { KnownMedia } from './sized-media.ts';

/** Writes the result with the given settings, and replaces the one before. */
export type WriteResult<Context = TaskContext> = (
  settings: EncodeSettings,
  taskContext: Context,
) => Promise<ProcessReport>;

/** Fractions of the time limit that the first attempt, and all attempts, may take. Padding and checks need the rest. */
const timeShares = { first: 0.85, all: 0.95 } as const;

/** Bytes of a container besides its streams. */
const containerBytes = 4096;

/** A result to encode to a size. */
export interface SizedResult extends KnownMedia {
  readonly path: string;
  readonly maxBytes: number;
  /** The settings that the job requests. */
  readonly settings: EncodeSettings;
}

/**
 * Encodes a result repeatedly, until it has between 90 % and 100 % of its maximum size, and keeps the largest one that
 * fits.
 *
 * @throws MillraceError `size_unreachable` if none fits, or none in time, or those of `write`.
 */
export async function reachSize<Context extends Pick<TaskContext, 'pacer' | 'timeLimit'>>(
  { path, maxBytes, settings, media, isDurationKnown, constantRates }: SizedResult,
  write: WriteResult<Context>,
  taskContext: Context,
): Promise<ProcessReport> {
  const needed = neededBytes(media, media.seconds);
  if (isDurationKnown && needed > maxBytes) throw sizeUnreachableError(maxBytes, media.seconds, needed);

  const { timeLimit = Number.POSITIVE_INFINITY } = taskContext;
  const start = performance.now();
  const createSearch = () =>
    constantRates === undefined ? new SizeSearch(maxBytes) : new Mp3Search(maxBytes, constantRates);
  const fittingPath = `${path}.fitting`;
  let search = createSearch();
  let hasExactBudget = isDurationKnown;
  let fitting: ProcessReport | undefined;
  let last: ProcessReport | undefined;
  let lastPlan = '';
  let longest = 0;
  let progress = 0;
  for (let bits: number | undefined = search.first(media.seconds); bits !== undefined; progress += (1 - progress) / 2) {
    const attemptSettings = settingsFor(bits, { media, settings, constantRates });
    // Beyond the limits of the encoders, another bit rate changes nothing.
    if (JSON.stringify(attemptSettings) === lastPlan) break;
    lastPlan = JSON.stringify(attemptSettings);
    const attemptStart = performance.now();
    const limit = timeLimit * (last === undefined ? timeShares.first : timeShares.all);
    const seconds = last?.duration ?? media.seconds;
    const pacer = pacerOfAttempt(taskContext.pacer, progress, (milliseconds) => {
      refuseSlowness(attemptStart - start + milliseconds, limit, seconds, media);
    });
    try {
      last = await write(attemptSettings, { ...taskContext, pacer });
    } catch (error) {
      if (fitting === undefined || !(error instanceof TooSlowError)) throw error;
      // The result is incomplete, but the one before fits.
      last = undefined;
      break;
    }
    longest = Math.max(longest, performance.now() - attemptStart);
    if (last.bytes <= maxBytes && last.bytes > (fitting?.bytes ?? 0)) {
      fitting = last;
      // The next attempt replaces the result.
      if (!isWithinGoal(last.bytes, maxBytes)) copyContents(path, fittingPath);
    }
    if (hasExactBudget || isWithinGoal(last.bytes, maxBytes)) {
      bits = search.next(bits, last.bytes);
    } else {
      // The first attempt was based on an assumed duration.
      search = createSearch();
      bits = search.first(last.duration);
      hasExactBudget = true;
    }
    const reached = neededBytes(media, last.duration);
    if (fitting === undefined && reached > maxBytes) throw sizeUnreachableError(maxBytes, last.duration, reached);
    if (bits === undefined) break;
    const nextEnd = performance.now() - start + longest;
    if (fitting === undefined) refuseSlowness(nextEnd, timeShares.all * timeLimit, last.duration, media);
    else if (nextEnd > timeShares.all * timeLimit) break;
  }
  if (fitting === undefined) {
    const seconds = last?.duration ?? media.seconds;
    throw sizeUnreachableError(maxBytes, seconds, Math.max(neededBytes(media, seconds), last?.bytes ?? 0));
  }
  if (fitting !== last) copyContents(fittingPath, path);
  return settings.audioBitrate === undefined ? withoutBitrateNotes(fitting) : fitting;
}

/**
 * Refuses an end of the encoding, in milliseconds from its beginning, that is beyond a limit.
 *
 * @param seconds - duration of the media.
 * @throws MillraceError `size_unreachable`, with the longest part of the media that could be encoded.
 */
function refuseSlowness(end: number, limit: number, seconds: number, { videos }: SizedMedia): void {
  if (end > limit) throw new TooSlowError((seconds * limit) / end, videos.length > 0);
}

/** Returns the settings of an attempt with a number of bits per second. */
function settingsFor(
  bits: number,
  { media, settings, constantRates }: Pick<SizedResult, 'media' | 'settings' | 'constantRates'>,
): EncodeSettings {
  const { video, ...bitrates } = distributeBits(bits, media);
  // A requested bit rate keeps the encoder's own options.
  const isAverage = constantRates?.includes(bits) === false && settings.audioBitrate === undefined;
  return {
    ...settings,
    ...bitrates,
    video: { ...settings.video, ...video },
    ...(isAverage ? { audioOptions: averageMp3BitRate } : {}),
  };
}

/** Returns the lowest number of bytes that a result of a duration can have. */
function neededBytes(media: SizedMedia, seconds: number): number {
  return smallestBytes({ ...media, seconds }) + containerBytes;
}

/** Removes the notes about bit rates that only the search requested. */
function withoutBitrateNotes(report: ProcessReport): ProcessReport {
  return { ...report, notes: report.notes.filter(({ code }) => code !== 'audio_bitrate_limited') };
}
