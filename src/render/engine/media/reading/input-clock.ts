import { AV_NOPTS_VALUE, AVMEDIA_TYPE_AUDIO, AVMEDIA_TYPE_VIDEO } from 'node-av/constants';
import { avGetAudioFrameDuration2, type Packet, type Stream } from 'node-av/lib';
import { isPause } from '../../subtitles/subtitle-text.ts';
import { CueCounter } from '../../timing/cue-stats.ts';
import { continuesClock, type PartEnds, startAfter } from '../../timing/part-starts.ts';
import { FileStats } from '../../timing/stream-stats.ts';
import { type Extent, type Stamps, type StreamTiming, Timeline, timelineStarts } from '../../timing/timeline.ts';
import { isCutOff } from '../cut-off-packets.ts';
import { isContinuous, type OpenInput } from '../input/opened-input.ts';
import { frameSeconds, type PictureTimes } from '../input/picture-times.ts';
import { ticksOf } from '../timestamps.ts';

/** How long packets last that do not say so. */
type DurationOf = (packet: Packet) => bigint;

/** Puts the packets of one file on the result's clock. */
export class InputClock {
  /** Statistics of the packets as they were read, before they were corrected. */
  readonly stats: FileStats;
  /** Seconds on the result's clock at which the file begins. */
  readonly begin: number;
  /** Starts of the cues of each subtitle stream, before they were corrected. */
  readonly cues: readonly (CueCounter | undefined)[];
  readonly #timeline: Timeline;
  #latest: Stamps = { dts: undefined, pts: undefined, duration: 0n };
  readonly #durations: readonly DurationOf[];
  readonly #pictureTimes: readonly PictureTimes[];
  /** Of a file without timestamps, the ticks of what was read of its one stream. */
  #counted: bigint | undefined;
  /** Seconds of one tick of each stream. */
  readonly #ticks: readonly number[];
  /** Which streams are timed text, whose packets may be pauses. */
  readonly #timed: readonly boolean[];

  /** The clock of a file whose first timestamp is `start` seconds, and belongs at `begin` on the result's. */
  constructor(input: OpenInput, start: number, begin?: number) {
    const { streams, jumps } = input;
    const timings = streams.map((stream) => ({ ...timingOf(stream), sparse: !isContinuous(input, stream.index) }));
    this.begin = begin ?? 0;
    this.#timeline = new Timeline(timings, start, jumps, begin);
    this.#durations = streams.map(durationOf);
    this.#pictureTimes = input.pictureTimes;
    this.#counted = input.untimed ? 0n : undefined;
    this.#ticks = timings.map(({ base }) => base.num / base.den);
    this.stats = new FileStats({ continuous: timings.map(({ sparse }) => !sparse), mayJump: jumps });
    this.cues = input.sources.map(({ kind }) => (kind === 'subtitle' ? new CueCounter() : undefined));
    this.#timed = input.sources.map(({ codec }) => codec === 'mov_text');
  }

  /** Time of the last packet on the result's clock, in seconds; before the first packet, where that belongs. */
  get position(): number {
    return this.#timeline.position;
  }

  /** Corrected timestamps of the last packet, in ticks of its stream: reading them from the packet takes longer. */
  get latest(): Stamps {
    return this.#latest;
  }

  /** Seconds on the result's clock at which the input's own clock shows zero, unless it jumps. */
  get origin(): number {
    return this.#timeline.origin;
  }

  /** The same after the last jump. */
  get lastOrigin(): number {
    return this.#timeline.lastOrigin;
  }

  /** When the stream plays on the result's clock, as far as it was read. */
  extent(stream: number): Extent | undefined {
    return this.#timeline.extent(stream);
  }

