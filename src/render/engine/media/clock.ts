import { AV_NOPTS_VALUE, AVMEDIA_TYPE_AUDIO, AVMEDIA_TYPE_VIDEO } from 'node-av/constants';
import { avGetAudioFrameDuration2, type IRational, type Packet, type Stream } from 'node-av/lib';
import type { OpenInput } from './open.ts';
import { secondsOf, ticksOf } from './time.ts';

/** Seconds that a timestamp may be off what the packets before it predict, before the clock is held to have jumped. */
const jumpThreshold = 10;
/** Seconds that it may go back. */
const backThreshold = 0.1;
/** Seconds between the first timestamps of two inputs that still count as one clock. */
const sharedClockThreshold = 10;

/** What is known of one stream's time. */
class StreamClock {
  readonly base: IRational;
  readonly #codecpar: Stream['codecpar'];
  readonly #audio: boolean;
  /** Ticks that a video frame lasts where its packet does not say. */
  readonly #frameTicks: bigint;
  /** Decoding times in seconds of the last packet, and of the one expected next. */
  last: number | undefined;
  next: number | undefined;
  /** Presentation times in seconds: the earliest, and the latest end. */
  first: number | undefined;
  end: number | undefined;

  constructor(stream: Stream) {
    this.base = stream.timeBase;
    this.#codecpar = stream.codecpar;
    const { codecType } = stream.codecpar;
    const rate = stream.avgFrameRate;
    this.#audio = codecType === AVMEDIA_TYPE_AUDIO;
    const known = codecType === AVMEDIA_TYPE_VIDEO && rate.num > 0 && rate.den > 0;
    this.#frameTicks = known ? ticksOf(rate.den / rate.num, this.base) : 0n;
  }

  /** Ticks that a packet lasts, from the packet or from what is known of its stream. */
  ticks(packet: Packet): bigint {
    const { duration } = packet;
    if (duration > 0n) return duration;
    if (!this.#audio) return this.#frameTicks;
    const samples = avGetAudioFrameDuration2(this.#codecpar, packet.size);
    return samples > 0 ? ticksOf(samples / this.#codecpar.sampleRate, this.base) : 0n;
  }
}

/**
 * Puts the packets of one input on the result's clock: begins it at zero, evens out the jumps and wraps of MPEG-TS
 * clocks the way the ffmpeg program does, and fills in what timestamps and durations are missing.
 */
export class InputClock {
  /** Seconds that are added to every timestamp; moves at jumps. */
  #offset: number;
  readonly #jumps: boolean;
  readonly #streams: readonly StreamClock[];
  #lastOfAny: number | undefined;

  /** The clock of an input whose first timestamp is `start` seconds. */
  constructor(input: OpenInput, start: number) {
    this.#offset = -start;
    this.#jumps = input.jumps;
    this.#streams = input.streams.map((stream) => new StreamClock(stream));
  }

  /** Seconds on the result's clock at which the last packet stands; minus infinity before the first. */
  get position(): number {
    return this.#lastOfAny ?? Number.NEGATIVE_INFINITY;
  }

  /** Seconds on the result's clock at which the input's own clock shows zero, unless it jumps. */
  get origin(): number {
    return this.#offset;
  }

  /** Seconds on the result's clock at which the stream begins and ends, as far as it was read. */
  extent(stream: number): { readonly first: number; readonly end: number } | undefined {
    const clock = this.#streams[stream];
    if (clock?.first === undefined || clock.end === undefined) return undefined;
    return { first: clock.first, end: clock.end };
  }

  /** Corrects a packet as it was read, in place. Its stream's time base stays. */
  correct(packet: Packet): void {
    const clock = this.#streams[packet.streamIndex];
    if (clock === undefined) return;
    const ticks = clock.ticks(packet);
    if (packet.duration <= 0n && ticks > 0n) packet.duration = ticks;
    let dts = this.#decodingTime(packet, clock);
    if (dts !== undefined) {
      const jump = this.#jumpOf(dts, clock);
      this.#offset -= jump;
      dts -= jump;
      clock.last = dts;
      clock.next = dts + Number(ticks) * (clock.base.num / clock.base.den);
      this.#lastOfAny = dts;
    }
    this.#shift(packet, clock, dts);
  }

  /** When the packet is to be decoded, on the result's clock, before jumps are evened out. */
  #decodingTime(packet: Packet, clock: StreamClock): number | undefined {
    const own = secondsOf(packet.dts, clock.base);
    if (own !== undefined) return own + this.#offset;
    if (clock.next !== undefined) return clock.next;
    const shown = secondsOf(packet.pts, clock.base);
    return shown === undefined ? undefined : shown + this.#offset;
  }

  /** Seconds by which the input's clock jumped before this packet; 0 when it did not. */
  #jumpOf(dts: number, clock: StreamClock): number {
    if (!this.#jumps) return 0;
    if (clock.next !== undefined && clock.last !== undefined) {
      const delta = dts - clock.next;
      return Math.abs(delta) > jumpThreshold || dts + backThreshold < clock.last ? delta : 0;
    }
    if (this.#lastOfAny === undefined) return 0;
    const delta = dts - this.#lastOfAny;
    return Math.abs(delta) > jumpThreshold ? delta : 0;
  }

  #shift(packet: Packet, clock: StreamClock, dts: number | undefined): void {
    const offset = ticksOf(this.#offset, clock.base);
    const missing = packet.dts === AV_NOPTS_VALUE;
    if (!missing) packet.dts += offset;
    if (packet.pts !== AV_NOPTS_VALUE) packet.pts += offset;
    if (missing && dts !== undefined) {
      const guess = ticksOf(dts, clock.base);
      packet.dts = packet.pts === AV_NOPTS_VALUE || guess < packet.pts ? guess : packet.pts;
    }
    const shown = secondsOf(packet.pts, clock.base) ?? dts;
    if (shown === undefined) return;
    const end = shown + Number(packet.duration) * (clock.base.num / clock.base.den);
    clock.first = Math.min(clock.first ?? shown, shown);
    clock.end = Math.max(clock.end ?? end, end);
  }
}

/**
 * Clocks for inputs of which the given streams are used. Each begins at zero, but inputs in the same container whose
 * first timestamps lie close together share a clock, as the separate video and audio of one stream do: shifting each
 * by its own start would set sound and picture apart.
 */
export function createClocks(inputs: readonly OpenInput[], used: readonly ReadonlySet<number>[]): InputClock[] {
  const starts = inputs.map((input, at) => startOf(input, used[at] ?? new Set()));
  const earliest = Math.min(...starts);
  const shared =
    new Set(inputs.map(({ format }) => format)).size === 1 && Math.max(...starts) - earliest < sharedClockThreshold;
  return inputs.map((input, at) => new InputClock(input, shared ? earliest : (starts[at] ?? 0)));
}

function startOf({ streams, sources }: OpenInput, used: ReadonlySet<number>): number {
  const starts = streams
    .filter(({ index }) => used.has(index) && sources[index]?.cover === false && sources[index].kind !== 'subtitle')
    .flatMap((stream) => secondsOf(stream.startTime, stream.timeBase) ?? []);
  return starts.length === 0 ? 0 : Math.min(...starts);
}
