import { AV_NOPTS_VALUE, AVMEDIA_TYPE_AUDIO, AVMEDIA_TYPE_VIDEO } from 'node-av/constants';
import { avGetAudioFrameDuration2, type Packet, type Stream } from 'node-av/lib';
import { isPause } from '../../subtitles/subtitle-text.ts';
import { nearestTurn } from '../../timing/clock-turns.ts';
import { CueCounter } from '../../timing/cue-stats.ts';
import { continuesClock, type PartEnds, startOfNextPart } from '../../timing/part-starts.ts';
import { FileStats } from '../../timing/stream-stats.ts';
import { type Extent, type StreamTiming, Timeline, type Timestamps } from '../../timing/timeline.ts';
import { timelineStarts } from '../../timing/timeline-starts.ts';
import { isCutOff } from '../edit-list-filter.ts';
import { isContinuous, type MediaInput } from '../input/media-input.ts';
import { frameSeconds, type PtsSource } from '../input/pts-source.ts';
import { secondsToTicks } from '../timestamps.ts';

/** Estimates the duration of packets that do not state one. */
type EstimateDuration = (packet: Packet) => bigint;

const noTimestamps: Timestamps = { dts: undefined, pts: undefined, duration: 0n };

/** Maps the packets of one file to the result's clock. */
export class InputClock {
  /** Statistics of the packets before correction. */
  readonly stats: FileStats;
  /** Time on the result's clock at which the file begins, in seconds. */
  readonly begin: number;
  /** Start times of the cues of each subtitle stream, before correction. */
  readonly cues: readonly (CueCounter | undefined)[];
  readonly #timeline: Timeline;
  #latest: Timestamps = noTimestamps;
  #latestInFile: Timestamps = noTimestamps;
  readonly #durationEstimators: readonly EstimateDuration[];
  readonly #ptsSources: readonly PtsSource[];
  /** Number of ticks read so far from the only stream of a file without timestamps; undefined for other files. */
  #untimedTicks: bigint | undefined;
  /** Duration of one tick of each stream, in seconds. */
  readonly #ticks: readonly number[];
  /** Which streams are timed text, whose packets may be pauses. */
  readonly #timedText: readonly boolean[];

  /** Creates the clock of a file whose first timestamp is `start` seconds, mapped to `begin` on the result's clock. */
  constructor(input: MediaInput, start: number, begin?: number) {
    const { streams, mayJump } = input;
    const timings = streams.map((stream) => ({ ...timingOf(stream), sparse: !isContinuous(input, stream.index) }));
    this.begin = begin ?? 0;
    this.#timeline = new Timeline(timings, start, mayJump, begin);
    this.#durationEstimators = streams.map(createDurationEstimator);
    this.#ptsSources = input.ptsSources;
    this.#untimedTicks = input.untimed ? 0n : undefined;
    this.#ticks = timings.map(({ base }) => base.num / base.den);
    this.stats = new FileStats({ continuous: timings.map(({ sparse }) => !sparse), mayJump });
    this.cues = input.sources.map(({ kind }) => (kind === 'subtitle' ? new CueCounter() : undefined));
    this.#timedText = input.sources.map(({ codec }) => codec === 'mov_text');
  }

  /**
   * Time of the last packet on the result's clock, in seconds. Before the first packet, the time at which that packet
   * belongs.
   */
  get position(): number {
    return this.#timeline.position;
  }

  /** Corrected timestamps of the last packet, in ticks of its stream. Reading them from the packet takes longer. */
  get latest(): Timestamps {
    return this.#latest;
  }

  /** Timestamps of the last packet in the file, before correction, in ticks of its stream. */
  get latestInFile(): Timestamps {
    return this.#latestInFile;
  }

  /** Time on the result's clock, in seconds, at which the input's own clock is zero, unless it jumps. */
  get origin(): number {
    return this.#timeline.origin;
  }

  /** The origin after the last jump. */
  get lastOrigin(): number {
    return this.#timeline.lastOrigin;
  }

  /** Returns when the stream plays on the result's clock, as far as it was read. */
  extent(stream: number): Extent | undefined {
    return this.#timeline.extent(stream);
  }

