/** A fraction, as FFmpeg counts time in: one tick is `num / den` seconds. */
interface TimeBase {
  readonly num: number;
  readonly den: number;
}

/** When a packet is decoded and presented, and how long it lasts, in ticks of its stream. */
export interface Timestamps {
  readonly dts: bigint | undefined;
  readonly pts: bigint | undefined;
  /** 0 when it is not known. */
  readonly duration: bigint;
}

/** What a timeline needs to know of a stream. */
export interface StreamTiming {
  readonly base: TimeBase;
  /** Seconds by which the first frame is decoded before it is presented, where it has no decoding time to show it. */
  readonly lead: number;
  /** Whether it may say nothing for long, as subtitles and data do: then its silence is no jump of the clock. */
  readonly sparse?: boolean;
}

/** Seconds between which a stream plays. */
export interface Extent {
  readonly first: number;
  readonly end: number;
}

/** Seconds by which sums of timestamps are inexact: less than a tick, so a step of just a threshold is no jump. */
const rounding = 1e-6;
/** Seconds that a timestamp may be off what the packets before it predict, before the clock is held to have jumped. */
const jumpThreshold = 10 + rounding;
/** Seconds that it may go back. */
const backThreshold = 0.1 + rounding;
/** Seconds that it may go back at another stream's jump: streams do not begin at the same time after one. */
const jointBackThreshold = 1 + rounding;
/** Seconds by which a first frame may be decoded before it is presented: a few frames of a slide show. */
const maxLead = 60;
/** Jumps back to which a stream may take another's offset. */
const rememberedJumps = 8;

/** Seconds between the first timestamps of two inputs that still count as one clock. */
const sharedClockThreshold = 10;

/**
 * Where the timeline of each input begins, in seconds, given its container and its first timestamp. Each begins at its
 * own, but inputs in the same container that begin close together share a clock, as the separate video and audio of
 * one stream do: shifting each by its own start would set sound and picture apart.
 */
export function timelineStarts(inputs: readonly { readonly format: string; readonly first: number }[]): number[] {
  const firsts = inputs.map(({ first }) => first);
  const earliest = Math.min(...firsts);
  const isSameFormat = new Set(inputs.map(({ format }) => format)).size === 1;
  return isSameFormat && Math.max(...firsts) - earliest < sharedClockThreshold ? firsts.map(() => earliest) : firsts;
}

interface StreamState {
  readonly timing: StreamTiming;
  /** Seconds of one tick. */
  readonly tick: number;
  /** Jumps of the clock that the stream has made: its offset's place among those of the timeline. */
  jumps: number;
  /** The stream's offset in ticks, and the offset in seconds that this is for. */
  offsetTicks: bigint;
  offsetSeconds: number;
  /** Decoding times in seconds of the last packet, and of the one expected next. */
  lastDts: number | undefined;
  nextDts: number | undefined;
  /** Decoding time in seconds of the first packet. */
  firstDts: number | undefined;
  /** Presentation times in seconds: the earliest, and the latest end. */
  first: number;
  end: number;
}

/**
 * Puts the timestamps of one file on the result's clock, evens out jumps and wraps, and fills in decoding times that are
 * missing. Streams do not jump at the same packet of the file: around a jump, packets from before and after it are
 * mixed. So each stream jumps by itself, and takes the offset of the stream that made the same jump first.
 */
export class Timeline {
  /** Seconds that are added to timestamps: at first, and after each jump. */
  readonly #offsets: number[];
  readonly #mayJump: boolean;
  readonly #streams: readonly StreamState[];
  #position: number;
  #lastDtsOfAny: number | undefined;

  /**
   * @param start - the file's first timestamp, in seconds.
   * @param jumps - whether timestamps of this kind of file may jump, and what follows belongs right behind.
   * @param begin - seconds on the result's clock at which the first timestamp belongs; default 0.
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

  /** Time of the last packet on the result's clock, in seconds; before the first packet, where that belongs. */
  get position(): number {
    return this.#position;
  }

  /** Seconds on the result's clock at which the file's own clock shows zero, before it jumps. */
  get origin(): number {
    return this.#offsets[0] ?? 0;
  }

  /** The same after the last jump. */
  get lastOrigin(): number {
    return this.#offsets.at(-1) ?? 0;
  }

  /** When the stream plays on the result's clock, as far as it was seen. */
  extent(stream: number): Extent | undefined {
    const { first = Number.POSITIVE_INFINITY, end = Number.NEGATIVE_INFINITY } = this.#streams[stream] ?? {};
    return first > end ? undefined : { first, end };
  }

  /** What a packet's timestamps are on the result's clock, given in the order in which packets are read. */
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

  /** When a packet is to be decoded, on the result's clock. */
  #decodingTime(state: StreamState, timestamps: Timestamps): number | undefined {
    if (timestamps.dts === undefined && state.nextDts !== undefined) return state.nextDts;
    const own = decodingTimeInFile(state, timestamps);
    return own === undefined ? undefined : own + this.#offsetOf(state);
  }

  /** Gives the stream another offset where the clock jumped before a packet. */
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

  /** Whether a decoding time cannot be that of a stream's next packet. */
  #hasJumped({ nextDts = 0, lastDts }: StreamState, dtsSeconds: number, back: number): boolean {
    const ahead = dtsSeconds - nextDts;
    // Other streams may have gone on in the meantime: then this one was silent. Frames that are presented rarely and out of
    // order are decoded long before.
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

  /** The offsets after a jump, of the last few. */
  #laterThan(jumps: number): { readonly jumps: number; readonly offset: number }[] {
    const from = Math.max(jumps + 1, this.#offsets.length - rememberedJumps);
    return this.#offsets.slice(from).map((offset, at) => ({ jumps: from + at, offset }));
  }

  #add(offset: number): number {
    this.#offsets.push(offset);
    return this.#offsets.length - 1;
  }

  /** Seconds on the result's clock at which all that was read has been presented. */
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

/** Seconds by which a stream's first packet was decoded before its earliest frame was presented. */
function getLead({ firstDts, first }: StreamState): number {
  return firstDts === undefined || first - firstDts > maxLead ? 0 : Math.max(0, first - firstDts);
}

/** Seconds of the file's own clock at which a packet is to be decoded. */
function decodingTimeInFile({ tick, timing }: StreamState, { dts, pts }: Timestamps): number | undefined {
  if (dts !== undefined) return Number(dts) * tick;
  return pts === undefined ? undefined : Number(pts) * tick - timing.lead;
}
