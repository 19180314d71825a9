/** FFmpeg's unit of time as a fraction: one tick is `num / den` seconds. */
interface TimeBase {
  readonly num: number;
  readonly den: number;
}

/** Decoding time, presentation time and duration of a packet, in ticks of its stream. */
export interface Timestamps {
  readonly dts: bigint | undefined;
  readonly pts: bigint | undefined;
  /** 0 if unknown. */
  readonly duration: bigint;
}

/** Properties of a stream that a timeline depends on. */
export interface StreamTiming {
  readonly base: TimeBase;
  /** Seconds between decoding and presentation of the first frame, if it has no decoding time. */
  readonly lead: number;
  /** Whether it may have no packets for a long time, like subtitles and data. Then its silence is not a clock jump. */
  readonly sparse?: boolean;
}

/** Time range of a stream in seconds. */
export interface Extent {
  readonly first: number;
  readonly end: number;
}

/**
 * Inaccuracy of timestamp sums in seconds: less than a tick, so a step that exactly equals a threshold is not a jump.
 */
const rounding = 1e-6;
/**
 * Maximum difference between a timestamp and the prediction from previous packets before the clock counts as jumped, in
 * seconds.
 */
const jumpThreshold = 10 + rounding;
/** Maximum time that the clock may go back before it counts as jumped, in seconds. */
const backThreshold = 0.1 + rounding;
/**
 * The same maximum at a jump that another stream has made, in seconds. Streams do not begin at the same time after a
 * jump.
 */
const jointBackThreshold = 1 + rounding;
/** Maximum time between decoding and presentation of a first frame, in seconds: a few frames of a slide show. */
const maxLead = 60;
/** Number of past jumps at which a stream may adopt another stream's offset. */
const rememberedJumps = 8;

interface StreamState {
  readonly timing: StreamTiming;
  /** Duration of one tick in seconds. */
  readonly tick: number;
  /** Number of clock jumps that the stream has made: the index of its offset among those of the timeline. */
  jumps: number;
  /** The stream's offset in ticks, and the same offset in seconds. */
  offsetTicks: bigint;
  offsetSeconds: number;
  /** Decoding times of the last packet and of the expected next one, in seconds. */
  lastDts: number | undefined;
  nextDts: number | undefined;
  /** Decoding time of the first packet, in seconds. */
  firstDts: number | undefined;
  /** Presentation times in seconds: the earliest, and the latest end. */
  first: number;
  end: number;
}

/**
 * Maps the timestamps of one file to the result's clock, removes jumps and wraparounds, and fills in missing decoding
 * times. Streams do not jump at the same packet of the file: around a jump, packets from before and after it are
 * interleaved. So each stream jumps independently, and adopts the offset of the stream that made the same jump first.
 */
export class Timeline {
  /** Offsets added to timestamps, in seconds: the initial one, and one after each jump. */
  readonly #offsets: number[];
  readonly #mayJump: boolean;
  readonly #streams: readonly StreamState[];
  #position: number;
  #lastDtsOfAny: number | undefined;

