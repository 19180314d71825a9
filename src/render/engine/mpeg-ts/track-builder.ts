import { decline } from '../binary/fast-path-declined.ts';
import { SampleList } from '../mp4/sample-list.ts';
import type { Track } from '../mp4/track-reader.ts';
import { identityMatrix } from '../mp4/track-reader.ts';
import type { PacketStats } from './packet-stats.ts';

/** Ticks of a second of the clock of transport streams. */
export const clockRate = 90_000;
/** Seconds from one sample to the next, at most. Longer pauses may be jumps of the clock. */
const maxStep = 5;
/** Samples of a track, at most: eleven hours of 60 frames a second. */
const maxSamples = 2_500_000;

/** A sample of a stream. */
interface StreamSample {
  /** Where it is among the media of the result. */
  readonly offset: number;
  readonly size: number;
  /** When it is decoded, in ticks of the track. */
  readonly time: number;
  /** Ticks from its decoding to its showing. */
  readonly composition: number;
  readonly key: boolean;
  /** What the file says: position of its packet, and its times in ticks of 90 kHz. */
  readonly position: number;
  readonly dts: number;
  readonly pts: number;
}

/** Builds a track of the result from the samples of a stream. How long one takes is known when the next one comes. */
export class TrackBuilder {
  readonly samples = new SampleList(maxSamples);
  readonly #packetStats: PacketStats;
  readonly #stream: number;
  readonly #timescale: number;
  #last: StreamSample | undefined;
  /** The shortest time between two samples so far, in ticks of the track. A sample before a pause takes no longer. */
  #shortest = Number.POSITIVE_INFINITY;

  constructor(packetStats: PacketStats, stream: number, timescale: number) {
    this.#packetStats = packetStats;
    this.#stream = stream;
    this.#timescale = timescale;
  }

  /** Takes the next sample, in decoding order. */
  add(sample: StreamSample): void {
    const { offset, size, time, composition, key } = sample;
    const last = this.#last;
    if (last === undefined) this.samples.start = time;
    else {
      this.#settle(last, time - last.time);
      this.samples.endAt(time);
    }
    if (composition < 0 || composition > maxStep * this.#timescale) decline('its frames are far out of order');
    this.samples.reserve(1);
    this.samples.add(offset, size, 0, composition, key);
    this.#last = sample;
  }

  /**
   * To be called when all samples were added.
   *
   * @param step - ticks that the last one takes; by default the shortest time between two others.
   */
  end(step = this.#shortest): void {
    const last = this.#last;
    if (last === undefined || step === Number.POSITIVE_INFINITY) decline('one of its streams has less than two frames');
    this.#settle(last, step);
    this.samples.endAt(last.time + step);
  }

  #settle({ position, dts, pts }: StreamSample, step: number): void {
    if (step <= 0) decline('one of its clocks goes back');
    if (step > maxStep * this.#timescale) decline('one of its streams pauses');
    this.#shortest = Math.min(this.#shortest, step);
    this.#packetStats.add(this.#stream, {
      position,
      dts: dts / clockRate,
      pts: pts / clockRate,
      duration: this.#shortest / this.#timescale,
    });
  }
}

/** A track of the result, without its samples. */
export function createTrack(
  format: Pick<Track, 'kind' | 'codec' | 'timescale' | 'description' | 'width' | 'height'>,
  language = 'und',
): Track {
  return { ...format, id: 0, ticks: 0, language: packLanguage(language), matrix: identityMatrix, table: [] };
}

/** Three letters of five bits (ISO/IEC 14496-12 §8.4.2.3). */
function packLanguage(language: string): number {
  return [...language].reduce((code, letter) => code * 32 + letter.charCodeAt(0) - 0x60, 0);
}
