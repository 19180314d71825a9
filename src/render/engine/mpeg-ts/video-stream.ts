import { decline } from '../binary/fast-path-declined.ts';
import type { SampleList } from '../mp4/sample-list.ts';
import type { Track } from '../mp4/track-reader.ts';
import { AccessUnit } from './access-unit.ts';
import type { PesPacket, Stream, StreamTools } from './elementary-stream.ts';
import { type ParameterSets, readParameterSets } from './parameter-sets.ts';
import { describeVideo } from './sample-descriptions.ts';
import { clockRate, TrackBuilder, trackOf } from './track-builder.ts';

/** H.264, of which each PES packet holds one picture. */
export class VideoStream implements Stream {
  readonly #tools: StreamTools;
  readonly #builder: TrackBuilder;
  readonly #unit = new AccessUnit();
  #sets: ParameterSets | undefined;

  constructor(tools: StreamTools) {
    this.#tools = tools;
    this.#builder = new TrackBuilder(tools.measures, tools.index, clockRate);
  }

  get begun(): boolean {
    return this.#builder.samples.count > 1;
  }

  get samples(): SampleList {
    return this.#builder.samples;
  }

  track(): Track {
    const sets = this.#sets ?? decline('it has no pictures');
    const { width, height, pixelAspect = { num: 1, den: 1 } } = sets.parameters;
    const presented = Math.round((width * 0x1_0000 * pixelAspect.num) / pixelAspect.den);
    if (presented > 0xffff_ffff) decline('its pictures have an impossible shape');
    return trackOf(
      {
        kind: 'video',
        codec: 'h264',
        timescale: clockRate,
        description: describeVideo(sets),
        width: presented,
        height: height * 0x1_0000,
      },
      this.#tools.language,
    );
  }

  take({ bytes, payload, position, decoded, presented }: PesPacket): void {
    const { output } = this.#tools;
    const unit = this.#unit;
    unit.read(bytes, payload);
    this.#sets ??= readParameterSets(unit, bytes);
    this.#sets.check(unit, bytes);
    const offset = output?.length ?? 0;
    if (output !== undefined) {
      for (let at = 0; at < unit.count; at += 1) {
        const [from, to] = [unit.begins[at] ?? 0, unit.ends[at] ?? 0];
        output.addNumber(to - from);
        output.add(bytes, from, to);
      }
    }
    const { key, size } = unit;
    this.#builder.add({
      offset,
      size,
      time: decoded,
      composition: presented - decoded,
      key,
      position,
      decoded,
      presented,
    });
  }

  end(): void {
    this.#builder.end();
  }
}