  /**
   * @param start - the file's first timestamp, in seconds.
   * @param jumps - whether timestamps of this kind of file may jump. The packets after a jump then directly follow
   * those before it.
   * @param begin - time of the first timestamp on the result's clock, in seconds; default: 0.
   */
  constructor(streams: readonly StreamTiming[], start: number, jumps: boolean, begin?: number) {
    this.#offsets = [(begin ?? 0) - start];
    this.#position = begin ?? Number.NEGATIVE_INFINITY;
    this.#mayJump = jumps;
    this.#streams = streams.map((timing) => ({
      timing,
      tick: timing.base.num / timing.base.den,
      jumps: 0,
      offsetTicks: 0n,
      offsetSeconds: 0,
      lastDts: undefined,
      nextDts: undefined,
      firstDts: undefined,
      first: Number.POSITIVE_INFINITY,
      end: Number.NEGATIVE_INFINITY,
    }));
  }

  /**
   * Time of the last packet on the result's clock, in seconds. Before the first packet, the time at which that packet
   * begins.
   */
  get position(): number {
    return this.#position;
  }

  /** Time on the result's clock, in seconds, at which the file's own clock is zero, before it jumps. */
  get origin(): number {
    return this.#offsets[0] ?? 0;
  }

  /** Time on the result's clock, in seconds, at which the file's own clock is zero after its last jump. */
  get lastOrigin(): number {
    return this.#offsets.at(-1) ?? 0;
  }

  /** Returns when the stream plays on the result's clock, as far as it was read. */
  extent(stream: number): Extent | undefined {
    const { first = Number.POSITIVE_INFINITY, end = Number.NEGATIVE_INFINITY } = this.#streams[stream] ?? {};
    return first > end ? undefined : { first, end };
  }

  /** Returns a packet's timestamps on the result's clock. Packets must be passed in reading order. */
  correct(stream: number, timestamps: Timestamps): Timestamps {
    const state = this.#streams[stream];
    if (state === undefined) return timestamps;
    if (this.#mayJump) this.#jump(state, timestamps);
    const dtsSeconds = this.#decodingTime(state, timestamps);
    if (dtsSeconds !== undefined) {
      state.lastDts = dtsSeconds;
      state.nextDts = dtsSeconds + Number(timestamps.duration) * state.tick;
      this.#lastDtsOfAny = dtsSeconds;
      this.#position = dtsSeconds;
    }
    return this.#shift(state, timestamps, dtsSeconds);
  }

  #offsetOf({ jumps }: StreamState): number {
    return this.#offsets[jumps] ?? 0;
  }

  /** Returns the decoding time of a packet on the result's clock. */
  #decodingTime(state: StreamState, timestamps: Timestamps): number | undefined {
    if (timestamps.dts === undefined && state.nextDts !== undefined) return state.nextDts;
    const own = decodingTimeInFile(state, timestamps);
    return own === undefined ? undefined : own + this.#offsetOf(state);
  }

  /** Gives the stream another offset if the clock jumped before a packet. */
  #jump(state: StreamState, timestamps: Timestamps): void {
    const own =
      timestamps.dts === undefined && state.nextDts !== undefined ? undefined : decodingTimeInFile(state, timestamps);
    if (own === undefined || this.#lastDtsOfAny === undefined) return;
    if (state.nextDts === undefined || state.timing.sparse === true) {
      this.#join(
        state,
        own,
        timestamps.pts === undefined ? own : Number(timestamps.pts) * state.tick,
        this.#lastDtsOfAny,
      );
      return;
    }
    if (!this.#hasJumped(state, own + this.#offsetOf(state), backThreshold)) return;
    const later = this.#laterThan(state.jumps).find(
      ({ offset }) => !this.#hasJumped(state, own + offset, jointBackThreshold),
    );
    state.jumps = later?.jumps ?? this.#add(this.#end() - getLead(state) - own);
  }

  /** Returns whether a decoding time cannot be that of a stream's next packet. */
  #hasJumped({ nextDts = 0, lastDts }: StreamState, dtsSeconds: number, back: number): boolean {
    const ahead = dtsSeconds - nextDts;
    // If other streams continued in the meantime, this one was silent. Frames that are presented rarely and out of
    // order are decoded long before they are presented.
    const silent = () => dtsSeconds - Math.max(this.#lastDtsOfAny ?? nextDts, this.#end()) <= jumpThreshold;
    return (
      (ahead > jumpThreshold && !silent()) ||
      ahead < -jumpThreshold ||
      (lastDts !== undefined && dtsSeconds + back < lastDts)
    );
  }

  /** Gives a stream that begins, or is sparse, the offset that brings it nearest to the others. */
  #join(state: StreamState, own: number, ptsSeconds: number, position: number): void {
    const end = Math.max(position, this.#end());
    const away = ({ offset }: { readonly offset: number }) => {
      return Math.max(0, position - ptsSeconds - offset, own + offset - end);
    };
    const now = { jumps: state.jumps, offset: this.#offsetOf(state) };
    const nearest = this.#laterThan(state.jumps).reduce((a, b) => (away(b) < away(a) ? b : a), now);
    const isLost = state.timing.sparse !== true && away(nearest) > jumpThreshold;
    state.jumps = isLost ? this.#add(position - own) : nearest.jumps;
  }

  /** Returns the offsets after a jump, among the last few. */
  #laterThan(jumps: number): { readonly jumps: number; readonly offset: number }[] {
    const from = Math.max(jumps + 1, this.#offsets.length - rememberedJumps);
    return this.#offsets.slice(from).map((offset, at) => ({ jumps: from + at, offset }));
  }

  #add(offset: number): number {
    this.#offsets.push(offset);
    return this.#offsets.length - 1;
  }

  /** Returns the time on the result's clock, in seconds, at which all packets so far have been presented. */
  #end(): number {
    const ends = this.#streams.flatMap((state) => {
      return state.nextDts === undefined || state.timing.sparse === true ? [] : [state.nextDts + getLead(state)];
    });
    return Math.max(...ends);
  }

  #shift(state: StreamState, { dts, pts, duration }: Timestamps, dtsSeconds: number | undefined): Timestamps {
    const offset = this.#offsetOf(state);
    if (state.offsetSeconds !== offset) {
      state.offsetSeconds = offset;
      state.offsetTicks = BigInt(Math.round(offset / state.tick));
    }
    state.firstDts ??= dtsSeconds;
    const shiftedPts = pts === undefined ? undefined : pts + state.offsetTicks;
    const begin = shiftedPts === undefined ? dtsSeconds : Number(shiftedPts) * state.tick;
    if (begin !== undefined) {
      const end = begin + Number(duration) * state.tick;
      if (begin < state.first) state.first = begin;
      if (end > state.end) state.end = end;
    }
    if (dts !== undefined) return { dts: dts + state.offsetTicks, pts: shiftedPts, duration };
    if (dtsSeconds === undefined) return { dts: undefined, pts: shiftedPts, duration };
    const guess = BigInt(Math.round(dtsSeconds / state.tick));
    return { dts: shiftedPts !== undefined && shiftedPts < guess ? shiftedPts : guess, pts: shiftedPts, duration };
  }
}

/** Returns the seconds between decoding of a stream's first packet and presentation of its earliest frame. */
function getLead({ firstDts, first }: StreamState): number {
  return firstDts === undefined || first - firstDts > maxLead ? 0 : Math.max(0, first - firstDts);
}

/** Returns the decoding time of a packet in seconds of the file's own clock. */
function decodingTimeInFile({ tick, timing }: StreamState, { dts, pts }: Timestamps): number | undefined {
  if (dts !== undefined) return Number(dts) * tick;
  return pts === undefined ? undefined : Number(pts) * tick - timing.lead;
}
