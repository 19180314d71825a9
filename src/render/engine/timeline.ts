/** A fraction, as FFmpeg counts time in: one tick is `num / den` seconds. */
export interface TimeBase {
  readonly num: number;
  readonly den: number;
}

/** When a packet is decoded and shown, and how long it lasts, in ticks of its stream. */
export interface Stamps {
  readonly dts: bigint | undefined;
  readonly pts: bigint | undefined;
  /** 0 when it is not known. */
  readonly duration: bigint;
}

/** What a timeline needs to know of a stream. */
export interface StreamTiming {
  readonly base: TimeBase;
  /** Seconds by which the first frame is decoded before it is shown, because others that come later need it. */
  readonly lead: number;
  /** Whether it may say nothing for long, as subtitles and data do: then its silence is no jump of the clock. */
  readonly sparse?: boolean;
}

/** Seconds between which a stream plays. */
export interface Extent {
  readonly first: number;
  readonly end: number;
}

/** Seconds that a timestamp may be off what the packets before it predict, before the clock is held to have jumped. */
const jumpThreshold = 10;
/** Seconds that it may go back. */
const backThreshold = 0.1;

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
  const alike = new Set(inputs.map(({ format }) => format)).size === 1;
  return alike && Math.max(...firsts) - earliest < sharedClockThreshold ? firsts.map(() => earliest) : firsts;
}

interface StreamState {
  readonly timing: StreamTiming;
  /** Seconds of one tick. */
  readonly tick: number;
  /** The timeline's offset in this stream's ticks, and the offset that this is for. */
  offset: bigint;
  offsetOf: number;
  /** Decoding times in seconds of the last packet, and of the one expected next. */
  last: number | undefined;
  next: number | undefined;
  /** Presentation times in seconds: the earliest, and the latest end. */
  first: number;
  end: number;
}

/**
 * Puts the timestamps of one input on the result's clock: begins it at zero, evens out jumps and wraps the way the
 * ffmpeg program does for MPEG-TS, and fills in decoding times that are missing.
 */
export class Timeline {
  /** Seconds that are added to every timestamp; moves at jumps. */
  #offset: number;
  readonly #jumps: boolean;
  readonly #streams: readonly StreamState[];
  #lastOfAny: number | undefined;

  /**
   * @param start - the input's first timestamp, in seconds.
   * @param jumps - whether timestamps of this kind of input may jump, and what follows belongs right behind.
   */
  constructor(streams: readonly StreamTiming[], start: number, jumps: boolean) {
    this.#offset = -start;
    this.#jumps = jumps;
    this.#streams = streams.map((timing) => ({
      timing,
      tick: timing.base.num / timing.base.den,
      offset: 0n,
      offsetOf: 0,
      last: undefined,
      next: undefined,
      first: Number.POSITIVE_INFINITY,
      end: Number.NEGATIVE_INFINITY,
    }));
  }

  /** Seconds on the result's clock at which the last packet stands; minus infinity before the first. */
  get position(): number {
    return this.#lastOfAny ?? Number.NEGATIVE_INFINITY;
  }

  /** Seconds on the result's clock at which the input's own clock shows zero, unless it jumps. */
  get origin(): number {
    return this.#offset;
  }

  /** When the stream plays on the result's clock, as far as it was seen. */
  extent(stream: number): Extent | undefined {
    const { first = Number.POSITIVE_INFINITY, end = Number.NEGATIVE_INFINITY } = this.#streams[stream] ?? {};
    return first > end ? undefined : { first, end };
  }

  /** What a packet's timestamps are on the result's clock, given in the order in which packets are read. */
  correct(stream: number, stamps: Stamps): Stamps {
    const state = this.#streams[stream];
    if (state === undefined) return stamps;
    let decoded = this.#decodingTime(state, stamps);
    if (decoded !== undefined) {
      const jump = this.#jump(state, decoded);
      this.#offset -= jump;
      decoded -= jump;
      state.last = decoded;
      state.next = decoded + Number(stamps.duration) * state.tick;
      this.#lastOfAny = decoded;
    }
    return this.#shifted(state, stamps, decoded);
  }

  /** When a packet is to be decoded, on the result's clock, before jumps are evened out. */
  #decodingTime({ tick, next, timing }: StreamState, { dts, pts }: Stamps): number | undefined {
    if (dts !== undefined) return Number(dts) * tick + this.#offset;
    if (next !== undefined) return next;
    return pts === undefined ? undefined : Number(pts) * tick - timing.lead + this.#offset;
  }

  /** Seconds by which the input's clock jumped before a packet; 0 when it did not. */
  #jump({ next, last, timing }: StreamState, decoded: number): number {
    if (!this.#jumps || timing.sparse === true) return 0;
    const expected = next ?? this.#lastOfAny;
    if (expected === undefined) return 0;
    const delta = decoded - expected;
    const back = last !== undefined && decoded + backThreshold < last;
    return back || Math.abs(delta) > jumpThreshold ? delta : 0;
  }

  #shifted(state: StreamState, { dts, pts, duration }: Stamps, decoded: number | undefined): Stamps {
    if (state.offsetOf !== this.#offset) {
      state.offsetOf = this.#offset;
      state.offset = BigInt(Math.round(this.#offset / state.tick));
    }
    const shown = pts === undefined ? undefined : pts + state.offset;
    const begin = shown === undefined ? decoded : Number(shown) * state.tick;
    if (begin !== undefined) {
      const end = begin + Number(duration) * state.tick;
      if (begin < state.first) state.first = begin;
      if (end > state.end) state.end = end;
    }
    if (dts !== undefined) return { dts: dts + state.offset, pts: shown, duration };
    if (decoded === undefined) return { dts: undefined, pts: shown, duration };
    const guess = BigInt(Math.round(decoded / state.tick));
    return { dts: shown !== undefined && shown < guess ? shown : guess, pts: shown, duration };
  }
}
