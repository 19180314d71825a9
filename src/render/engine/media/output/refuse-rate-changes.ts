import { avGetCodecName, type Packet } from 'node-av/lib';
import { MillraceError } from '../../../../contract/errors.ts';
import type { ContainerFormat } from '../../formats/container-formats.ts';
import { frameRateReader } from '../../formats/frame-sample-rate.ts';
import type { NamedStream, Sink } from '../sink.ts';
import { startOfPacket } from '../timestamps.ts';

/** Muxers that do not state the sample rate outside the frames. */
const statesNoRate: ReadonlySet<string> = new Set(['mpegts', 'mp3']);

/** Number of frames after which a change counts. Damaged files have false headers, but rarely as many in a row. */
const minChangedFrames = 8;

/** Frames in a row with another sample rate than those before. */
interface RateChange {
  readonly rate: number;
  /** Time of the first of them, in seconds. */
  readonly seconds: number;
  frames: number;
}

/**
 * Returns a sink that refuses copied MPEG audio, AC-3 and E-AC-3 if its sample rate changes within a part of the input.
 * Players that trust the header of the track play the rest at a wrong pitch. Decoders follow a change of the channels.
 *
 * @param input - index of the job's input.
 * @returns The given sink itself for other codecs, and for containers that leave the rate to the frames.
 * @throws MillraceError `incompatible_codecs` from its `push`.
 */
export function refuseRateChanges(sink: Sink, first: NamedStream, input: number, container: ContainerFormat): Sink {
  const { codecId, sampleRate } = first.stream.codecpar;
  const readRate = frameRateReader(avGetCodecName(codecId) ?? '');
  if (readRate === undefined || statesNoRate.has(container.muxer) || sampleRate <= 0) return sink;
  let { stream, label } = first;
  let change: RateChange | undefined;
  const follow = (rate: number, packet: Packet) => {
    if (change?.rate !== rate) change = { rate, seconds: startOfPacket(packet, stream.timeBase) ?? 0, frames: 0 };
    change.frames += 1;
    if (change.frames < minChangedFrames) return;
    throw new MillraceError(
      'incompatible_codecs',
      `${label} changes its sample rate from ${sampleRate} to ${rate} Hz at ${change.seconds.toFixed(1)} s of the ` +
        `result, so a copy in ${container.title} would not play correctly beyond that point. ` +
        'Set copyStreams to false to re-encode it.',
      { input },
    );
  };
  return {
    ...sink,
    push: (packet) => {
      const rate = packet.data === null ? undefined : readRate(packet.data);
      if (rate === sampleRate) change = undefined;
      else if (rate !== undefined) follow(rate, packet);
      sink.push(packet);
    },
    startPart: (next) => {
      if (next !== undefined) ({ stream, label } = next);
      return sink.startPart(next);
    },
  };
}