  /** Corrects a packet of a stream as it was read, in place. The stream's time base stays. */
  correct(packet: Packet, streamIndex: number): void {
    this.#undoGuess(packet, streamIndex);
    const { dts, pts } = packet;
    let { duration } = packet;
    if (duration <= 0n) {
      duration = this.#durations[streamIndex]?.(packet) ?? 0n;
      packet.duration = duration;
    }
    const tick = this.#ticks[streamIndex] ?? 0;
    if (this.#counted !== undefined) {
      this.stats.add(streamIndex, Number(this.#counted) * tick, undefined, Number(duration) * tick);
      // The packets get no timestamps: their order gives decoding times, but not presentation times.
      this.#timeline.correct(streamIndex, { dts: this.#counted, pts: undefined, duration });
      this.#latest = { dts: undefined, pts: undefined, duration };
      this.#counted += duration;
      return;
    }
    const stored = {
      dts: dts === AV_NOPTS_VALUE ? undefined : dts,
      pts: pts === AV_NOPTS_VALUE ? undefined : pts,
    };
    this.#countCue(packet, streamIndex, stored.pts ?? stored.dts);
    this.stats.add(
      streamIndex,
      inSeconds(stored.dts, tick),
      inSeconds(stored.pts, tick),
      Number(duration) * tick,
      !isCutOff(packet),
    );
    const corrected = this.#timeline.correct(streamIndex, { ...stored, duration });
    // Each of these crosses into the library, a million times for a long film.
    if (corrected.dts !== undefined && corrected.dts !== dts) packet.dts = corrected.dts;
    if (corrected.pts !== undefined && corrected.pts !== pts) packet.pts = corrected.pts;
    this.#latest = corrected;
  }

  #countCue(packet: Packet, streamIndex: number, start: bigint | undefined): void {
    const counter = this.cues[streamIndex];
    if (counter === undefined || packet.data === null) return;
    if (this.#timed[streamIndex] === true && isPause(packet.data)) return;
    counter.add(inSeconds(start, this.#ticks[streamIndex] ?? 0) ?? 0);
  }

  /** Takes back when a picture is shown where the library guessed that, and wrongly. */
  #undoGuess(packet: Packet, streamIndex: number): void {
    const times = this.#pictureTimes[streamIndex];
    if (times === 'decoded') packet.pts = packet.dts;
    if (times === 'unknown') packet.pts = AV_NOPTS_VALUE;
  }
}

function inSeconds(ticks: bigint | undefined, tick: number): number | undefined {
  return ticks === undefined ? undefined : Number(ticks) * tick;
}

function timingOf(stream: Stream): StreamTiming {
  const { num, den } = stream.timeBase;
  return { base: { num, den }, lead: frameSeconds(stream) * stream.codecpar.videoDelay };
}

function durationOf(stream: Stream): DurationOf {
  const { codecpar, timeBase } = stream;
  const spacing = shortestSpacing();
  if (codecpar.codecType === AVMEDIA_TYPE_AUDIO) {
    return (packet) => {
      const samples = avGetAudioFrameDuration2(codecpar, packet.size);
      // The rate is 0 if the file has too little of the stream to detect it.
      return samples > 0 && codecpar.sampleRate > 0
        ? ticksOf(samples / codecpar.sampleRate, timeBase)
        : spacing(packet);
    };
  }
  const ticks = ticksOf(frameSeconds(stream), timeBase);
  return ticks === 0n && codecpar.codecType === AVMEDIA_TYPE_VIDEO ? spacing : () => ticks;
}

/**
 * The shortest time between two packets so far. Nothing else may give the duration of the last packet, and players do not
 * show a packet without one.
 */
function shortestSpacing(): DurationOf {
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

/** Clocks for inputs of which the given streams are used. */
export function createClocks(inputs: readonly OpenInput[], used: readonly ReadonlySet<number>[]): InputClock[] {
  const starts = startsOf(inputs.map((input, at) => ({ input, isRead: (stream) => used[at]?.has(stream) === true })));
  return inputs.map((input, at) => new InputClock(input, starts[at] ?? 0));
}

/** A file that plays after others. */
export interface Follower {
  readonly input: OpenInput;
  /** Whether a stream of it, by its index, is read. */
  readonly isRead: (stream: number) => boolean;
}

/** Clocks for the files that begin a section, given when the files of the section before end. */
export function sectionClocks(followers: readonly Follower[], ends: PartEnds): InputClock[] {
  const starts = startsOf(followers);
  const leads = followers.flatMap((follower, at) => leadOf(follower, starts[at] ?? 0) ?? []);
  const begin = startAfter(ends, leads.length === 0 ? {} : { lead: Math.max(...leads) });
  return followers.map(({ input }, at) => new InputClock(input, starts[at] ?? 0, begin));
}

/** What a file follows. */
interface Predecessor {
  readonly clock: InputClock;
  readonly ends: PartEnds;
  /** Whether it belongs to the same section, so that its clock may go on. */
  readonly sameSection: boolean;
  /** Seconds on the result's clock at which the next file begins by the playlist, if that counts. */
  readonly declared?: number;
}

/** A clock for a file that follows another one whatever plays beside them. */
export function nextClock(follower: Follower, { clock, ends, sameSection, declared }: Predecessor): InputClock {
  const start = startOf(follower);
  const continued = start + clock.lastOrigin;
  if (sameSection && continuesClock(continued, ends)) return new InputClock(follower.input, start, continued);
  const lead = leadOf(follower, start);
  const begin = startAfter(ends, {
    ...(lead === undefined ? {} : { lead }),
    ...(declared === undefined ? {} : { declared }),
  });
  return new InputClock(follower.input, start, begin);
}

function startsOf(followers: readonly Follower[]): number[] {
  return timelineStarts(followers.map((follower) => ({ format: follower.input.format, first: startOf(follower) })));
}

function startOf(follower: Follower): number {
  const starts = startsOfStreams(follower, () => true);
  return starts.length === 0 ? 0 : Math.min(...starts);
}

/** Seconds from the given time on a file's clock to its first picture; nothing without video. */
function leadOf(follower: Follower, start: number): number | undefined {
  const starts = startsOfStreams(follower, (stream) => follower.input.sources[stream]?.kind === 'video');
  return starts.length === 0 ? undefined : Math.min(...starts) - start;
}

function startsOfStreams({ input, isRead }: Follower, counts: (stream: number) => boolean): number[] {
  return input.starts.flatMap((start, at) => {
    return start !== undefined && isRead(at) && isContinuous(input, at) && counts(at) ? [start] : [];
  });
}
