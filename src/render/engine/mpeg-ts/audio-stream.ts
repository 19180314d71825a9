import { decline } from '../binary/fast-path-declined.ts';
import type { SampleList } from '../mp4/sample-list.ts';
import type { Track } from '../mp4/track-reader.ts';
import { AdtsFrames, type TakeFrame } from './adts-frames.ts';
import type { PesPacket, Stream, StreamTools } from './elementary-stream.ts';
import { describeAudio } from './sample-descriptions.ts';
import { clockRate, TrackBuilder, trackOf } from './track-builder.ts';

/** Samples of one channel in a frame (ISO/IEC 14496-3 §4.5.1.1). */
const frameSamples = 1024;
/** Samples that a timestamp may be off, since its ticks are longer than a sample, before a frame counts as moved. */
const rounding = 2;

/** AAC in ADTS, of which each PES packet gives the time of the first frame that begins in it. */
export class AudioStream implements Stream {
  readonly #tools: StreamTools;
  readonly #frames = new AdtsFrames();
  #builder: TrackBuilder | undefined;
  /** Times of the next frame, in ticks of 90 kHz and in samples. */
  #clock = 0;
  #time = 0;
  /** Of the packet in which the frame begins that is not complete yet: where it is, and its time unless that is spent. */
  #position = 0;
  #presented: number | undefined;

  constructor(tools: StreamTools) {
    this.#tools = tools;
  }

  get begun(): boolean {
    return (this.#builder?.samples.count ?? 0) > 1;
  }

  get samples(): SampleList {
    return this.#started.samples;
  }

  track(): Track {
    const header = this.#frames.header ?? decline('it has no audio');
    return trackOf(
      {
        kind: 'audio',
        codec: 'aac',
        timescale: header.rate,
        description: describeAudio(header),
        width: 0,
        height: 0,
      },
      this.#tools.language,
    );
  }

  take({ bytes, payload, position, presented }: PesPacket): void {
    const { output } = this.#tools;
    let stamp: number | undefined = presented;
    const take: TakeFrame = (frames, from, to, carried) => {
      const rate = this.#frames.header?.rate ?? clockRate;
      const builder = this.#builder ?? this.#start(rate);
      const own = carried ? this.#presented : stamp;
      if (own !== undefined) this.#stamp(own, rate, builder.samples.count === 0);
      if (carried) this.#presented = undefined;
      else stamp = undefined;
      const offset = output?.length ?? 0;
      output?.add(frames, from, to);
      builder.add({
        offset,
        size: to - from,
        time: this.#time,
        composition: 0,
        key: true,
        position: carried ? this.#position : position,
        decoded: this.#clock,
        presented: this.#clock,
      });
      this.#clock += (frameSamples * clockRate) / rate;
      this.#time += frameSamples;
    };
    if (!this.#frames.read(bytes, payload, bytes.length, take)) return;
    this.#position = position;
    this.#presented = stamp;
  }

  end(): void {
    this.#frames.end();
    this.#started.end(frameSamples);
  }

  /** Sets the clock by a timestamp. Frames that follow each other keep their length: the stamp is only rounded. */
  #stamp(presented: number, rate: number, first: boolean): void {
    const time = (presented * rate) / clockRate;
    this.#clock = presented;
    if (first || Math.abs(time - this.#time) > rounding) this.#time = Math.round(time);
  }

  #start(rate: number): TrackBuilder {
    this.#builder = new TrackBuilder(this.#tools.measures, this.#tools.index, rate);
    return this.#builder;
  }

  get #started(): TrackBuilder {
    return this.#builder ?? decline('it has no audio');
  }
}