  /** Corrects a packet of a stream in place. The stream's time base stays the same. */
  correct(packet: Packet, streamIndex: number): void {
    this.#undoGuess(packet, streamIndex);
    const { dts, pts } = packet;
    let { duration } = packet;
    if (duration <= 0n) {
      duration = this.#durationEstimators[streamIndex]?.(packet) ?? 0n;
      packet.duration = duration;
    }
    const tick = this.#ticks[streamIndex] ?? 0;
    if (this.#untimedTicks !== undefined) {
      this.stats.add(streamIndex, Number(this.#untimedTicks) * tick, undefined, Number(duration) * tick);
      // The packets get no timestamps: their order yields decoding times, but not presentation times.
      this.#timeline.correct(streamIndex, { dts: this.#untimedTicks, pts: undefined, duration });
      this.#latest = { dts: undefined, pts: undefined, duration };
      this.#untimedTicks += duration;
      return;
    }
    const timestamps = {
      dts: dts === AV_NOPTS_VALUE ? undefined : dts,
      pts: pts === AV_NOPTS_VALUE ? undefined : pts,
      duration,
    };
    this.#latestInFile = timestamps;
    this.#countCue(packet, streamIndex, timestamps.pts ?? timestamps.dts);
    this.stats.add(
      streamIndex,
      inSeconds(timestamps.dts, tick),
      inSeconds(timestamps.pts, tick),
      Number(duration) * tick,
      !isCutOff(packet),
    );
    const corrected = this.#timeline.correct(streamIndex, timestamps);
    // Each assignment is a call into the library; a long film would have up to a million of them.
    if (corrected.dts !== undefined && corrected.dts !== dts) packet.dts = corrected.dts;
    if (corrected.pts !== undefined && corrected.pts !== pts) packet.pts = corrected.pts;
    this.#latest = corrected;
  }

  #countCue(packet: Packet, streamIndex: number, start: bigint | undefined): void {
    const counter = this.cues[streamIndex];
    if (counter === undefined || packet.data === null) return;
    if (this.#timedText[streamIndex] === true && isPause(packet.data)) return;
    counter.add(inSeconds(start, this.#ticks[streamIndex] ?? 0) ?? 0);
  }

  /** Removes a presentation timestamp that the library guessed incorrectly. */
  #undoGuess(packet: Packet, streamIndex: number): void {
    const ptsSource = this.#ptsSources[streamIndex];
    if (ptsSource === 'dts') packet.pts = packet.dts;
    if (ptsSource === 'unknown') packet.pts = AV_NOPTS_VALUE;
  }
}

function inSeconds(ticks: bigint | undefined, tick: number): number | undefined {
  return ticks === undefined ? undefined : Number(ticks) * tick;
}

function timingOf(stream: Stream): StreamTiming {
  const { num, den } = stream.timeBase;
  return { base: { num, den }, lead: frameSeconds(stream) * stream.codecpar.videoDelay };
}

function createDurationEstimator(stream: Stream): EstimateDuration {
  const { codecpar, timeBase } = stream;
  const spacing = shortestSpacing();
  if (codecpar.codecType === AVMEDIA_TYPE_AUDIO) {
    return (packet) => {
      const samples = avGetAudioFrameDuration2(codecpar, packet.size);
      // The rate is 0 if the file has too little of the stream to detect it.
      return samples > 0 && codecpar.sampleRate > 0
        ? secondsToTicks(samples / codecpar.sampleRate, timeBase)
        : spacing(packet);
    };
  }
  const ticks = secondsToTicks(frameSeconds(stream), timeBase);
  return ticks === 0n && codecpar.codecType === AVMEDIA_TYPE_VIDEO ? spacing : () => ticks;
}

/**
 * Returns an estimator that uses the shortest time between two packets so far. It may be the only source for the
 * duration of the last packet, and players do not display a packet without one.
 */
function shortestSpacing(): EstimateDuration {
  let last = AV_NOPTS_VALUE;
  let shortest = 0n;
  return ({ dts }) => {
    if (dts === AV_NOPTS_VALUE) return shortest;
    const gap = last === AV_NOPTS_VALUE ? 0n : dts - last;
    if (gap > 0n && (shortest === 0n || gap < shortest)) shortest = gap;
    last = dts;
    return shortest;
  };
}

/**
 * Creates the clocks of the inputs, given the streams that are used from each.
 *
 * @param clipStart - time at which the result's clock begins, in seconds from the start of the media.
 */
export function createClocks(
  inputs: readonly MediaInput[],
  usedStreams: readonly ReadonlySet<number>[],
  clipStart?: number,
): InputClock[] {
  const isSubtitleFile = ({ sources }: MediaInput) => sources.some(({ subtitleFile }) => subtitleFile !== undefined);
  const files = inputs.map((input, at): FollowingFile => {
    return { input, isRead: (stream) => usedStreams[at]?.has(stream) === true };
  });
  const media = files.filter(({ input }) => !isSubtitleFile(input));
  const starts = new Map(startsOf(media).map((start, at) => [media[at], start]));
  return files.map((file) => {
    // The times of a subtitle file count from the beginning of the media.
    const start = starts.get(file) ?? 0;
    if (clipStart === undefined) return new InputClock(file.input, start);
    const first = startOf(file);
    return new InputClock(file.input, first, first - start - clipStart);
  });
}

/** A file that plays after others. */
export interface FollowingFile {
  readonly input: MediaInput;
  /** Whether a stream, given by its index, is read. */
  readonly isRead: (stream: number) => boolean;
}

/** Creates the clocks of the files that begin a section, given the end times of the previous section's files. */
export function sectionClocks(files: readonly FollowingFile[], ends: PartEnds): InputClock[] {
  const starts = startsOf(files);
  const leads = files.flatMap((file, at) => leadOf(file, starts[at] ?? 0) ?? []);
  const begin = startOfNextPart(ends, leads.length === 0 ? {} : { lead: Math.max(...leads) });
  return files.map(({ input }, at) => new InputClock(input, starts[at] ?? 0, begin));
}

/** The file before another one. */
interface PrecedingFile {
  readonly clock: InputClock;
  readonly ends: PartEnds;
  /** Whether it belongs to the same section, so that its clock may continue. */
  readonly sameSection: boolean;
  /**
   * Time on the result's clock, in seconds, at which the next file begins according to the playlist. Absent if it is
   * unknown or if no other file plays simultaneously.
   */
  readonly declaredStart?: number;
}

/** Creates the clock of a file that follows another one, regardless of the files that play in parallel. */
export function nextClock(file: FollowingFile, { clock, ends, sameSection, declaredStart }: PrecedingFile): InputClock {
  const start = startOf(file);
  const continuedStart = nearestTurn(file.input.sourceClock, start + clock.lastOrigin, ends.latest);
  if (sameSection && continuesClock(continuedStart, ends)) return new InputClock(file.input, start, continuedStart);
  const lead = leadOf(file, start);
  const begin = startOfNextPart(ends, {
    ...(lead === undefined ? {} : { lead }),
    ...(declaredStart === undefined ? {} : { declaredStart }),
  });
  return new InputClock(file.input, start, begin);
}

function startsOf(files: readonly FollowingFile[]): number[] {
  return timelineStarts(
    files.map((file) => {
      const { sourceClock: clock, excerptStart, jobInput, expectedDuration: duration } = file.input;
      return { clock, excerptStart, jobInput, duration, first: startOf(file) };
    }),
  );
}

function startOf(file: FollowingFile): number {
  const starts = startsOfStreams(file, () => true);
  return starts.length === 0 ? 0 : Math.min(...starts);
}

/** Returns the seconds from the given time on a file's clock to its first frame; undefined without video. */
function leadOf(file: FollowingFile, start: number): number | undefined {
  const starts = startsOfStreams(file, (stream) => file.input.sources[stream]?.kind === 'video');
  return starts.length === 0 ? undefined : Math.min(...starts) - start;
}

function startsOfStreams({ input, isRead }: FollowingFile, isCounted: (stream: number) => boolean): number[] {
  return input.starts.flatMap((start, at) => {
    return start !== undefined && isRead(at) && isContinuous(input, at) && isCounted(at) ? [start] : [];
  });
}
