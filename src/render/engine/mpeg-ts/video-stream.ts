import { decline } from '../binary/fast-path-declined.ts';
import type { SampleList } from '../mp4/sample-list.ts';
import type { Track } from '../mp4/track-reader.ts';
import type { ElementaryStream, PesPacket, StreamOptions } from './elementary-stream.ts';
import { AccessUnit } from './h264-access-unit.ts';
import { type ParameterSets, readParameterSets } from './h264-parameter-sets.ts';
import { videoSampleDescription } from './sample-descriptions.ts';
import { clockRate, createTrack, TrackBuilder } from './track-builder.ts';

/** H.264 with one picture per PES packet. */
export class VideoStream implements ElementaryStream {
  readonly #options: StreamOptions;
  readonly #builder: TrackBuilder;
  readonly #unit = new AccessUnit();
  #sets: ParameterSets | undefined;

  constructor(options: StreamOptions) {
    this.#options = options;
    this.#builder = new TrackBuilder(options.packetStats, options.index, clockRate);
  }

  get hasStarted(): boolean {
    return this.#builder.samples.count > 1;
  }

  get samples(): SampleList {
    return this.#builder.samples;
  }

  track(): Track {
    const sets = this.#sets ?? decline('it has no pictures');
    const { width, height, pixelAspect = { num: 1, den: 1 } } = sets.sps;
    const displayWidth = Math.round((width * 0x1_0000 * pixelAspect.num) / pixelAspect.den);
    if (displayWidth > 0xffff_ffff) decline('its pictures have an impossible aspect ratio');
    return createTrack(
      {
        kind: 'video',
        codec: 'h264',
        timescale: clockRate,
        description: videoSampleDescription(sets),
        width: displayWidth,
        height: height * 0x1_0000,
      },
      this.#options.language,
    );
  }

  takePacket({ bytes, payloadOffset, position, dts, pts }: PesPacket): void {
    const { output } = this.#options;
    const unit = this.#unit;
    unit.read(bytes, payloadOffset);
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
    const { isKeyFrame, size } = unit;
    this.#builder.add({
      offset,
      size,
      time: dts,
      composition: pts - dts,
      key: isKeyFrame,
      position,
      dts,
      pts,
    });
  }

  end(): void {
    this.#builder.end();
  }
}
