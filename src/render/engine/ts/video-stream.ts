import { decline } from '../mp4/declined.ts';
import type { SampleList } from '../mp4/samples.ts';
import type { Track } from '../mp4/tracks.ts';
import { AccessUnit } from './access-unit.ts';
import { describeVideo } from './descriptions.ts';
import { readSequenceParameters } from './sequence-parameters.ts';
import type { PesPacket, Stream, StreamTools } from './stream.ts';
import { clockRate, TrackBuilder, trackOf } from './track-builder.ts';

/** Picture parameter sets that a stream may have (ITU-T H.264 §7.4.2.2). */
const maxPictureSets = 31;

/** H.264, of which each PES packet holds one picture. */
export class VideoStream implements Stream {
  readonly #tools: StreamTools;
  readonly #builder: TrackBuilder;
  readonly #unit = new AccessUnit();
  #sequence: Buffer | undefined;
  #pictures: readonly Buffer[] = [];

  constructor(tools: StreamTools) {
    this.#tools = tools;
    this.#builder = new TrackBuilder(tools.measures, tools.index, clockRate);
  }

  get samples(): SampleList {
    return this.#builder.samples;
  }

  track(): Track {
    const sequence = this.#sequence ?? decline('it has no pictures');
    const parameters = readSequenceParameters(sequence);
    const { width, height, pixelAspect = { num: 1, den: 1 } } = parameters;
    const shown = Math.round((width * 0x1_0000 * pixelAspect.num) / pixelAspect.den);
    if (shown > 0xffff_ffff) decline('its pictures have an impossible shape');
    return trackOf(
      {
        kind: 'video',
        codec: 'h264',
        timescale: clockRate,
        description: describeVideo(parameters, sequence, this.#pictures),
        width: shown,
        height: height * 0x1_0000,
      },
      this.#tools.language,
    );
  }

  take({ bytes, payload, position, decoded, shown }: PesPacket): void {
    const { output } = this.#tools;
    const unit = this.#unit;
    unit.read(bytes, payload);
    this.#checkSets(bytes);
    const offset = output?.length ?? 0;
    if (output !== undefined) {
      for (let at = 0; at < unit.count; at += 1) {
        const [from, to] = [unit.begins[at] ?? 0, unit.ends[at] ?? 0];
        output.addNumber(to - from);
        output.add(bytes, from, to);
      }
    }
    const { key, size } = unit;
    this.#builder.add({ offset, size, time: decoded, composition: shown - decoded, key, position, decoded, shown });
  }

  end(): void {
    this.#builder.end();
  }

  /** The first picture brings all parameter sets, and later ones only repeat them. */
  #checkSets(bytes: Buffer): void {
    const unit = this.#unit;
    if (this.#sequence === undefined) {
      const [sequence, ...others] = unit.sets(bytes, 'sequence');
      this.#pictures = distinct(unit.sets(bytes, 'picture'));
      if (!unit.key || sequence === undefined || this.#pictures.length === 0)
        decline('it does not begin with a key frame');
      if (others.some((other) => !other.equals(sequence))) decline('it has several sequence parameter sets');
      if (this.#pictures.length > maxPictureSets || sequence.length < 4) decline('its parameter sets are malformed');
      this.#sequence = sequence;
      return;
    }
    if (!unit.repeats(bytes, [this.#sequence, ...this.#pictures])) decline('its parameter sets change');
  }
}

function distinct(sets: readonly Buffer[]): Buffer[] {
  return sets.filter((set, at) => sets.findIndex((other) => other.equals(set)) === at);
}
