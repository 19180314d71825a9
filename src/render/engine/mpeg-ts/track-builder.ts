import { decline } from '../binary/fast-path-declined.ts';
import { packLanguage } from '../languages/language-code.ts';
import { SampleList } from '../mp4/sample-list.ts';
import type { Track } from '../mp4/track-reader.ts';
import { identityMatrix } from '../mp4/track-reader.ts';
import type { PacketStats } from './packet-stats.ts';

/** Ticks per second of the transport stream clock. */
export const clockRate = 90_000;
/** Maximum time from one sample to the next, in seconds. Longer pauses may be clock jumps. */
const maxStep = 5;
/** Maximum number of samples in a track: eleven hours at 60 frames per second. */
const maxSamples = 2_500_000;

/** A sample of a stream. */
interface StreamSample {
  /** Offset in the media of the result. */
  readonly offset: number;
  readonly size: number;
  /** Decoding time in ticks of the track. */
  readonly time: number;
  /** Ticks from its decoding to its presentation. */
  readonly composition: number;
  readonly key: boolean;
  /** Values from the file: offset of its packet, and its times in ticks of 90 kHz. */
  readonly position: number;
  readonly dts: number;
  readonly pts: number;
}

/**
 * Builds a track of the result from the samples of a stream. The duration of a sample is known when the next one
 * arrives.
 */
export class TrackBuilder {
  readonly samples = new SampleList(maxSamples);
  readonly #packetStats: PacketStats;
  readonly #stream: number;
  readonly #timescale: number;
  #last: StreamSample | undefined;
  /**
   * The shortest time between two samples so far, in ticks of the track. A sample before a pause lasts no longer than
   * this.
   */
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
   * Must be called after all samples have been added.
   *
   * @param step - duration of the last sample in ticks; default: the shortest time between two others.
   */
  end(step = this.#shortest): void {
    const last = this.#last;
    if (last === undefined || step === Number.POSITIVE_INFINITY)
      decline('one of its streams has fewer than two frames');
    this.#settle(last, step);
    this.samples.endAt(last.time + step);
  }

  #settle({ position, dts, pts }: StreamSample, step: number): void {
    if (step <= 0) decline('one of its clocks goes backwards');
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

/** Creates a track of the result, without its samples. */
export function createTrack(
  format: Pick<Track, 'kind' | 'codec' | 'timescale' | 'description' | 'width' | 'height'>,
  language = 'und',
): Track {
  return { ...format, id: 0, ticks: 0, language: packLanguage(language), matrix: identityMatrix, table: [] };
}
