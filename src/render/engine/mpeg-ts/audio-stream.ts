import { decline } from '../binary/fast-path-declined.ts';
import type { SampleList } from '../mp4/sample-list.ts';
import type { Track } from '../mp4/track-reader.ts';
import { AdtsParser, type TakeAdtsFrame } from './adts-parser.ts';
import type { ElementaryStream, PesPacket, StreamOptions } from './elementary-stream.ts';
import { audioSampleDescription } from './sample-descriptions.ts';
import { clockRate, createTrack, TrackBuilder } from './track-builder.ts';

/** Samples per channel in a frame (ISO/IEC 14496-3 §4.5.1.1). */
const frameSamples = 1024;
/**
 * Number of samples by which a timestamp may deviate from the expected time before its frame counts as moved.
 * Timestamps are rounded to ticks.
 */
const rounding = 2;

/** AAC in ADTS. The time of each PES packet is that of the first frame that begins in it. */
export class AudioStream implements ElementaryStream {
  readonly #options: StreamOptions;
  readonly #parser = new AdtsParser();
  #builder: TrackBuilder | undefined;
  /** Times of the next frame, in ticks of 90 kHz and in samples. */
  #clock = 0;
  #time = 0;
  /**
   * Offset of the packet in which the incomplete frame begins, and the time of that packet if no frame has used it yet.
   */
  #position = 0;
  #pendingPts: number | undefined;

  constructor(options: StreamOptions) {
    this.#options = options;
  }

  get hasStarted(): boolean {
    return (this.#builder?.samples.count ?? 0) > 1;
  }

  get samples(): SampleList {
    return this.#builderOrDecline.samples;
  }

  track(): Track {
    const header = this.#parser.header ?? decline('it has no audio');
    return createTrack(
      {
        kind: 'audio',
        codec: 'aac',
        timescale: header.rate,
        description: audioSampleDescription(header),
        width: 0,
        height: 0,
      },
      this.#options.language,
    );
  }

  takePacket({ bytes, payloadOffset, position, pts }: PesPacket): void {
    const { output } = this.#options;
    let pendingPts: number | undefined = pts;
    const takeFrame: TakeAdtsFrame = (frames, from, to, fromPrevious) => {
      const rate = this.#parser.header?.rate ?? clockRate;
      const builder = this.#builder ?? this.#createBuilder(rate);
      const own = fromPrevious ? this.#pendingPts : pendingPts;
      if (own !== undefined) this.#setClock(own, rate, builder.samples.count === 0);
      if (fromPrevious) this.#pendingPts = undefined;
      else pendingPts = undefined;
      const offset = output?.length ?? 0;
      output?.add(frames, from, to);
      builder.add({
        offset,
        size: to - from,
        time: this.#time,
        composition: 0,
        key: true,
        position: fromPrevious ? this.#position : position,
        dts: this.#clock,
        pts: this.#clock,
      });
      this.#clock += (frameSamples * clockRate) / rate;
      this.#time += frameSamples;
    };
    if (!this.#parser.read(bytes, payloadOffset, bytes.length, takeFrame)) return;
    this.#position = position;
    this.#pendingPts = pendingPts;
  }

  end(): void {
    this.#parser.end();
    this.#builderOrDecline.end(frameSamples);
  }

  /** Sets the clock from a timestamp. Contiguous frames keep their duration, because the timestamp is only rounded. */
  #setClock(pts: number, rate: number, first: boolean): void {
    const time = (pts * rate) / clockRate;
    this.#clock = pts;
    if (first || Math.abs(time - this.#time) > rounding) this.#time = Math.round(time);
  }

  #createBuilder(rate: number): TrackBuilder {
    this.#builder = new TrackBuilder(this.#options.packetStats, this.#options.index, rate);
    return this.#builder;
  }

  get #builderOrDecline(): TrackBuilder {
    return this.#builder ?? decline('it has no audio');
  }
}
